// What a lecturer pastes: Beamer frames, Markdown slides, captions; and checksums of files.
#include <glib.h>

#include "core/escape.hpp"
#include "core/owned.hpp"
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

/// Markdown's own marks lose their meaning.
std::string markdown_text(const std::string& plain) {
  return with_backslashes(plain, "\\`*_[]<>#|");
}

/// The figure's file with that ending, or the first there is.
std::string file_like(const BuiltFigure& figure, std::string_view ending) {
  const auto found = std::find_if(figure.files.begin(), figure.files.end(), [&](const std::string& file) {
    return file.size() > ending.size() &&
           file.compare(file.size() - ending.size(), ending.size(), ending) == 0;
  });
  if (found != figure.files.end()) return *found;
  return figure.files.empty() ? "" : figure.files.front();
}

}  // namespace

std::string lecture_beamer(const BuiltLecture& lecture) {
  std::string text =
      "% \\documentclass[aspectratio=169]{beamer}, lualatex; for Japanese \\usepackage{luatexja}. \\input "
      "this file.\n";
  for (const BuiltSection& section : lecture.sections) {
    text += fmt::format("\n\\section{{{}}}\n", tex_text(section.title));
    for (const BuiltFigure& figure : section.figures) {
      text += fmt::format(
          "\n\\begin{{frame}}{{{}}}\n  \\centering\n  "
          "\\includegraphics[width=\\textwidth,height=0.8\\textheight,keepaspectratio]{{{}}}\n  % "
          "{}\n\\end{{frame}}\n",
          tex_text(figure.title), file_like(figure, ".pdf"), figure.caption);
    }
  }
  return text;
}

std::string lecture_markdown(const BuiltLecture& lecture) {
  std::string text = fmt::format("# {}\n", markdown_text(lecture.title));
  for (const BuiltSection& section : lecture.sections) {
    text += fmt::format("\n---\n\n# {}\n", markdown_text(section.title));
    for (const BuiltFigure& figure : section.figures) {
      text += fmt::format("\n---\n\n## {}\n\n![{}]({})\n", markdown_text(figure.title),
                          markdown_text(figure.description), file_like(figure, ".svg"));
      if (figure.caption_place == CaptionPlace::beside_picture)
        text += "\n" + markdown_text(figure.caption) + "\n";
    }
  }
  return text;
}

std::string lecture_captions(const BuiltLecture& lecture) {
  std::string text;
  for (const BuiltSection& section : lecture.sections) {
    for (const BuiltFigure& figure : section.figures) {
      text += fmt::format("{}\n{}\n{}\n\n", figure.name, figure.title, figure.caption);
    }
  }
  return text;
}

std::string sha256(const std::string& bytes) {
  const auto size = static_cast<gssize>(bytes.size());
  return Owned<char, g_free>(g_compute_checksum_for_string(G_CHECKSUM_SHA256, bytes.data(), size)).get();
}

}  // namespace attnlab
