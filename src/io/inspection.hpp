// A file's tensors with what is known of their values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/tensor_file.hpp"
#include "io/tensor_summary.hpp"

namespace attnlab {

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
/// null; the first three of those also where no value is finite.
std::string inspection_json(const Inspection& inspection);

}  // namespace attnlab
