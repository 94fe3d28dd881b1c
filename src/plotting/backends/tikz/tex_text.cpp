#include "plotting/backends/tikz/tex_text.hpp"

#include <glib.h>

#include <algorithm>
#include <array>

#include "core/formula.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

struct Escape {
  char character;
  std::string_view tex;
};

// The characters that TeX gives a meaning, and those that its fonts turn into others (' into ’).
constexpr std::array<Escape, 16> escapes{{{'\\', "\\textbackslash{}"},
                                          {'{', "\\{"},
                                          {'}', "\\}"},
                                          {'$', "\\$"},
                                          {'&', "\\&"},
                                          {'#', "\\#"},
                                          {'%', "\\%"},
                                          {'_', "\\_"},
                                          {'^', "\\textasciicircum{}"},
                                          {'~', "\\textasciitilde{}"},
                                          {'<', "\\textless{}"},
                                          {'>', "\\textgreater{}"},
                                          {'|', "\\textbar{}"},
                                          {'"', "\\textquotedbl{}"},
                                          {'\'', "\\textquotesingle{}"},
                                          {'`', "\\textasciigrave{}"}}};

std::string tex_ascii(char character) {
  const auto* found = std::find_if(escapes.begin(), escapes.end(),
                                   [character](const Escape& e) { return e.character == character; });
  return found == escapes.end() ? std::string(1, character) : std::string(found->tex);
}

/// A sign that a formula knows in TeX's mathematics; any other character is left to the font.
std::string tex_sign(const std::string& character) {
  const std::string latex = to_latex(formula::sym(character));
  const bool is_text = latex.empty() || latex.rfind("\\text", 0) == 0;
  return is_text ? character : "$" + latex + "$";
}

// --- Runs --------------------------------------------------------------------------------------------------

enum class Height { line, raised, lowered };

Height height_of(const TextRun& run) {
  if (run.rise == 0.0) return Height::line;
  return run.rise > 0.0 ? Height::raised : Height::lowered;
}

constexpr std::string_view root = "√";

using Runs = std::vector<TextRun>::const_iterator;

/// Neighbours of one height share one script.
std::string tex_scripts(Runs begin, Runs end) {
  std::string tex;
  while (begin != end) {
    const Height height = height_of(*begin);
    std::string text;
    for (; begin != end && height_of(*begin) == height; ++begin) text += begin->text;
    const std::string set = tex_text(text);
    tex += height == Height::line     ? set
           : height == Height::raised ? "\\textsuperscript{" + set + "}"
                                      : "\\textsubscript{" + set + "}";
  }
  return tex;
}

}  // namespace

std::string tex_text(const std::string& plain) {
  std::string tex;
  char32_t previous = U'.';
  for (const char32_t character : decode_utf8(plain).value_or(U"?")) {
    if (character == U' ') {
      tex += previous == U' ' ? "\\ " : " ";  // TeX would make one space of several
    } else if (character >= 0x80) {
      tex += tex_sign(encode_utf8(character));
    } else {
      const bool joins = character == previous && (character == U'-' || character == U',');
      tex += (joins ? "\\mbox{}" : "") + tex_ascii(static_cast<char>(character));
    }
    previous = character;
  }
  return tex;
}

std::string tex_text(const std::vector<TextRun>& runs) {
  std::string tex;
  for (auto begin = runs.begin(); begin != runs.end();) {
    auto end = std::find_if(begin, runs.end(), [](const TextRun& run) { return run.bar.has_value(); });
    std::vector<TextRun> before(begin, end);
    begin = std::find_if(end, runs.end(), [](const TextRun& run) { return !run.bar.has_value(); });
    if (!before.empty() && end != begin &&
        g_str_has_suffix(before.back().text.c_str(), root.data()) != FALSE) {
      before.back().text.erase(before.back().text.size() - root.size());
      if (before.back().text.empty()) before.pop_back();
      tex += tex_scripts(before.begin(), before.end()) + "$\\sqrt{\\mbox{" + tex_scripts(end, begin) + "}}$";
    } else {
      tex += tex_scripts(before.begin(), before.end()) + tex_scripts(end, begin);
    }
  }
  return tex;
}

bool is_japanese(const std::string& plain) {
  const std::u32string characters = decode_utf8(plain).value_or(U"");
  return std::any_of(characters.begin(), characters.end(), [](char32_t c) {
    return (c >= 0x2e80 && c < 0xa000) || (c >= 0xf900 && c < 0xfb00) || (c >= 0xfe30 && c < 0xfff0) ||
           c >= 0x20000;
  });
}

}  // namespace attnlab
