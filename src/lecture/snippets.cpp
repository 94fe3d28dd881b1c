// What a lecturer pastes: Beamer frames, Markdown slides, captions.
#include "core/escape.hpp"
#include "lecture/built_lecture.hpp"

namespace attnlab {
namespace {

std::string tex_text(const std::string& plain) {
  return with_words(plain, {{'#', "\\#"},
                            {'$', "\\$"},
                            {'%', "\\%"},
                            {'&', "\\&"},
                            {'_', "\\_"},
                            {'{', "\\{"},
                            {'}', "\\}"},
                            {'\\', "\\textbackslash{}"},
                            {'^', "\\textasciicircum{}"},
                            {'~', "\\textasciitilde{}"}});
}

}  // namespace

std::string slide_file(Language language, const BuiltFigure& figure, const std::string& extension) {
  return "slides/" + code_of(language) + "/" + figure.name + extension;
}

std::string markdown_text(const std::string& plain) {
  return with_backslashes(plain, "\\`*_[]<>#|");
}

std::string lecture_beamer(const BuiltLecture& lecture) {
  std::string text =
      "% \\documentclass[aspectratio=169]{beamer}, lualatex; for Japanese \\usepackage{luatexja}. \\input "
      "this file.\n";
  walk(
      lecture,
      [&](const BuiltSection& section) {
        text += fmt::format("\n\\section{{{}}}\n", tex_text(section.title));
      },
      [&](const BuiltFigure& figure) {
        text += fmt::format(
            "\n\\begin{{frame}}{{{}}}\n  \\centering\n  "
            "\\includegraphics[width=\\textwidth,height=0.68\\textheight,keepaspectratio]{{{}}}\n",
            tex_text(figure.title), slide_file(lecture.language, figure, ".pdf"));
        if (!figure.caption.empty())
          text += fmt::format("\n  {{\\footnotesize {}\\par}}\n", tex_text(figure.caption));
        text += "\\end{frame}\n";
      });
  return text;
}

std::string lecture_markdown(const BuiltLecture& lecture) {
  std::string text = fmt::format("# {}\n", markdown_text(lecture.title));
  walk(
      lecture,
      [&](const BuiltSection& section) {
        text += fmt::format("\n---\n\n# {}\n", markdown_text(section.title));
      },
      [&](const BuiltFigure& figure) {
        text += fmt::format("\n---\n\n## {}\n\n![{}]({})\n", markdown_text(figure.title),
                            markdown_text(figure.description), slide_file(lecture.language, figure, ".svg"));
        if (!figure.caption.empty()) text += "\n" + markdown_text(figure.caption) + "\n";
      });
  return text;
}

std::string lecture_captions(const BuiltLecture& lecture) {
  std::string text;
  walk(
      lecture, [](const BuiltSection&) {},
      [&](const BuiltFigure& figure) {
        text += fmt::format("{}\n{}\n{}\n\n", figure.name, figure.title, figure.caption);
      });
  return text;
}

}  // namespace attnlab
