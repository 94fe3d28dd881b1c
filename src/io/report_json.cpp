// The whole report as the --json object: arrays, single numbers, figure files and sentences.
#include <variant>

#include "io/json_values.hpp"
#include "io/report_files.hpp"

namespace attnlab {
namespace {

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
