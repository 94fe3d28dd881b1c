// SVG: written item by item, so that ids, title and description survive and the bytes depend on the figure
// alone.
#include <fmt/format.h>
#include <glib.h>

#include <string>
#include <utility>

#include "plotting/backends/backends.hpp"
#include "plotting/text/glyph_outlines.hpp"
#include "plotting/length_text.hpp"
#include "plotting/svg_labels.hpp"
#include "plotting/svg_parts.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

std::string paint_attributes(const std::optional<Colour>& fill, const std::optional<Colour>& stroke,
                             double width) {
  std::string text = fmt::format(" fill=\"{}\"", fill ? svg_colour(*fill) : "none");
  if (stroke)
    text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", svg_colour(*stroke), length_text(width));
  return text;
}

/// A rectangle as path data, shorter than an element of its own.
std::string rectangle(double x, double y, double width, double height) {
  return fmt::format("M{} {}h{}v{}h-{}z", length_text(x), length_text(y), length_text(width),
                     length_text(height), length_text(width));
}

/// The values alone, a pixel each.
std::string png_of(const Raster& raster) {
  const auto width = static_cast<double>(raster.columns);
  const auto height = static_cast<double>(raster.rows);
  Raster pixels = raster;
  pixels.box = {0.0, 0.0, width, height};
  Page page;
  page.list = {width, height, {}, {{"pixels", std::move(pixels)}}};
  constexpr double pixel_per_point = 72.0;
  return paint_png(page, pixel_per_point);
}

std::string base64(const std::string& bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  gchar* encoded = g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()), bytes.size());
  std::string text(encoded);
  g_free(encoded);
  return text;
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
      escape(page.metadata.description), escape(page.metadata.command), has_text ? style_of_texts() : "",
      painter.definitions(), svg_colour(page.list.background), painter.body());
}

}  // namespace attnlab
