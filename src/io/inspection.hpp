// A file's tensors with what is known of their values.
#pragma once

#include "io/tensor_file.hpp"

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

/// How many bytes the file spends on it (of a zip archive once unpacked).
std::size_t stored_bytes(const StoredTensor& tensor);

/// One summary per tensor; none where the values were not read.
struct Inspection {
  TensorFile file;
  std::vector<std::optional<TensorSummary>> summaries;
};

/// `progress` is called with the share of the values that have been read, 0 to 1, and the tensor's name.
Inspection inspect(TensorFile file, Extent extent,
                   const std::function<void(double, const std::string&)>& progress = {});

/// {"schema", "version", "file", "format", "tensors": [{"name", "dtype", "byte_order", "order", "shape",
/// "offset", "bytes", "min", "max", "mean", "nan", "inf"}]}. Of values that were not read, the last five are
/// null; the first three of those also where no value is finite. Behind them stands what is foreign, by name,
/// "dtype" (in words) and shape: all else of it is null.
std::string inspection_json(const Inspection& inspection);

}  // namespace attnlab
