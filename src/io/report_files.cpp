// A report as JSON (arrays with flat data beside shape, axes and dtype; single numbers, figure files and
// sentences) or as CSV in long form, one value per line; the outcome of a check as JSON.
#include "io/report_files.hpp"
#include "core/json.hpp"
#include "core/version.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

constexpr int schema = 1;

Json json_value(std::monostate) { return nullptr; }
Json json_value(double value) { return json_number(value); }
Json json_value(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(json_number(value));
  return json;
}
template <class Value>
Json json_value(const Value& value) {
  return value;
}

Json json_array(const Array& array) {
  return {{"shape", array.shape},
          {"axes", array.axes},
          {"dtype", array.dtype == DType::float32 ? "float32" : "float64"},
          {"data", json_value(array.data)}};
}

/// What all files begin with: {"schema", "experiment", "version", "parameters"}.
Json json_head(const Report& report) {
  Json json = {{"schema", schema},
               {"experiment", report.experiment},
               {"version", version},
               {"parameters", Json::object()}};
  for (const UsedParameter& parameter : report.parameters) {
    json["parameters"][parameter.name] =
        std::visit([](const auto& value) { return json_value(value); }, parameter.value);
  }
  return json;
}

Json with_arrays(const Report& report) {
  Json json = json_head(report);
  json["arrays"] = Json::object();
  for (const Stage& stage : report.stages) json["arrays"][stage.name] = json_array(stage.array);
  return json;
}

Json notes_of(const Report& report) {
  Json notes = Json::array();
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph == nullptr || paragraph->role == Role::heading || paragraph->role == Role::text) continue;
    notes.push_back(paragraph->text);
  }
  return notes;
}

Json json_of(const Chain& chain) {
  std::string line = to_terminal(chain.left);
  std::string latex = to_latex(chain.left);
  for (const Chain::Link& link : chain.links) {
    line += ' ' + link.relation + ' ' + to_terminal(link.right);
    latex += ' ' + to_latex(formula::sym(link.relation)) + ' ' + to_latex(link.right);
  }
  return {{"formula", line}, {"latex", latex}};
}

Json json_of(const Explanation& explanation) {
  Json steps = Json::array();
  for (const ExplanationStep& step : explanation.steps) {
    Json lines = Json::array();
    for (const std::variant<Text, Chain>& line : step.lines) {
      const auto* chain = std::get_if<Chain>(&line);
      lines.push_back(chain != nullptr ? json_of(*chain) : Json{{"text", std::get<Text>(line)}});
    }
    steps.push_back({{"title", step.title}, {"lines", lines}});
  }
  return steps;
}

// --- A check

const char* name_of(Closeness closeness) {
  constexpr std::array<const char*, 7> names{"float64", "float32",         "float16",         "decimals",
                                             "digits",  "rounded_float16", "rounded_bfloat16"};
  return names.at(static_cast<std::size_t>(closeness));
}

Json json_diagnosis(const Diagnosis& diagnosis) {
  return {{"name", diagnosis.name}, {"stage", diagnosis.stage}, {"text", diagnosis.what}};
}

Json json_check(const Check& check) {
  const Comparison& comparison = check.comparison;
  const bool compared = check.shape_fits;
  const bool rounded =
      compared && (comparison.closeness == Closeness::decimals || comparison.closeness == Closeness::digits);
  const bool has_place = compared && !check.submitted.data.empty();
  return {
      {"file", check.file},
      {"array", check.array},
      {"stage", check.stage.name},
      {"chosen_by", check.matching == Check::Matching::by_name ? "name" : "shape"},
      {"shape", check.submitted_shape},
      {"expected_shape", check.stage.array.shape},
      {"agrees", agrees(check)},
      {"precision", compared ? Json(name_of(comparison.closeness)) : Json()},
      {"decimals", rounded ? Json(comparison.decimals) : Json()},
      {"largest_error", compared ? json_number(comparison.largest_error) : Json()},
      {"allowed", compared ? json_number(comparison.allowed) : Json()},
      {"index", has_place ? Json(index_at(comparison.worst, check.stage.array.shape)) : Json()},
      {"values_that_differ", compared ? Json(comparison.wrong) : Json()},
      {"diagnosis", check.diagnosis ? json_diagnosis(*check.diagnosis) : Json()},
  };
}

}  // namespace

std::string arrays_json(const Report& report) { return json_line(with_arrays(report)); }

std::string report_json(const Report& report, const std::vector<std::filesystem::path>& figures,
                        const std::optional<Explanation>& explanation) {
  Json json = with_arrays(report);
  json["scalars"] = Json::object();
  for (const Scalar& scalar : report.scalars) json["scalars"][scalar.name] = json_number(scalar.value);
  json["figures"] = Json::array();
  for (const std::filesystem::path& figure : figures) json["figures"].push_back(figure.string());
  json["notes"] = notes_of(report);
  if (explanation) json["explanation"] = json_of(*explanation);
  return json_line(json);
}

std::string check_json(const Report& report, const std::vector<Check>& checks) {
  Json json = json_head(report);
  json["agrees"] = std::all_of(checks.begin(), checks.end(), agrees);
  json["checks"] = Json::array();
  for (const Check& check : checks) json["checks"].push_back(json_check(check));
  return json_line(json);
}

std::string arrays_csv(const Report& report) {
  std::string text = "array,indices,value\n";
  for (const Stage& stage : report.stages) {
    for (std::size_t i = 0; i < stage.array.data.size(); ++i) {
      const double value = stage.array.data[i];
      text += fmt::format("{},{},{}\n", stage.name, joined(index_at(i, stage.array.shape), " "),
                          std::isnan(value) ? std::abs(value) : value);  // fmt would write "-nan"
    }
  }
  return text;
}

}  // namespace attnlab
