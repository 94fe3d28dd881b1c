// Compares the stages of one computation with those of one stored result.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/precision.hpp"
#include "core/tensor.hpp"
#include "verification/check.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {

/// The tolerance of stages that follow from one another: it grows with the terms of their sums and with the
/// largest score.
template <class T>
double tolerance_of_chain(const StoredJson& stages, double largest_score) {
  return std::max(tolerance_for<T>(largest_score), rounding_of<T>(summed_terms(stages), largest_score));
}

/// The subject is "softmax float32"; the checks are kept.
template <class T>
class Comparer {
 public:
  Comparer(const std::string& subject, const StoredJson& stored, std::string detail, double tolerance)
      : subject_(subject + " " + dtype_name<T>),
        stored_(stored),
        detail_(std::move(detail)),
        tolerance_(tolerance) {}

  void compare(const std::string& stage, const Tensor<T>& got) {
    if (!stored_.contains(stage)) return;  // not every file holds every stage
    const StoredArray expected = stored_array(stored_.at(stage));
    Deviation found = deviation(numbers_of(got), expected.data, tolerance_);
    if (!std::equal(got.shape().begin(), got.shape().end(), expected.shape.begin(), expected.shape.end())) {
      found = {infinity, infinity, found.allowed, false};
    }
    checks_.push_back(check_of(Section::functions, subject_, stage, Text::same(detail_), found));
  }

  /// Throws when the file holds a result that nothing was compared with.
  std::vector<VerifyCheck> all_compared() const {
    if (checks_.size() != stored_.size()) throw std::runtime_error(detail_ + ": stages without a comparison");
    return checks_;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  std::string subject_;
  const StoredJson& stored_;
  std::string detail_;
  double tolerance_;
  std::vector<VerifyCheck> checks_;
};

}  // namespace attnlab
