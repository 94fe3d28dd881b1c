#include "plotting/backends/svg/svg_elements.hpp"

#include "plotting/backends/backends.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/text/text_runs.hpp"

namespace attnlab {
namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

void add_paint(Attributes& attributes, const std::optional<Colour>& fill, const std::optional<Colour>& stroke,
               double width) {
  attributes.emplace_back("fill", fill ? svg_colour(*fill) : "none");
  if (!stroke) return;
  attributes.emplace_back("stroke", svg_colour(*stroke));
  attributes.emplace_back("stroke-width", length_text(width));
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

/// An image inside the file, a pixel per value, which a viewer must not smooth: SVG 1.1 and CSS each have a
/// word for that.
SvgElement image_in(const Box& box, const Raster& raster) {
  return {"image",
          {{"x", length_text(box.x)},
           {"y", length_text(box.y)},
           {"width", length_text(box.width)},
           {"height", length_text(box.height)},
           {"preserveAspectRatio", "none"},
           {"image-rendering", "optimizeSpeed"},
           {"style", "image-rendering:pixelated"},
           {"xlink:href", "data:image/png;base64," + base64(png_of(raster))}}};
}

/// A number of few digits that a coordinate system is scaled by.
std::string factor(double value) {
  const std::string text = fmt::format("{:.4g}", value);
  return text.compare(0, 2, "0.") == 0 ? text.substr(1) : text;
}

SvgElement use_of(const PlacedGlyph& glyph, SvgDefinitions& definitions) {
  SvgElement use{"use", {{"xlink:href", "#" + definitions.outline(glyph.outline)}}};
  if (glyph.scale != 1.0) {
    use.attributes.emplace_back("transform", fmt::format("translate({:.0f} {:.0f}) scale({})", glyph.x,
                                                         glyph.y, factor(glyph.scale)));
    return use;
  }
  for (const auto& [name, value] : {std::pair("x", glyph.x), std::pair("y", glyph.y)}) {
    const std::string number = length_text(std::round(value));
    if (number != "0") use.attributes.emplace_back(name, number);
  }
  return use;
}

/// The line over what stands under a root.
SvgElement bar_of(const Box& bar, const RunsOfLabel& runs, const Label& label) {
  const double units = units_per_size / label.size;
  return {"path",
          {{"d", fmt::format("M{:.0f} {:.0f}h{:.0f}v{:.0f}h-{:.0f}z", bar.x * units,
                             (bar.y - runs.baseline) * units, bar.width * units, bar.height * units,
                             bar.width * units)}}};
}

}  // namespace

std::string written_attributes(const SvgElement& element) {
  std::string text;
  for (const auto& [name, value] : element.attributes) text += fmt::format(" {}=\"{}\"", name, value);
  return text;
}

std::string written_element(const SvgElement& element) { return element.name + written_attributes(element); }

std::string svg_colour(const Colour& colour) { return fmt::format("#{:06x}", to_hex(colour)); }

std::string rectangle_data(double x, double y, double width, double height) {
  return fmt::format("M{} {}h{}v{}h-{}z", length_text(x), length_text(y), length_text(width),
                     length_text(height), length_text(width));
}

// --- Definitions

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

std::string SvgDefinitions::image(const Raster& raster) {
  const auto has_its_pixels = [&](const Raster& other) {
    const auto same = [](const Colour& one, const Colour& two) {
      return one.red == two.red && one.green == two.green && one.blue == two.blue;
    };
    return other.columns == raster.columns && std::equal(raster.pixels.begin(), raster.pixels.end(),
                                                         other.pixels.begin(), other.pixels.end(), same);
  };
  const auto known = std::find_if(images_.begin(), images_.end(), has_its_pixels);
  std::string name = fmt::format("p{}", known - images_.begin());
  if (known != images_.end()) return name;
  images_.push_back(raster);
  written_ += fmt::format("<{} id=\"{}\"/>\n", written_element(image_in({0.0, 0.0, 1.0, 1.0}, raster)), name);
  return name;
}

// --- Items

SvgElement svg_element(const FilledBox& filled, SvgDefinitions& /*definitions*/) {
  const Box& box = filled.box;
  SvgElement element{
      "path",
      {{"fill", svg_colour(filled.fill)}, {"d", rectangle_data(box.x, box.y, box.width, box.height)}}};
  if (filled.opacity < 1.0)
    element.attributes.emplace_back("fill-opacity", fmt::format("{:.3g}", filled.opacity));
  return element;
}

SvgElement svg_element(const Path& path, SvgDefinitions& definitions) {
  std::string data;
  for (const Position& point : path.points) {
    data += (data.empty() ? "M" : "L") + length_text(point.x) + " " + length_text(point.y);
  }
  if (path.closed) data += "Z";
  std::string dashes;
  for (const double dash : path.dashes) dashes += (dashes.empty() ? "" : " ") + length_text(dash);
  SvgElement element{"path", {{"d", data}}};
  add_paint(element.attributes, path.fill, path.stroke, path.width);
  if (!dashes.empty()) element.attributes.emplace_back("stroke-dasharray", dashes);
  if (path.opacity < 1.0)
    element.attributes.emplace_back("stroke-opacity", fmt::format("{:.3g}", path.opacity));
  if (path.clip) element.attributes.emplace_back("clip-path", "url(#" + definitions.clip(*path.clip) + ")");
  return element;
}

SvgElement svg_element(const Disc& disc, SvgDefinitions& /*definitions*/) {
  SvgElement element{"circle",
                     {{"cx", length_text(disc.centre.x)},
                      {"cy", length_text(disc.centre.y)},
                      {"r", length_text(disc.radius)}}};
  add_paint(element.attributes, disc.fill, disc.stroke, disc.width);
  return element;
}

SvgElement svg_element(const Raster& raster, SvgDefinitions& definitions) {
  const Box& box = raster.box;
  if (!raster.recurs) return image_in(box, raster);
  return {"use",
          {{"xlink:href", "#" + definitions.image(raster)},
           {"transform", fmt::format("translate({} {}) scale({} {})", length_text(box.x), length_text(box.y),
                                     length_text(box.width), length_text(box.height))}}};
}

std::shared_ptr<GlyphOutlines> no_outlines_yet() { return std::make_shared<GlyphOutlines>(); }

SvgLetters svg_letters(const Label& label, GlyphOutlines& outlines, SvgDefinitions& definitions) {
  const RunsOfLabel runs = runs_of(label);
  SvgLetters result;
  for (const PlacedGlyph& glyph : outlines.glyphs_of(label)) {
    if (!glyph.outline.empty()) result.letters.push_back(use_of(glyph, definitions));
  }
  for (const TextRun& run : runs.runs) {
    if (run.bar) result.letters.push_back(bar_of(*run.bar, runs, label));
  }
  const Position origin = on_baseline(label, runs, 0.0);
  const std::string turn = label.angle == 0.0 ? "" : fmt::format("rotate({})", length_text(label.angle));
  result.group = {
      "g",
      {{"fill", svg_colour(label.colour)},
       {"transform", fmt::format("translate({} {}){}scale({})", length_text(origin.x), length_text(origin.y),
                                 turn, factor(label.size / units_per_size))}}};
  if (label.halo) result.rim_width = length_text(halo_width * units_per_size);
  return result;
}

}  // namespace attnlab
