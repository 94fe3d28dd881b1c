// Sets rows in three columns, of which the last is wrapped.
#include "products/cheat_sheet.hpp"

#include "plotting/layout/sheet.hpp"

namespace attnlab {
namespace {

const PageSize a4{210.0 / 25.4, 297.0 / 25.4};  // inches

// Points.
constexpr double edge = 34.0;
constexpr double column_gap = 12.0;
constexpr double title_size = 17.0;
constexpr double heading_size = 10.0;
constexpr double body_size = 7.6;
constexpr double hairline = 0.5;
constexpr double widest_pitch = 15.0;

// In lines of the body.
constexpr double title_lines = 2.6;
constexpr double heading_lines = 2.2;

bool has_superscript(const Formula& formula) {
  return formula.kind == Formula::Kind::sup ||
         std::any_of(formula.parts.begin(), formula.parts.end(), has_superscript);
}

/// By how much a formula's baseline lies lower in its line than plain text's: a superscript makes the line
/// higher.
double drop_of(const Formula& formula) {
  if (!has_superscript(formula)) return 0.0;
  const Formula risen = formula::sup(formula::sym("K"), formula::sym("T"));
  return measure(to_markup(risen, body_size), body_size).height - line_height(body_size);
}

/// What is typed, letter by letter: Inter would make a × of the x in 16x9.
Words typed_words(const std::string& typed, Sheet& sheet) {
  Words words = sheet.words(typed, body_size, Weight::bold);
  words.markup = "<span font_features=\"calt=0\">" + words.markup + "</span>";
  words.colour = sheet.style().series.front();
  return words;
}

/// A section with the left edges of its second and third column, the third in lines.
struct SetSection {
  const CheatSection& section;
  double formula = edge;
  double does = edge;
  std::vector<std::vector<std::string>> lines = {};

  double height() const {
    double sum = heading_lines;
    for (const auto& row : lines) sum += static_cast<double>(row.size());
    return sum;
  }
};

SetSection set_section(const CheatSection& section, double right) {
  double typed = 0.0;
  double formula = 0.0;
  for (const CheatRow& row : section.rows) {
    typed = std::max(typed, text_width(row.typed, body_size, Weight::bold));
    formula = std::max(formula, measure(to_markup(row.formula, body_size), body_size).width);
  }
  SetSection one{section};
  one.formula = edge + typed + column_gap;
  one.does = one.formula + (formula > 0.0 ? formula + column_gap : 0.0);
  for (const CheatRow& row : section.rows)
    one.lines.push_back(wrap(row.does, body_size, Weight::regular, right - one.does));
  return one;
}

/// The section below `y`; returns where the next one begins.
double add_section(const SetSection& one, double y, double pitch, Sheet& sheet) {
  const auto put = [&](const Words& words, double x, double top) {
    sheet.add_words("text", words, {{x, top}, AlignX::left, AlignY::top});
  };
  const double rule = y + (heading_lines - 0.3) * pitch;
  put(sheet.words(one.section.title, heading_size, Weight::bold), edge,
      rule - 1.3 * line_height(heading_size));
  sheet.add("rule", Path::line({{edge, rule}, {sheet.width() - edge, rule}}, sheet.style().muted, hairline));
  y += heading_lines * pitch;
  for (std::size_t i = 0; i < one.lines.size(); ++i) {
    const CheatRow& row = one.section.rows[i];
    put(typed_words(row.typed, sheet), edge, y);
    put(sheet.set_markup(to_markup(row.formula, body_size), body_size), one.formula,
        y - drop_of(row.formula));
    for (const std::string& line : one.lines[i]) {
      put(sheet.words(line, body_size), one.does, y);
      y += pitch;
    }
  }
  return y;
}

}  // namespace

Page cheat_sheet(const std::vector<CheatSection>& sections, const Metadata& about, const Look& look) {
  Sheet sheet(a4, style_for(look.theme, measures_of(a4)), look.language);
  std::vector<SetSection> set;
  double lines = title_lines;
  for (const CheatSection& section : sections) {
    set.push_back(set_section(section, sheet.width() - edge));
    lines += set.back().height();
  }
  const double pitch = std::min(widest_pitch, (sheet.height() - 2.0 * edge) / lines);
  sheet.add_words("title", sheet.words(about.title, title_size, Weight::bold),
                  {{edge, edge}, AlignX::left, AlignY::top});
  double y = edge + title_lines * pitch;
  for (const SetSection& one : set) y = add_section(one, y, pitch, sheet);
  return {sheet.take_list(), about};
}

}  // namespace attnlab
