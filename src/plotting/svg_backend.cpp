// SVG: written item by item, so that ids, title and description survive and the bytes depend on the figure
// alone.
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <map>
#include <string>

#include "plotting/backends.hpp"
#include "plotting/glyph_outlines.hpp"
#include "plotting/text_measure.hpp"
#include "plotting/typesetting.hpp"

namespace attnlab {
namespace {

std::string hex(const Colour& colour) {
  const auto byte = [](double channel) { return std::lround(channel * 255.0); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.red), byte(colour.green), byte(colour.blue));
}

// Hundredths of a point are finer than any screen or printer.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string paint_attributes(const std::optional<Colour>& fill, const std::optional<Colour>& stroke,
                             double width) {
  std::string text = fmt::format(" fill=\"{}\"", fill ? hex(*fill) : "none");
  if (stroke) text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", hex(*stroke), number(width));
  return text;
}

std::string halo_attributes(const Label& label) {
  if (!label.halo) return "";
  return fmt::format(" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                     hex(*label.halo), number(reference_size * halo_width));
}

// "weights[2,5]" as an XML name: "weights-2-5".
std::string xml_name(const std::string& id) {
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
  std::string body() const { return body_; }

  /// The outlines used, each once.
  std::string definitions() const { return definitions_; }

  void draw(const Item& item) {
    id_ = xml_name(item.id);
    std::visit(*this, item.shape);
  }

  void operator()(const FilledBox& filled) {
    body_ += fmt::format("<rect id=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", id_,
                         number(filled.box.x), number(filled.box.y), number(filled.box.width),
                         number(filled.box.height), hex(filled.fill));
  }

  void operator()(const Path& path) {
    std::string data;
    for (const Position& point : path.points) {
      data += (data.empty() ? "M" : "L") + number(point.x) + " " + number(point.y);
    }
    if (path.closed) data += "Z";
    std::string dashes;
    for (const double dash : path.dashes) dashes += (dashes.empty() ? "" : " ") + number(dash);
    body_ += fmt::format("<path id=\"{}\" d=\"{}\"{}{}{} stroke-linejoin=\"round\"/>\n", id_, data,
                         paint_attributes(path.fill, path.stroke, path.width),
                         dashes.empty() ? "" : " stroke-dasharray=\"" + dashes + "\"",
                         path.clip ? " clip-path=\"url(#" + clip(*path.clip) + ")\"" : "");
  }

  void operator()(const Disc& disc) {
    body_ += fmt::format("<circle id=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", id_, number(disc.centre.x),
                         number(disc.centre.y), number(disc.radius),
                         paint_attributes(disc.fill, disc.stroke, disc.width));
  }

  // Runs of one colour along a row become one rectangle; exact in every viewer, unlike a stretched image.
  void operator()(const Raster& raster) {
    const double width = raster.box.width / static_cast<double>(raster.columns);
    const double height = raster.box.height / static_cast<double>(raster.rows);
    body_ += fmt::format("<g id=\"{}\" shape-rendering=\"crispEdges\">\n", id_);
    for (std::size_t row = 0; row < raster.rows; ++row) {
      for (std::size_t column = 0; column < raster.columns;) {
        const std::string colour = hex(raster.pixels[row * raster.columns + column]);
        std::size_t end = column + 1;
        while (end < raster.columns && hex(raster.pixels[row * raster.columns + end]) == colour) ++end;
        body_ += fmt::format("<path fill=\"{}\" d=\"M{} {}h{}v{}h-{}z\"/>\n", colour,
                             number(raster.box.x + width * static_cast<double>(column)),
                             number(raster.box.y + height * static_cast<double>(row)),
                             number(width * static_cast<double>(end - column)), number(height),
                             number(width * static_cast<double>(end - column)));
        column = end;
      }
    }
    body_ += "</g>\n";
  }

  void operator()(const Label& label) {
    const std::string turn = label.angle == 0.0 ? "" : fmt::format(" rotate({})", number(label.angle));
    const std::string scale = fmt::format(" scale({:.5g})", scale_to(label.size));
    body_ +=
        fmt::format("<g id=\"{}\" fill=\"{}\"{} transform=\"translate({} {}){}\">", id_, hex(label.colour),
                    halo_attributes(label), number(label.position.x), number(label.position.y), turn + scale);
    for (const PlacedGlyph& glyph : glyphs_of(label)) {
      if (!glyph.outline.empty()) {
        body_ += fmt::format("<use xlink:href=\"#{}\" x=\"{}\" y=\"{}\"/>", outline(glyph.outline),
                             number(glyph.x), number(glyph.y));
      }
    }
    body_ += "</g>\n";
  }

 private:
  std::string outline(const std::string& data) {
    const auto [known, is_new] = outlines_.try_emplace(data, fmt::format("g{}", outlines_.size()));
    if (is_new) definitions_ += fmt::format("<path id=\"{}\" d=\"{}\"/>\n", known->second, data);
    return known->second;
  }

  std::string clip(const Box& box) {
    const std::string shape = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.x),
                                          number(box.y), number(box.width), number(box.height));
    const auto [known, is_new] = clips_.try_emplace(shape, fmt::format("c{}", clips_.size()));
    if (is_new) {
      definitions_ += fmt::format("<clipPath id=\"{}\"><rect {}/></clipPath>\n", known->second, shape);
    }
    return known->second;
  }

  std::string id_;
  std::string body_;
  std::string definitions_;
  std::map<std::string, std::string> outlines_;
  std::map<std::string, std::string> clips_;
};

}  // namespace

std::string paint_svg(const Page& page) {
  SvgPainter painter;
  for (const Item& item : page.list.items) painter.draw(item);
  const std::string width = number(page.list.width);
  const std::string height = number(page.list.height);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
      "width=\"{0}pt\" "
      "height=\"{1}pt\" viewBox=\"0 0 {0} {1}\" role=\"img\" lang=\"{2}\" aria-labelledby=\"title-text "
      "desc-text\">\n"
      "<title id=\"title-text\">{3}</title>\n<desc id=\"desc-text\">{4}</desc>\n<metadata>{5}</metadata>\n"
      "<defs>\n{6}</defs>\n<rect width=\"{0}\" height=\"{1}\" fill=\"{7}\"/>\n{8}</svg>\n",
      width, height, page.metadata.language, escape(page.metadata.title), escape(page.metadata.description),
      escape(page.metadata.command), painter.definitions(), hex(page.list.background), painter.body());
}

}  // namespace attnlab
