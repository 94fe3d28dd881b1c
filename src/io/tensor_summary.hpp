// What `attnlab inspect` tells of a tensor's values.
#pragma once

#include <cstddef>
#include <functional>

#include "io/stored_tensor.hpp"

namespace attnlab {

/// Whether every value is read, or only those of the tensors that fit, one after another, into
/// `quickly_read` bytes.
enum class Extent { quick, full };

constexpr std::size_t quickly_read = std::size_t{64} << 20U;

struct TensorSummary {
  std::size_t finite = 0;
  std::size_t nans = 0;
  std::size_t infinities = 0;
  // Of the finite values; 0 when there are none.
  double smallest = 0.0;
  double largest = 0.0;
  double mean = 0.0;
};

/// Reads the values once, a block at a time. `progress` is called with how many of its bytes are done.
TensorSummary summary_of(const StoredTensor& tensor, const std::function<void(std::size_t)>& progress = {});

/// How many bytes the file spends on it (once unpacked).
std::size_t stored_bytes(const StoredTensor& tensor);

}  // namespace attnlab
