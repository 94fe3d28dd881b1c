// Compares the stages of one computation with those of one stored result.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/agreement.hpp"
#include "core/precision.hpp"
#include "core/tensor.hpp"
#include "verification/check.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {

/// The subject is "softmax float32"; the checks are kept.
template <class T>
class Comparer {
 public:
  Comparer(const std::string& subject, const StoredJson& stored, std::string detail, double largest)
      : subject_(subject + " " + dtype_name<T>),
        stored_(stored),
        detail_(std::move(detail)),
        largest_(largest) {}

  void compare(const std::string& stage, const Tensor<T>& got) {
    if (!stored_.contains(stage)) return;  // not every file holds every stage
    const StoredArray expected = stored_array(stored_.at(stage));
    Deviation found = deviation(numbers_of(got), expected.data, tolerance_for<T>(largest_));
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
  double largest_;
  std::vector<VerifyCheck> checks_;
};

}  // namespace attnlab
