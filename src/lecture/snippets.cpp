// What a lecturer pastes: Beamer frames, Markdown slides, captions.
#include "core/escape.hpp"
#include "lecture/built_lecture.hpp"
#include "plotting/backends/tikz/tex_text.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

/// "W_O" is a W with a subscript, as in the pictures.
std::string tex_sentence(const std::string& plain) {
  std::string tex;
  for (const SentencePart& part : sentence_parts(plain)) {
    tex += tex_text(part.text);
    if (!part.subscript.empty()) tex += "\\textsubscript{" + tex_text(part.subscript) + "}";
  }
  return tex;
}

}  // namespace

std::string slide_file(Language language, const BuiltFigure& figure, const std::string& extension) {
  return "slides/" + code_of(language) + "/" + figure.name + extension;
}

std::string lecture_beamer(const BuiltLecture& lecture) {
  std::string text;
  walk(
      lecture,
      [&](const BuiltSection& section) {
        text += fmt::format("\n\\section{{{}}}\n", tex_sentence(section.title));
      },
      [&](const BuiltFigure& figure) {
        text += fmt::format(
            "\n\\begin{{frame}}{{{}}}\n  \\centering\n  "
            "\\includegraphics[width=\\textwidth,height=0.68\\textheight,keepaspectratio]{{{}}}\n",
            tex_sentence(figure.title), slide_file(lecture.language, figure, ".pdf"));
        if (!figure.caption.empty())
          text += fmt::format("\n  {{\\footnotesize {}\\par}}\n", tex_sentence(figure.caption));
        text += "\\end{frame}\n";
      });
  const char* japanese = is_japanese(text) ? "\\usepackage{luatexja}, " : "";
  return fmt::format("% \\documentclass[aspectratio=169]{{beamer}}, {}lualatex. \\input this file.\n",
                     japanese) +
         text;
}

std::string lecture_markdown(const BuiltLecture& lecture) {
  std::string text = fmt::format("# {}\n", markdown_text(lecture.title));
  walk(
      lecture,
      [&](const BuiltSection& section) {
        text += fmt::format("\n---\n\n# {}\n", markdown_text(section.title));
      },
      [&](const BuiltFigure& figure) {
        text += fmt::format("\n---\n\n# {}\n\n![{}]({})&nbsp;\n", markdown_text(figure.title),
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
