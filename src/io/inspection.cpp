#include "io/inspection.hpp"

#include "core/json.hpp"
#include "core/version.hpp"

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

std::size_t bytes_of_values(const StoredTensor& tensor) {
  return size_of(tensor) * size_of(tensor.encoding.type);
}

/// Whether each tensor's values are to be read.
std::vector<bool> chosen(const std::vector<StoredTensor>& tensors, Extent extent) {
  std::vector<bool> read;
  std::size_t left = quickly_read;
  for (const StoredTensor& tensor : tensors) {
    const std::size_t bytes = bytes_of_values(tensor);
    read.push_back(extent == Extent::full || bytes <= left);
    if (bytes <= left) left -= bytes;
  }
  return read;
}

Json json_tensor(const StoredTensor& tensor, const std::optional<TensorSummary>& summary) {
  const bool has_range = summary && summary->finite != 0;
  return {{"name", tensor.name},
          {"dtype", type_of(tensor)},
          {"byte_order", tensor.encoding.big_endian ? "big" : "little"},
          {"order", tensor.fortran_order ? "Fortran" : "C"},
          {"shape", tensor.shape},
          {"offset", tensor.offset},
          {"bytes", stored_bytes(tensor)},
          {"min", has_range ? Json(summary->smallest) : Json()},
          {"max", has_range ? Json(summary->largest) : Json()},
          {"mean", has_range ? Json(summary->mean) : Json()},
          {"nan", summary ? Json(summary->nans) : Json()},
          {"inf", summary ? Json(summary->infinities) : Json()}};
}

Json json_foreign(const StoredTensor& foreign) {
  Json json{{"name", foreign.name}, {"dtype", foreign.foreign->en()}};
  for (const char* key : {"byte_order", "order"}) json[key] = nullptr;
  json["shape"] = foreign.shape.empty() ? Json() : Json(foreign.shape);
  for (const char* key : {"offset", "bytes", "min", "max", "mean", "nan", "inf"}) json[key] = nullptr;
  return json;
}

}  // namespace

std::size_t stored_bytes(const StoredTensor& tensor) {
  return tensor.packing.empty() ? bytes_of_values(tensor) : tensor.packed_bytes;
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

Inspection inspect(TensorFile file, Extent extent,
                   const std::function<void(double, const std::string&)>& progress) {
  const std::vector<bool> read = chosen(file.tensors, extent);
  std::size_t all = 0;
  for (std::size_t i = 0; i < read.size(); ++i) all += read[i] ? bytes_of_values(file.tensors[i]) : 0;
  Inspection result;
  std::size_t done = 0;
  for (std::size_t i = 0; i < read.size(); ++i) {
    const StoredTensor& tensor = file.tensors[i];
    result.summaries.emplace_back();
    if (!read[i]) continue;
    result.summaries.back() = summary_of(tensor, [&](std::size_t bytes) {
      if (progress) progress(static_cast<double>(done + bytes) / static_cast<double>(all), tensor.name);
    });
    done += bytes_of_values(tensor);
  }
  result.file = std::move(file);
  return result;
}

std::string inspection_json(const Inspection& inspection) {
  Json tensors = Json::array();
  for (std::size_t i = 0; i < inspection.summaries.size(); ++i) {
    tensors.push_back(json_tensor(inspection.file.tensors[i], inspection.summaries[i]));
  }
  for (const StoredTensor& foreign : inspection.file.foreign) tensors.push_back(json_foreign(foreign));
  return json_line({{"schema", 1},
                    {"version", version},
                    {"file", inspection.file.name},
                    {"format", name_of(inspection.file.format)},
                    {"tensors", tensors}});
}

}  // namespace attnlab
