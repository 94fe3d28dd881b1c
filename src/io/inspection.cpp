#include "io/inspection.hpp"

#include <algorithm>

#include "core/version.hpp"
#include "io/json_values.hpp"

namespace attnlab {
namespace {

constexpr int inspection_schema = 1;

/// Whether each tensor's values are to be read.
std::vector<bool> chosen(const std::vector<StoredTensor>& tensors, Extent extent) {
  std::vector<bool> read;
  std::size_t left = quickly_read;
  for (const StoredTensor& tensor : tensors) {
    const std::size_t bytes = stored_bytes(tensor);
    read.push_back(extent == Extent::full || bytes <= left);
    if (bytes <= left) left -= bytes;
  }
  return read;
}

Json json_tensor(const StoredTensor& tensor, const std::optional<TensorSummary>& summary) {
  const bool has_range = summary && summary->finite != 0;
  Json json;
  json["name"] = tensor.name;
  json["dtype"] = name_of(tensor.encoding.type);
  json["byte_order"] = tensor.encoding.big_endian ? "big" : "little";
  json["order"] = tensor.fortran_order ? "Fortran" : "C";
  json["shape"] = tensor.shape;
  json["offset"] = tensor.offset;
  json["bytes"] = stored_bytes(tensor);
  json["min"] = has_range ? Json(summary->smallest) : Json(nullptr);
  json["max"] = has_range ? Json(summary->largest) : Json(nullptr);
  json["mean"] = has_range ? Json(summary->mean) : Json(nullptr);
  json["nan"] = summary ? Json(summary->nans) : Json(nullptr);
  json["inf"] = summary ? Json(summary->infinities) : Json(nullptr);
  return json;
}

}  // namespace

Inspection inspect(TensorFile file, Extent extent,
                   const std::function<void(double, const std::string&)>& progress) {
  const std::vector<bool> read = chosen(file.tensors, extent);
  std::size_t all = 0;
  for (std::size_t i = 0; i < read.size(); ++i) all += read[i] ? stored_bytes(file.tensors[i]) : 0;
  Inspection result;
  std::size_t done = 0;
  for (std::size_t i = 0; i < read.size(); ++i) {
    const StoredTensor& tensor = file.tensors[i];
    result.summaries.emplace_back();
    if (!read[i]) continue;
    result.summaries.back() = summary_of(tensor, [&](std::size_t bytes) {
      if (progress) progress(static_cast<double>(done + bytes) / static_cast<double>(all), tensor.name);
    });
    done += stored_bytes(tensor);
  }
  result.file = std::move(file);
  return result;
}

std::string inspection_json(const Inspection& inspection) {
  Json json;
  json["schema"] = inspection_schema;
  json["version"] = version;
  json["file"] = inspection.file.name;
  json["format"] = name_of(inspection.file.format);
  json["tensors"] = Json::array();
  for (std::size_t i = 0; i < inspection.summaries.size(); ++i) {
    json["tensors"].push_back(json_tensor(inspection.file.tensors[i], inspection.summaries[i]));
  }
  return json_text(json);
}

}  // namespace attnlab
