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

}  // namespace

std::string report_json(const Report& report, const std::vector<std::filesystem::path>& figures) {
  Json json = json_head(report);
  json["scalars"] = Json::object();
  for (const Scalar& scalar : report.scalars) json["scalars"][scalar.name] = json_number(scalar.value);
  json["figures"] = Json::array();
  for (const std::filesystem::path& figure : figures) json["figures"].push_back(figure.string());
  json["notes"] = notes_of(report);
  return json_text(json);
}

}  // namespace attnlab
