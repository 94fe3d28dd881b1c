// SVG: written item by item, so that ids, title and description survive and the bytes depend on the figure
// alone.
#include <glib.h>

#include <cctype>

#include "plotting/backends/backends.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/text/text_measure.hpp"
#include "plotting/text/text_runs.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

std::string svg_colour(const Colour& colour) {
  return fmt::format("#{:06x}", to_hex(colour));
}

/// Each definition is written once and known by a short name.
class SvgDefinitions {
 public:
  /// The name of a glyph's outline.
  std::string outline(const std::string& data);
  /// The name of a clipping box.
  std::string clip(const Box& box);
  /// A name for what stands in the body and is used again there.
  std::string next_name() { return "h" + std::to_string(names_++); }

  const std::string& written() const { return written_; }

 private:
  std::string written_;
  std::map<std::string, std::string> outlines_;
  std::map<std::string, std::string> clips_;
  std::size_t names_ = 0;
};

std::string SvgDefinitions::outline(const std::string& data) {
  const auto [known, is_new] = outlines_.try_emplace(data, fmt::format("g{}", outlines_.size()));
  if (is_new) written_ += fmt::format("<path id=\"{}\" d=\"{}\"/>\n", known->second, data);
  return known->second;
}

std::string SvgDefinitions::clip(const Box& box) {
  const std::string shape = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", length_text(box.x),
                                        length_text(box.y), length_text(box.width), length_text(box.height));
  const auto [known, is_new] = clips_.try_emplace(shape, fmt::format("c{}", clips_.size()));
  if (is_new) {
    written_ += fmt::format("<clipPath id=\"{}\"><rect {}/></clipPath>\n", known->second, shape);
  }
  return known->second;
}

std::string paint_attributes(const std::optional<Colour>& fill, const std::optional<Colour>& stroke,
                             double width) {
  std::string text = fmt::format(" fill=\"{}\"", fill ? svg_colour(*fill) : "none");
  if (stroke)
    text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", svg_colour(*stroke), length_text(width));
  return text;
}

/// The values alone, a pixel each.
std::string png_of(const Raster& raster) {
  const auto width = static_cast<double>(raster.columns);
  const auto height = static_cast<double>(raster.rows);
  Raster pixels = raster;
  pixels.box = {0.0, 0.0, width, height};
  Page page;
  page.list = {width, height, {}, {{"pixels", std::move(pixels)}}};
  return paint_png(page, points_per_inch);
}

/// A rectangle as path data, shorter than an element of its own.
std::string rectangle(double x, double y, double width, double height) {
  return fmt::format("M{} {}h{}v{}h-{}z", length_text(x), length_text(y), length_text(width),
                     length_text(height), length_text(width));
}

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
    bars += "<path d=\"" + rectangle(origin.x + x, origin.y + y - runs.baseline, width, height) + "\"/>";
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
      " font-family=\"{},'{}',sans-serif\" text-rendering=\"geometricPrecision\" "
      "style=\"font-variant-numeric:tabular-nums\" xml:space=\"preserve\"",
      latin_family, japanese_family);
}

/// And a style sheet that keeps their spaces: Chromium passes xml:space over where its own style sheet says
/// otherwise.
constexpr const char* style_of_texts = "<style>text,tspan{white-space:pre}</style>\n";

// --- Items -------------------------------------------------------------------------------------------------

class SvgPainter {
 public:
  explicit SvgPainter(Lettering lettering) : lettering_(lettering) {}

  std::string body() const { return body_; }

  std::string definitions() const { return definitions_.written(); }

  void draw(const Item& item) {
    id_ = svg_name(item.id);
    std::visit(*this, item.shape);
  }

  void operator()(const FilledBox& filled) {
    body_ += fmt::format("<path id=\"{}\" fill=\"{}\" d=\"{}\"/>\n", id_, svg_colour(filled.fill),
                         rectangle(filled.box.x, filled.box.y, filled.box.width, filled.box.height));
  }

  void operator()(const Path& path) {
    std::string data;
    for (const Position& point : path.points) {
      data += (data.empty() ? "M" : "L") + length_text(point.x) + " " + length_text(point.y);
    }
    if (path.closed) data += "Z";
    std::string dashes;
    for (const double dash : path.dashes) dashes += (dashes.empty() ? "" : " ") + length_text(dash);
    body_ += fmt::format("<path id=\"{}\" d=\"{}\"{}{}{}/>\n", id_, data,
                         paint_attributes(path.fill, path.stroke, path.width),
                         dashes.empty() ? "" : " stroke-dasharray=\"" + dashes + "\"",
                         path.clip ? " clip-path=\"url(#" + definitions_.clip(*path.clip) + ")\"" : "");
  }

  void operator()(const Disc& disc) {
    body_ += fmt::format("<circle id=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", id_,
                         length_text(disc.centre.x), length_text(disc.centre.y), length_text(disc.radius),
                         paint_attributes(disc.fill, disc.stroke, disc.width));
  }

  // An image inside the file, a pixel per value, which a viewer must not smooth: SVG 1.1 and CSS each have a
  // word for that.
  void operator()(const Raster& raster) {
    body_ += fmt::format(
        "<image id=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
        "image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" "
        "xlink:href=\"data:image/png;base64,{}\"/>\n",
        id_, length_text(raster.box.x), length_text(raster.box.y), length_text(raster.box.width),
        length_text(raster.box.height), base64(png_of(raster)));
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

std::string paint_svg(const Page& page, Lettering lettering) {
  SvgPainter painter(lettering);
  for (const Item& item : page.list.items) painter.draw(item);
  const bool has_text = lettering == Lettering::text;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
      "width=\"{0}pt\" height=\"{1}pt\" viewBox=\"0 0 {0} {1}\" stroke-linejoin=\"round\" role=\"img\" "
      "xml:lang=\"{2}\" aria-labelledby=\"title-text desc-text\"{3}>\n"
      "<title id=\"title-text\">{4}</title>\n<desc id=\"desc-text\">{5}</desc>\n<metadata>{6}</metadata>\n"
      "<defs>\n{7}{8}</defs>\n<path fill=\"{9}\" d=\"M0 0h{0}v{1}H0z\"/>\n{10}</svg>\n",
      length_text(page.list.width), length_text(page.list.height), page.metadata.language,
      has_text ? attributes_of_text_root() : "", escape(page.metadata.title),
      escape(page.metadata.description), escape(page.metadata.command), has_text ? style_of_texts : "",
      painter.definitions(), svg_colour(page.list.background), painter.body());
}

}  // namespace attnlab
