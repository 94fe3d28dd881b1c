// TikZ: shapes where the layout puts them, labels typeset by TeX.
#include <glib.h>

#include "core/utf8.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/backends/tikz/tex_text.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/text/text_runs.hpp"

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

std::string place(const Position& at) { return "(" + length_text(at.x) + "," + length_text(at.y) + ")"; }

std::string rectangle(const Box& box) {
  return place({box.x, box.y}) + " rectangle " + place({box.x + box.width, box.y + box.height});
}

std::string points(double length) { return length_text(length) + "bp"; }

std::string hex(const Colour& colour) { return fmt::format("{:06X}", to_hex(colour)); }

/// TeX reads lines of some length: a new one after so many points.
constexpr std::size_t points_per_line = 8;

const char* anchor_of(AlignX align) {
  if (align == AlignX::centre) return "base";
  return align == AlignX::left ? "base west" : "base east";
}

/// What the figure needs of TeX beyond TikZ.
struct Needs {
  bool japanese = false;
  bool halos = false;
};

class TikzPainter {
 public:
  void draw(const Item& item) {
    id_ = item.id;
    std::visit(*this, item.shape);
  }

  void operator()(const FilledBox& filled) {
    const Box& box = filled.box;
    if (filled.opacity < 1.0) {
      return add(fmt::format("\\path[fill={},fill opacity={:.3g}] {};", colour(filled.fill), filled.opacity,
                             rectangle(box)));
    }
    add(fmt::format("\\cell{{{}}}{}{}", colour(filled.fill), place({box.x, box.y}),
                    place({box.x + box.width, box.y + box.height})));
  }

  void operator()(const Path& path) {
    std::string data;
    for (std::size_t i = 0; i < path.points.size(); ++i) {
      data += i == 0 ? "" : i % points_per_line == 0 ? "\n  -- " : " -- ";
      data += place(path.points[i]);
    }
    if (path.closed) data += " -- cycle";
    const std::string drawn =
        fmt::format("\\path[{}{}] {};", inks(path.fill, path.stroke, path.width), dashes(path), data);
    add(path.clip
            ? fmt::format("\\begin{{scope}}\\clip {};\n{}\n\\end{{scope}}", rectangle(*path.clip), drawn)
            : drawn);
  }

  void operator()(const Disc& disc) {
    add(fmt::format("\\path[{}] {} circle[radius={}];", inks(disc.fill, disc.stroke, disc.width),
                    place(disc.centre), points(disc.radius)));
  }

  // One image inside the page instead of a rectangle per pixel, which would exceed TeX's memory. PDF's y
  // points up, and its images fill the unit square.
  void operator()(const Raster& raster) {
    body_ += fmt::format(
        "\\csname pgfsys@invoke\\endcsname{{q {:.2f} 0 0 {:.2f} {:.2f} {:.2f} cm BI /W {} /H {} /CS /RGB /BPC 8 /F /AHx ID",
        raster.box.width, raster.box.height, raster.box.x, -raster.box.y - raster.box.height, raster.columns,
        raster.rows);
    constexpr std::size_t pixels_per_line = 16;
    for (std::size_t i = 0; i < raster.pixels.size(); ++i) {
      body_ += (i % pixels_per_line == 0 ? "\n" : "") + hex(raster.pixels[i]);
    }
    add(">\nEI Q}");
  }

  void operator()(const Label& label) {
    const RunsOfLabel runs = runs_of(label);
    std::string text = tex_text(runs.runs);
    if (label.weight == Weight::bold) text = "\\bfseries\\boldmath{}" + text;
    if (label.halo) {
      text = fmt::format("\\haloed{{{}}}{{{}}}{{{}}}", colour(*label.halo), points(label.size * halo_width),
                         text);
      needs_.halos = true;
    }
    for (const TextRun& run : runs.runs) needs_.japanese = needs_.japanese || is_japanese(run.text);
    const std::string turn = label.angle == 0.0 ? "" : fmt::format(",rotate={}", length_text(-label.angle));
    add(fmt::format("\\lettering[{},anchor={}{}]{{{}}}{{{}}}{{{}}}{{{}}};", colour(label.colour),
                    anchor_of(label.align), turn, place(on_baseline(label, runs, share(label.align))),
                    points(runs.width), points(label.size), text));
  }

  /// The name of a colour, defined once.
  std::string colour(const Colour& colour) {
    const std::string digits = hex(colour);
    if (known_.insert(digits).second) {
      definitions_ += fmt::format("\\definecolor{{c{0}}}{{HTML}}{{{0}}}\n", digits);
    }
    return "c" + digits;
  }

  const std::string& definitions() const { return definitions_; }
  const std::string& body() const { return body_; }
  Needs needs() const { return needs_; }

 private:
  void add(const std::string& command) { body_ += command + " % " + id_ + "\n"; }

