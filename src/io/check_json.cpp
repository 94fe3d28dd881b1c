// Every field of a check under its own key.
#include "io/check_json.hpp"

#include <algorithm>

#include "io/json_values.hpp"

namespace attnlab {
namespace {

const char* name_of(Closeness closeness) {
  switch (closeness) {
    case Closeness::float64:
      return "float64";
    case Closeness::float32:
      return "float32";
    case Closeness::float16:
      return "float16";
    case Closeness::decimals:
      return "decimals";
  }
  return "";
}

Json index_of(std::size_t flat, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

Json json_diagnosis(const std::optional<Diagnosis>& diagnosis) {
  if (!diagnosis) return nullptr;
  Json json;
  json["name"] = diagnosis->name;
  json["stage"] = diagnosis->stage;
  json["text"]["ja"] = diagnosis->what.ja();
  json["text"]["en"] = diagnosis->what.en();
  return json;
}

Json json_check(const Check& check) {
  const Comparison& comparison = check.comparison;
  const bool compared = check.shape_fits;
  const bool rounded = compared && comparison.closeness == Closeness::decimals;
  Json json;
  json["file"] = check.file;
  json["array"] = check.array;
  json["stage"] = check.stage.name;
  json["chosen_by"] = check.matching == Check::Matching::by_name ? "name" : "shape";
  json["shape"] = check.given_shape;
  json["expected_shape"] = check.stage.array.shape;
  json["agrees"] = agrees(check);
  json["precision"] = compared ? Json(name_of(comparison.closeness)) : Json(nullptr);
  json["decimals"] = rounded ? Json(comparison.decimals) : Json(nullptr);
  json["largest_error"] = compared ? json_number(comparison.largest_error) : Json(nullptr);
  json["allowed"] = compared ? json_number(comparison.allowed) : Json(nullptr);
  const bool has_place = compared && !check.given.data.empty();
  json["index"] = has_place ? index_of(comparison.worst, check.stage.array.shape) : Json(nullptr);
  json["values_that_differ"] = compared ? Json(comparison.wrong) : Json(nullptr);
  json["diagnosis"] = json_diagnosis(check.diagnosis);
  return json;
}

}  // namespace

std::string check_json(const Report& report, const std::vector<Check>& checks) {
  Json json = json_head(report);
  json.erase("arrays");
  json["agrees"] = std::all_of(checks.begin(), checks.end(), agrees);
  json["checks"] = Json::array();
  for (const Check& check : checks) json["checks"].push_back(json_check(check));
  return json_text(json);
}

}  // namespace attnlab
