#include "plotting/svg_labels.hpp"

#include <fmt/format.h>

#include <cmath>

#include "plotting/length_text.hpp"
#include "plotting/text/text_measure.hpp"
#include "plotting/text/text_runs.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

/// A number of few digits that a coordinate system is scaled by.
std::string factor(double value) {
  const std::string text = fmt::format("{:.4g}", value);
  return text.compare(0, 2, "0.") == 0 ? text.substr(1) : text;
}

std::string attribute(const char* name, double value) {
  const std::string number = length_text(value);
  return number == "0" ? "" : fmt::format(" {}=\"{}\"", name, number);
}

/// The label's letters with their rim behind them. Not by paint-order, which not every program knows: there
/// the rim would cover the letters.
std::string with_halo(const Label& label, double unit, const std::string& letters, const std::string& name) {
  return fmt::format("<use xlink:href=\"#{}\" stroke=\"{}\" stroke-width=\"{}\"/>{}", name,
                     svg_colour(*label.halo), length_text(halo_width * unit), letters);
}

// --- Outlines ----------------------------------------------------------------------------------------------

std::string use_of(const PlacedGlyph& glyph, SvgDefinitions& definitions) {
  const std::string name = definitions.outline(glyph.outline);
  if (glyph.scale == 1.0) {
    return fmt::format("<use xlink:href=\"#{}\"{}{}/>", name, attribute("x", std::round(glyph.x)),
                       attribute("y", std::round(glyph.y)));
  }
  return fmt::format("<use xlink:href=\"#{}\" transform=\"translate({:.0f} {:.0f}) scale({})\"/>", name,
                     glyph.x, glyph.y, factor(glyph.scale));
}

/// The line over what stands under a root.
std::string bar_of(const TextRun& run, const RunsOfLabel& runs, const Label& label) {
  if (!run.bar) return "";
  const double units = units_per_size / label.size;
  return fmt::format("<path d=\"M{:.0f} {:.0f}h{:.0f}v{:.0f}h-{:.0f}z\"/>", run.bar->x * units,
                     (run.bar->y - runs.baseline) * units, run.bar->width * units, run.bar->height * units,
                     run.bar->width * units);
}

// --- Text --------------------------------------------------------------------------------------------------

const char* anchor_of(AlignX align) {
  switch (align) {
    case AlignX::left:
      return "";
    case AlignX::centre:
      return " text-anchor=\"middle\"";
    case AlignX::right:
      return " text-anchor=\"end\"";
  }
  return "";
}

std::string length_of(const TextRun& run) {
  return fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", length_text(run.width));
}

/// Runs after each other; `origin` is where the first begins.
std::string spans_of(const RunsOfLabel& runs, const Label& label, Position origin) {
  std::string spans;
  double baseline = runs.baseline;
  for (const TextRun& run : runs.runs) {
    if (run.text.front() == ' ') {  // what follows has its own place
      spans += run.text;
      continue;
    }
    const bool is_script = std::abs(run.size - label.size) > 0.01;
    spans += fmt::format("<tspan x=\"{}\"{}{}{}>{}</tspan>", length_text(origin.x + run.x),
                         attribute("dy", run.baseline - baseline),
                         is_script ? attribute("font-size", run.size) : "", length_of(run), escape(run.text));
    baseline = run.baseline;
  }
  return spans;
}

std::string text_element(const std::string& attributes, const Label& label, const RunsOfLabel& runs,
                         Position origin) {
  const std::string weight = label.weight == Weight::bold ? " font-weight=\"600\"" : "";
  const bool single = runs.runs.size() == 1;
  const std::string place =
      fmt::format("{}{}", attribute("x", single ? origin.x : 0.0), attribute("y", origin.y));
  return fmt::format("<text{}{} font-size=\"{}\"{}{}>{}</text>", attributes, place, length_text(label.size),
                     weight, single ? anchor_of(label.align) + length_of(runs.runs.front()) : "",
                     single ? escape(runs.runs.front().text) : spans_of(runs, label, origin));
}

}  // namespace

std::string label_as_outlines(const std::string& id, const Label& label, GlyphOutlines& outlines,
                              SvgDefinitions& definitions) {
  const RunsOfLabel runs = runs_of(label);
  std::string letters;
  for (const PlacedGlyph& glyph : outlines.glyphs_of(label)) {
    if (!glyph.outline.empty()) letters += use_of(glyph, definitions);
  }
  for (const TextRun& run : runs.runs) letters += bar_of(run, runs, label);
  if (label.halo) {
    const std::string name = definitions.next_name();
    letters = with_halo(label, units_per_size, fmt::format("<g id=\"{}\">{}</g>", name, letters), name);
  }
  const Position origin = on_baseline(label, runs, 0.0);
  const std::string turn = label.angle == 0.0 ? "" : fmt::format("rotate({})", length_text(label.angle));
  return fmt::format("<g id=\"{}\" fill=\"{}\" transform=\"translate({} {}){}scale({})\">{}</g>\n", id,
                     svg_colour(label.colour), length_text(origin.x), length_text(origin.y), turn,
                     factor(label.size / units_per_size), letters);
}

std::string label_as_text(const std::string& id, const Label& label, SvgDefinitions& definitions) {
  const RunsOfLabel runs = runs_of(label);
  if (runs.runs.empty()) return "";
  const double share = label.align == AlignX::left ? 0.0 : label.align == AlignX::centre ? 0.5 : 1.0;
  const Position corner = on_baseline(label, runs, runs.runs.size() == 1 ? share : 0.0);
  const bool turned = label.angle != 0.0;
  const Position origin = turned ? Position{} : corner;
  const std::string place =
      turned ? fmt::format(" transform=\"translate({} {})rotate({})\"", length_text(corner.x),
                           length_text(corner.y), length_text(label.angle))
             : "";
  const std::string colour = fmt::format(" fill=\"{}\"", svg_colour(label.colour));
  std::string bars;
  for (const TextRun& run : runs.runs) {
    if (!run.bar) continue;
    bars += fmt::format("<path d=\"M{} {}h{}v{}h-{}z\"/>", length_text(origin.x + run.bar->x),
                        length_text(origin.y + run.bar->y - runs.baseline), length_text(run.bar->width),
                        length_text(run.bar->height), length_text(run.bar->width));
  }
  if (!label.halo && bars.empty()) {
    return text_element(fmt::format(" id=\"{}\"{}{}", id, colour, place), label, runs, origin) + "\n";
  }
  const std::string name = definitions.next_name();
  const std::string text =
      text_element(label.halo ? fmt::format(" id=\"{}\"", name) : "", label, runs, origin);
  const std::string letters = label.halo ? with_halo(label, label.size, text, name) : text;
  return fmt::format("<g id=\"{}\"{}{}>{}{}</g>\n", id, colour, place, letters, bars);
}

std::string attributes_of_text_root() {
  return fmt::format(
      " font-family=\"{},'{}',sans-serif\" text-rendering=\"geometricPrecision\" "
      "style=\"font-variant-numeric:tabular-nums\" xml:space=\"preserve\"",
      latin_family, japanese_family);
}

// Chromium passes xml:space over where its own style sheet says otherwise.
std::string style_of_texts() {
  return "<style>text,tspan{white-space:pre}</style>\n";
}

}  // namespace attnlab