  std::string inks(const std::optional<Colour>& fill, const std::optional<Colour>& stroke, double width) {
    std::string options;
    if (fill) options = "fill=" + colour(*fill);
    if (!stroke) return options;
    return options + (options.empty() ? "" : ",") +
           fmt::format("draw={},line width={}", colour(*stroke), points(width));
  }

  /// Lengths alternate between on and off; an odd list is run through twice.
  static std::string dashes(const Path& path) {
    if (path.dashes.empty()) return "";
    std::string pattern = ",dash pattern=";
    const std::size_t count = path.dashes.size() * (path.dashes.size() % 2 + 1);
    for (std::size_t i = 0; i < count; ++i) {
      pattern += (i % 2 == 0 ? "on " : "off ") + points(path.dashes[i % path.dashes.size()]) + " ";
    }
    return pattern;
  }

  std::string id_;
  std::string definitions_;
  std::string body_;
  std::set<std::string> known_;
  Needs needs_;
};

/// A comment of one line.
std::string comment(const std::string& text) {
  std::string line = "% ";
  for (const char32_t character : decode_utf8(text).value_or(U"")) {
    line += is_control(character) ? " " : encode_utf8(character);
  }
  return line + "\n";
}

std::string packages(Needs needs) {
  std::string lines = "\\usepackage{tikz}\n";
  if (needs.japanese) lines += "\\usepackage{luatexja}\n";
  if (needs.halos) lines += "\\usepackage{pdfrender}\n";
  return lines;
}

// Beneath TikZ's own \fill, which takes seven times as long: a map has thousands of cells.
constexpr const char* cell =
    "\\def\\cell#1(#2,#3)(#4,#5){% colour, two corners\n"
    "  \\pgfsetfillcolor{#1}\\pgfpathrectanglecorners{\\pgfqpoint{#2bp}{-#3bp}}{\\pgfqpoint{#4bp}{-#5bp}}%\n"
    "  \\pgfusepath{fill}}\n";

// A text wider than the layout has room for is made narrower, so that no font breaks the layout.
constexpr const char* lettering =
    "\\newcommand\\lettering[5][]{% options, place of the baseline, width, size, text\n"
    "  \\node[inner sep=0pt,outer sep=0pt,#1] at #2 {\\fontsize{#4}{#4}\\selectfont\\sbox0{#5}%\n"
    "    \\ifdim\\wd0>#3\\resizebox{#3}{\\height}{\\usebox0}\\else\\usebox0\\fi}}\n";

// A rim behind the letters.
constexpr const char* haloed =
    "\\newcommand\\haloed[3]{% colour, width, text\n"
    "  \\rlap{\\textpdfrender{TextRenderingMode=Stroke,StrokeColor=#1,LineWidth=#2,LineJoinStyle=Round}{#3}}#3}\n";

std::string picture_of(const DisplayList& list, TikzPainter& painter) {
  const std::string paper = painter.colour(list.background);
  for (const Item& item : list.items) painter.draw(item);
  const std::string whole = rectangle({0.0, 0.0, list.width, list.height});
  return fmt::format(
      "\\begin{{tikzpicture}}[x=1bp,y=-1bp,line join=round]\n{}{}{}{}\\useasboundingbox {};\n\\fill[{}] {};\n{}\\end{{tikzpicture}}%\n",
      cell, lettering, painter.needs().halos ? haloed : "", painter.definitions(), whole, paper, whole,
      painter.body());
}

/// Sans serif in both scripts, and mathematics in every size.
std::string preamble(Needs needs) {
  const char* gothic =
      "\\renewcommand\\kanjifamilydefault{\\gtdefault}\n"
      "\\DeclareFontShape{JY3}{gt}{m}{n}{<->file:HaranoAjiGothic-Regular.otf:jfm=ujis}{}\n"
      "\\DeclareFontShape{JY3}{gt}{b}{n}{<->file:HaranoAjiGothic-Bold.otf:jfm=ujis}{}\n"
      "\\DeclareFontShape{JY3}{gt}{bx}{n}{<->ssub*gt/b/n}{}\n";
  return fmt::format(
      "\\documentclass[border=0pt,tikz]{{standalone}}\n{}\\usepackage{{lmodern}}\n"
      "\\renewcommand\\familydefault{{\\sfdefault}}\n{}",
      packages(needs), needs.japanese ? gothic : "");
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

std::string paint_tikz(const Page& page, TexExtent extent) {
  TikzPainter painter;
  const std::string picture = picture_of(page.list, painter);
  const std::string about = comment(page.metadata.title) + comment(page.metadata.command);
  if (extent == TexExtent::document) {
    return about + preamble(painter.needs()) + "\\begin{document}\n" + picture + "\\end{document}\n";
  }
  std::string needed = packages(painter.needs());
  for (std::size_t at = needed.find('\n'); at + 1 < needed.size(); at = needed.find('\n', at + 1)) {
    needed.replace(at, 1, " ");
  }
  return about + "% For \\input in a document for lualatex with " + needed + picture;
}

}  // namespace attnlab
