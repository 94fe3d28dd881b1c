// A report as JSON: arrays with flat data beside shape, axes and dtype; single numbers, figure files and
// sentences.
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

bool is_note(const Paragraph& paragraph) {
  return paragraph.role == Role::say || paragraph.role == Role::misunderstanding ||
         paragraph.role == Role::note;
}

Json notes_of(const Report& report) {
  Json notes = Json::array();
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph == nullptr || !is_note(*paragraph)) continue;
    Json note;
    note["ja"] = paragraph->text.ja();
    note["en"] = paragraph->text.en();
    notes.push_back(note);
  }
  return notes;
}

Json json_of(const Text& text) {
  Json json;
  json["ja"] = text.ja();
  json["en"] = text.en();
  return json;
}

Json json_of(const Chain& chain) {
  std::string line = to_terminal(chain.left);
  std::string latex = to_latex(chain.left);
  for (const Chain::Link& link : chain.links) {
    line += ' ' + link.relation + ' ' + to_terminal(link.right);
    latex += ' ' + to_latex(formula::sym(link.relation)) + ' ' + to_latex(link.right);
  }
  Json json;
  json["formula"] = line;
  json["latex"] = latex;
  return json;
}

Json json_line(const std::variant<Text, Chain>& line) {
  if (const auto* chain = std::get_if<Chain>(&line)) return json_of(*chain);
  Json json;
  json["text"] = json_of(std::get<Text>(line));
  return json;
}

Json json_of(const Explanation& explanation) {
  Json steps = Json::array();
  for (const ExplanationStep& step : explanation.steps) {
    Json json;
    json["title"] = json_of(step.title);
    json["lines"] = Json::array();
    for (const std::variant<Text, Chain>& line : step.lines) json["lines"].push_back(json_line(line));
    steps.push_back(json);
  }
  return steps;
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

std::string report_json(const Report& report, const std::vector<std::filesystem::path>& figures,
                        const std::optional<Explanation>& explanation) {
  Json json = json_head(report);
  json["scalars"] = Json::object();
  for (const Scalar& scalar : report.scalars) json["scalars"][scalar.name] = json_number(scalar.value);
  json["figures"] = Json::array();
  for (const std::filesystem::path& figure : figures) json["figures"].push_back(figure.string());
  json["notes"] = notes_of(report);
  if (explanation) json["explanation"] = json_of(*explanation);
  return json_text(json);
}

}  // namespace attnlab
