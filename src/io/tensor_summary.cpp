#include "io/tensor_summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnlab {
namespace {

/// The sum is kept apart: long double has 64 bits of precision and no overflow.
void take_in(double value, TensorSummary& summary, long double& sum) {
  if (std::isnan(value)) {
    ++summary.nans;
  } else if (std::isinf(value)) {
    ++summary.infinities;
  } else {
    summary.smallest = summary.finite == 0 ? value : std::min(summary.smallest, value);
    summary.largest = summary.finite == 0 ? value : std::max(summary.largest, value);
    sum += value;
    ++summary.finite;
  }
}

}  // namespace

std::size_t stored_bytes(const StoredTensor& tensor) {
  return size_of(tensor) * size_of(tensor.encoding.type);
}

TensorSummary summary_of(const StoredTensor& tensor, const std::function<void(std::size_t)>& progress) {
  constexpr std::size_t block = std::size_t{1} << 16U;  // values
  const SharedBytes bytes = tensor.bytes();
  const std::size_t step = block * size_of(tensor.encoding.type);
  std::vector<double> values(std::min(block, size_of(tensor)));
  TensorSummary summary;
  long double sum = 0.0L;
  for (std::size_t begin = 0; begin < bytes.view.size(); begin += step) {
    const std::string_view part = bytes.view.substr(begin, step);
    decode(part, tensor.encoding, values.data());
    const std::size_t count = part.size() / size_of(tensor.encoding.type);
    for (std::size_t i = 0; i < count; ++i) take_in(values[i], summary, sum);
    if (progress) progress(begin + part.size());
  }
  if (summary.finite != 0) summary.mean = static_cast<double>(sum / static_cast<long double>(summary.finite));
  return summary;
}

}  // namespace attnlab
