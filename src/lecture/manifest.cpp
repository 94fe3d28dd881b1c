// Reads a lecture's manifest with toml++, and names the line of whatever is wrong with it.
#include "core/utf8.hpp"
#include "lecture/manifest_nodes.hpp"

namespace attnlab {
namespace {

struct OutputName {
  LectureOutput output;
  std::string_view name;
};
constexpr std::array<OutputName, 9> output_names{{{LectureOutput::figures, "figures"},
                                                  {LectureOutput::html, "html"},
                                                  {LectureOutput::captions, "captions"},
                                                  {LectureOutput::beamer, "beamer"},
                                                  {LectureOutput::markdown, "markdown"},
                                                  {LectureOutput::pptx, "pptx"},
                                                  {LectureOutput::notebook, "notebook"},
                                                  {LectureOutput::data, "data"},
                                                  {LectureOutput::code, "code"}}};
constexpr std::array<std::string_view, 3> format_names{"svg", "pdf", "png"};

/// Turns TOML nodes into a lecture; knows the file's name, for messages.
std::vector<Language> languages_of(const ManifestNodes& nodes, const toml::table& table) {
  std::vector<Language> found;
  for (const std::string& name : nodes.choices(table, "languages", {"ja", "en"}))
    found.push_back(language_named(name).value());
  return found.empty() ? std::vector{Language::ja, Language::en} : found;
}

std::vector<std::string> formats_of(const ManifestNodes& nodes, const toml::table& table) {
  const std::vector<std::string> found =
      nodes.choices(table, "formats", {format_names.begin(), format_names.end()});
  return found.empty() ? std::vector<std::string>{"svg", "pdf"} : found;
}

std::vector<LectureOutput> outputs_of(const ManifestNodes& nodes, const toml::table& table) {
  ManifestKeys known;
  for (const OutputName& output : output_names) known.push_back(output.name);
  const std::vector<std::string> chosen = nodes.choices(table, "outputs", known);
  std::vector<LectureOutput> found;
  for (const OutputName& output : output_names) {
    const bool wanted = std::find(chosen.begin(), chosen.end(), output.name) != chosen.end();
    const bool by_itself = chosen.empty() && output.output != LectureOutput::code;
    if (by_itself || wanted) found.push_back(output.output);
  }
  return found;
}

Lecture lecture_of(const ManifestNodes& nodes, const toml::table& root) {
  nodes.check_keys(root, {"title", "languages", "formats", "outputs", "look", "section"});
  Lecture lecture;
  lecture.title = nodes.text(root, "title");
  lecture.languages = languages_of(nodes, root);
  lecture.formats = formats_of(nodes, root);
  lecture.outputs = outputs_of(nodes, root);
  lecture.look = nodes.flags(root, "look");
  if (const toml::node* look = root.get("look")) lecture.look_line = look->source().begin.line;
  for (const toml::table* section : nodes.tables(root, "section"))
    lecture.sections.push_back(read_section(nodes, *section));
  if (lecture.sections.empty()) {
    nodes.refuse(root, {"図が 1 つもありません", "the lecture has no figures"},
                 {"[[section]] と [[section.figure]] を書いてください",
                  "write a [[section]] with a [[section.figure]]"});
  }
  return lecture;
}

}  // namespace

Lecture parse_lecture(std::string_view toml, const std::filesystem::path& file) {
  const ManifestNodes nodes(printable(file.string()));
  nodes.check_depth(toml);
  try {
    Lecture lecture = lecture_of(nodes, toml::parse(toml, file.string()));
    lecture.folder = file.parent_path();
    return lecture;
  } catch (const toml::parse_error& error) {
    nodes.refuse_syntax(error);
  }
}

}  // namespace attnlab
