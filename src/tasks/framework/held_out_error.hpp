// What a number measured on held-out examples can tell: nothing below its own error.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Three standard errors of the difference of two shares of right answers, each of so many: binomial, with
/// two answers of either kind added (Agresti and Coull 1998), as no share is certain because all that were
/// tried are right.
double error_of_difference(double one, double other, std::size_t answers);

/// Whether the first is above the second by more than that error, and by at least `lead`.
bool is_clearly_above(double more, double less, std::size_t answers, double lead = 0.0);

/// The mean of some values, and three of its standard errors: infinite of fewer than two values.
struct MeanWithError {
  double mean = 0.0;
  double error = 0.0;
};
MeanWithError mean_of(const std::vector<double>& values);

}  // namespace attnlab
