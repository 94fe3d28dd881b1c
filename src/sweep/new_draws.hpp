// Whether a sweep changes only what its parameter changes: random numbers stay where arrays grow at their
// ends (nested draws), or each value draws new ones, which its frames then say.
#pragma once

#include "results/report/report.hpp"

namespace attnlab {

/// The arrays that a run drew, by name.
using DrawnArrays = std::map<std::string, Array>;
DrawnArrays drawn_arrays(const Report& report);

/// Whether arrays of one name have the same numbers, up to a factor, as far as both reach. An array that only
/// one has, or that has another number of axes, says nothing.
bool are_nested(const DrawnArrays& one, const DrawnArrays& other);

/// Where two runs that follow each other are not nested, the captions of all figures say so.
void tell_of_new_draws(const std::vector<DrawnArrays>& runs, std::vector<Figure>& figures);

}  // namespace attnlab
