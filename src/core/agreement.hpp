// When two results of the same computation count as equal: the "Agreement" rule of the experiments.
#pragma once

#include "core/constants.hpp"
#include "core/standard.hpp"

namespace attnlab {

/// The largest |value| among the finite values; 0 when there is none.
template <class Values>
double largest_magnitude(const Values& values) {
  double largest = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/// Relative to the largest value of a stage. 1e-12 is 4500 eps and 1e-6 is 8 eps: of sums with as many terms,
/// in any order (rounding_of below counts the terms of longer ones). A score of size s carries a
/// rounding error of about eps · s, and the exponential turns an absolute error of its argument into a
/// relative error of the weight.
inline double tolerance64(double largest_score = 0.0) {
  return std::max(1e-12, std::numeric_limits<double>::epsilon() * (4.0 + largest_score));
}
inline double tolerance32(double largest_score = 0.0) {
  return std::max(1e-6, static_cast<double>(std::numeric_limits<float>::epsilon()) * (4.0 + largest_score));
}

/// As the reference files name float and double.
template <class T>
constexpr const char* dtype_name = std::is_same_v<T, float> ? "float32" : "float64";

/// How far two results of one computation may be apart, relative to the largest value of their stage,
/// whatever the order in which a kernel sums. A sum of n terms is off by at most n·u·Σ|terms|, u = eps / 2
/// (Higham 2002, section 4.2); of many terms the errors go both ways, and 8·√n is not exceeded (Higham and
/// Mary 2019, theorem 2.4: with a probability below 1e-13). Stages that follow one another add up their
/// terms; both results are off: 2u. exp turns the error of a score, which grows with its size, into a
/// relative error of the weight.
template <class T>
double rounding_of(std::size_t terms, double largest_score = 0.0) {
  const auto n = static_cast<double>(terms);
  const auto eps = static_cast<double>(std::numeric_limits<T>::epsilon());
  return eps * std::min(n, 8.0 * std::sqrt(n)) * (1.0 + largest_score);
}

/// Of results that went through an exponential of scores up to this size.
template <class T>
double tolerance_for(double largest_score = 0.0) {
  return std::is_same_v<T, float> ? tolerance32(largest_score) : tolerance64(largest_score);
}

/// How far a result is from what was expected.
struct Deviation {
  double absolute = 0.0;  // largest |got - expected|; infinite when NaN, infinities or the size differ
  double relative = 0.0;  // absolute / max|expected|
  double allowed = 0.0;   // tolerance * max|expected|
  bool agrees = false;    // absolute <= allowed
};

/// The differences of equal numbers (NaN equals NaN here) are 0, of a number and no number infinite.
inline double difference(double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0.0;
  if (std::isnan(got) || std::isnan(expected)) return infinity;
  return std::abs(got - expected);
}

inline Deviation deviation(const std::vector<double>& got, const std::vector<double>& expected,
                           double tolerance) {
  const double largest = largest_magnitude(expected);
  Deviation result;
  result.allowed = tolerance * largest;
  result.absolute = got.size() == expected.size() ? 0.0 : infinity;
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i) {
    result.absolute = std::max(result.absolute, difference(got[i], expected[i]));
  }
  result.relative = result.absolute == 0.0 ? 0.0 : result.absolute / largest;  // against zeros: infinite
  result.agrees = result.absolute <= result.allowed;
  return result;
}

}  // namespace attnlab
