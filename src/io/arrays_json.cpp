// The arrays of a report as JSON: flat data beside shape, axes and dtype.
#include <cmath>
#include <utility>
#include <variant>

#include "core/version.hpp"
#include "io/json_values.hpp"
#include "io/report_files.hpp"

namespace attnlab {
namespace {

constexpr int schema = 1;

Json json_array(const Array& array) {
  Json data = Json::array();
  for (const double value : array.data) data.push_back(json_number(value));
  Json json;
  json["shape"] = array.shape;
  json["axes"] = array.axes;
  json["dtype"] = array.dtype == DType::float32 ? "float32" : "float64";
  json["data"] = std::move(data);
  return json;
}

Json json_value(std::monostate) {
  return nullptr;
}
Json json_value(long long value) {
  return value;
}
Json json_value(double value) {
  return json_number(value);
}
Json json_value(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(json_number(value));
  return json;
}
Json json_value(const std::vector<std::string>& words) {
  return words;
}
Json json_value(const std::string& text) {
  return text;
}
Json json_value(bool on) {
  return on;
}

}  // namespace

Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0.0 ? "-inf" : "inf";
  return value;
}

Json json_head(const Report& report) {
  Json json;
  json["schema"] = schema;
  json["experiment"] = report.experiment;
  json["version"] = version;
  json["parameters"] = Json::object();
  for (const UsedParameter& parameter : report.parameters) {
    json["parameters"][parameter.name] =
        std::visit([](const auto& value) { return json_value(value); }, parameter.value);
  }
  json["arrays"] = Json::object();
  for (const Stage& stage : report.stages) json["arrays"][stage.name] = json_array(stage.array);
  return json;
}

std::string json_text(const Json& json) {
  constexpr int one_line = -1;
  return json.dump(one_line, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string arrays_json(const Report& report) {
  return json_text(json_head(report));
}

}  // namespace attnlab
