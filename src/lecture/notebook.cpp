// The notebook's cells, in the lecture's order.
#include "lecture/notebook.hpp"

#include "core/escape.hpp"
#include "core/json.hpp"
#include "plotting/backends/backends.hpp"

namespace attnlab {
namespace {

/// Lines with their ends, as Jupyter keeps a cell.
Json source_of(const std::string& text) {
  Json lines = Json::array();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

/// Between more backticks than stand together in it.
std::string code_span(const std::string& code) {
  std::string fence = "`";
  while (code.find(fence) != std::string::npos) fence += '`';
  return fence.size() == 1 ? fence + code + fence : fence + " " + code + " " + fence;
}

class Cells {
 public:
  void add_text(const std::string& markdown, const Json& attachments = Json::object()) {
    Json cell = begun("markdown");
    if (!attachments.empty()) cell["attachments"] = attachments;
    cell["source"] = source_of(markdown);
    cells_.push_back(std::move(cell));
  }

  void add_program(const std::string& program) {
    Json cell = begun("code");
    cell["execution_count"] = nullptr;
    cell["outputs"] = Json::array();
    cell["source"] = source_of(program);
    cells_.push_back(std::move(cell));
  }

  const Json& all() const { return cells_; }

 private:
  Json begun(const std::string& type) const {
    return {{"cell_type", type}, {"id", fmt::format("cell-{}", cells_.size())}, {"metadata", Json::object()}};
  }

  Json cells_ = Json::array();
};

void add_figure_cells(const BuiltFigure& figure, Cells& cells) {
  const std::string picture = figure.name + ".png";
  std::string text = fmt::format("### {}\n\n![{}](attachment:{})\n\n", markdown_text(figure.title),
                                 markdown_text(figure.description), picture);
  if (!figure.caption.empty()) text += markdown_text(figure.caption) + "\n\n";
  cells.add_text(text + code_span(figure.command), {{picture, {{"image/png", base64(figure.slide.png)}}}});
  if (!figure.program.empty()) cells.add_program(figure.program);
}

}  // namespace

std::string lecture_notebook(const BuiltLecture& lecture) {
  Cells cells;
  cells.add_text("# " + markdown_text(lecture.title));
  walk(
      lecture, [&](const BuiltSection& section) { cells.add_text("## " + markdown_text(section.title)); },
      [&](const BuiltFigure& figure) { add_figure_cells(figure, cells); });
  const Json notebook{
      {"cells", cells.all()},
      {"metadata",
       {{"kernelspec", {{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}}},
        {"language_info", {{"name", "python"}}}}},
      {"nbformat", 4},
      {"nbformat_minor", 5}};
  return notebook.dump(1) + "\n";
}

}  // namespace attnlab
