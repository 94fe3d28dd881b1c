// SVG: written item by item, so that ids, title and description survive and the bytes depend on the figure
// alone.
#include <glib.h>

#include <cctype>

#include "plotting/backends/backends.hpp"
#include "plotting/backends/svg/svg_elements.hpp"
#include "plotting/text/text_measure.hpp"
#include "plotting/text/text_runs.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

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

// --- Text --------------------------------------------------------------------------------------------------

const char* anchor_of(AlignX align) {
  if (align == AlignX::left) return "";
  return align == AlignX::centre ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
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

/// An element of that id made of outlines; each outline is defined once.
std::string label_as_outlines(const std::string& id, const Label& label, GlyphOutlines& outlines,
                              SvgDefinitions& definitions) {
  const SvgLetters lettering = svg_letters(label, outlines, definitions);
  std::string letters;
  for (const SvgElement& letter : lettering.letters) letters += "<" + written_element(letter) + "/>";
  if (label.halo) {
    const std::string name = definitions.next_name();
    letters = with_halo(label, units_per_size, fmt::format("<g id=\"{}\">{}</g>", name, letters), name);
  }
  return fmt::format("<g id=\"{}\"{}>{}</g>\n", id, written_attributes(lettering.group), letters);
}

/// A <text> element of that id. Every run has its place and its width, so that the layout holds with another
/// font, too.
std::string label_as_text(const std::string& id, const Label& label, SvgDefinitions& definitions) {
  const RunsOfLabel runs = runs_of(label);
  if (runs.runs.empty()) return "";
  const Position corner = on_baseline(label, runs, runs.runs.size() == 1 ? share(label.align) : 0.0);
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
    const auto& [x, y, width, height] = *run.bar;
    bars += "<path d=\"" + rectangle_data(origin.x + x, origin.y + y - runs.baseline, width, height) + "\"/>";
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

/// The attributes that the root needs for such elements.
std::string attributes_of_text_root() {
  return fmt::format(
      " font-family=\"{},'{}',sans-serif\" text-rendering=\"geometricPrecision\" style=\"font-variant-numeric:tabular-nums\" xml:space=\"preserve\"",
      latin_family, japanese_family);
}

/// And a style sheet that keeps their spaces: Chromium passes xml:space over where its own style sheet says
/// otherwise.
constexpr const char* style_of_texts = "<style>text,tspan{white-space:pre}</style>\n";

// --- Items -------------------------------------------------------------------------------------------------

/// The XML name of an item: "weights-2-5" for "weights[2,5]".
std::string svg_name(const std::string& id) {
  std::string name;
  for (const char c : id) {
    const bool allowed = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
    if (allowed) {
      name += c;
    } else if (c != ']' && !name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  return name;
}

class SvgPainter {
 public:
  explicit SvgPainter(Lettering lettering) : lettering_(lettering) {}

  std::string body() const { return body_; }

  std::string definitions() const { return definitions_.written(); }

  void draw(const Item& item) {
    id_ = svg_name(item.id);
    std::visit(*this, item.shape);
  }

  template <class Shape>
  void operator()(const Shape& shape) {
    const SvgElement element = svg_element(shape, definitions_);
    body_ += fmt::format("<{} id=\"{}\"{}/>\n", element.name, id_, written_attributes(element));
  }

  void operator()(const Label& label) {
    body_ += lettering_ == Lettering::outlines ? label_as_outlines(id_, label, outlines_, definitions_)
                                               : label_as_text(id_, label, definitions_);
  }

 private:
  Lettering lettering_;
  std::string id_;
  std::string body_;
  GlyphOutlines outlines_;
  SvgDefinitions definitions_;
};

}  // namespace

std::string base64(const std::string& bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  const auto* data = reinterpret_cast<const guchar*>(bytes.data());
  return Owned<char, g_free>(g_base64_encode(data, bytes.size())).get();
}

std::string length_text(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  if (text == "-0") return "0";
  const std::size_t digits = text.front() == '-' ? 1 : 0;
  if (text.compare(digits, 2, "0.") == 0) text.erase(digits, 1);
  return text;
}

std::string paint_svg(const Page& page, Lettering lettering) {
  SvgPainter painter(lettering);
  for (const Item& item : page.list.items) painter.draw(item);
  const bool has_text = lettering == Lettering::text;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}pt\" height=\"{1}pt\" viewBox=\"0 0 {0} {1}\" stroke-linejoin=\"round\" role=\"img\" xml:lang=\"{2}\" aria-labelledby=\"title-text desc-text\"{3}>\n"
      "<title id=\"title-text\">{4}</title>\n<desc id=\"desc-text\">{5}</desc>\n<metadata>{6}</metadata>\n"
      "<defs>\n{7}{8}</defs>\n<path fill=\"{9}\" d=\"M0 0h{0}v{1}H0z\"/>\n{10}</svg>\n",
      length_text(page.list.width), length_text(page.list.height), page.metadata.language,
      has_text ? attributes_of_text_root() : "", escape(page.metadata.title),
      escape(page.metadata.description), escape(page.metadata.command), has_text ? style_of_texts : "",
      painter.definitions(), svg_colour(page.list.background), painter.body());
}

}  // namespace attnlab
