#include "plotting/backends/backends.hpp"

#include <doctest/doctest.h>
#include <png.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "plotting/layout/layout.hpp"

namespace attnlab {
namespace {

const Text nothing = Text::same("");

Page page_of(Language language) {
  Matrix values{2, 2, {0.0, 0.25, 0.5, 1.0}};
  const HeatMap map{
      "weights", std::move(values), {"猫", "犬"}, {}, nothing, nothing, {Palette::blues, 0.0, 1.0, nothing},
      2};
  Figure figure{"test", {"注意度", "Attention & weights"}, {"説明", "text <for> all"}, nothing, {}, 0, {}, {},
                false};
  figure.panels.push_back({nothing, map});
  return {lay_out(figure, {language, Theme::light, {4.0, 3.0}}).list,
          {figure.title.in(language), figure.description.in(language), language == Language::ja ? "ja" : "en",
           "attnlab test --width 2"}};
}

// libpng's simplified reader: an independent decoder of what we encode.
struct Picture {
  png_image header{};
  std::vector<unsigned char> pixels;
};
Picture decode(const std::string& bytes) {
  Picture picture;
  picture.header.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&picture.header, bytes.data(), bytes.size()) != 0);
  picture.header.format = PNG_FORMAT_RGB;
  picture.pixels.resize(PNG_IMAGE_SIZE(picture.header));
  REQUIRE(png_image_finish_read(&picture.header, nullptr, picture.pixels.data(), 0, nullptr) != 0);
  return picture;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// The red, green and blue of a pixel in a picture 72 pixels wide: one per point.
std::array<int, 3> pixel(const Picture& picture, std::size_t x, std::size_t y) {
  const std::size_t first = 3 * (y * 72 + x);
  return {picture.pixels[first], picture.pixels[first + 1], picture.pixels[first + 2]};
}

// RFC 4648, by hand.
std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned int bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6U) | static_cast<unsigned int>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> static_cast<unsigned int>(count)) & 0xffU);
  }
  return bytes;
}

}  // namespace

TEST_CASE("A PNG has the page's size times the resolution and records it") {
  const std::string bytes = paint_png(page_of(Language::en), 144.0);
  const Picture picture = decode(bytes);
  CHECK(picture.header.width == 576);
  CHECK(picture.header.height == 432);
  const std::size_t chunk = bytes.find("pHYs");
  REQUIRE(chunk != std::string::npos);
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(bytes[chunk + 4 + i]));
  };
  const unsigned per_metre = (byte(0) << 24U) | (byte(1) << 16U) | (byte(2) << 8U) | byte(3);
  CHECK(per_metre == 5669);  // 144 / 0.0254, rounded
  CHECK(byte(8) == 1);       // the unit is the metre
}

TEST_CASE("The pixels of a PNG are red green blue in this order") {
  Page page;
  page.list.width = 72.0;
  page.list.height = 72.0;
  page.list.background = {1.0, 1.0, 1.0};
  page.list.items.push_back({"box", FilledBox{{0, 0, 36, 72}, {1.0, 0.5, 0.0}}});
  const Picture picture = decode(paint_png(page, 72.0));
  CHECK(pixel(picture, 0, 0)[0] == 255);
  CHECK(std::abs(pixel(picture, 0, 0)[1] - 128) <= 1);
  CHECK(pixel(picture, 0, 0)[2] == 0);
  CHECK(pixel(picture, 71, 0)[0] == 255);
  CHECK(pixel(picture, 71, 0)[2] == 255);
}

TEST_CASE("A veil is mixed with what it covers, and a picture that recurs is in an SVG once") {
  Page page;
  page.list = {72.0, 72.0, {1.0, 1.0, 1.0}, {}};
  Raster raster{{0.0, 0.0, 36.0, 72.0}, 1, 1, {{0.0, 0.0, 0.0}}, true};
  page.list.items.push_back({"left", raster});
  raster.box.x = 36.0;
  page.list.items.push_back({"right", raster});
  page.list.items.push_back({"veil", FilledBox{{36.0, 0.0, 36.0, 72.0}, {1.0, 1.0, 1.0}, 0.6}});
  const Picture picture = decode(paint_png(page, 72.0));
  CHECK(pixel(picture, 10, 10)[0] == 0);
  CHECK(std::abs(pixel(picture, 60, 10)[0] - 153) <= 1);  // 0.6 of white over black
  const std::string svg = paint_svg(page);
  CHECK(count(svg, "data:image/png") == 1);
  CHECK(count(svg, "xlink:href=\"#p0\"") == 2);
  CHECK(count(svg, "fill-opacity=\"0.6\"") == 1);
}

TEST_CASE("Every format carries title and description and command in the figure's language") {
  const Page page = page_of(Language::ja);
  const std::string png = paint_png(page, 72.0);
  for (const std::string& text : {page.metadata.title, page.metadata.description, page.metadata.command})
    CHECK(png.find(text) != std::string::npos);
  const std::string svg = paint_svg(page);
  CHECK(svg.find("<title id=\"title-text\">注意度</title>") != std::string::npos);
  CHECK(svg.find("説明</desc>") != std::string::npos);
  CHECK(svg.find("attnlab test --width 2") != std::string::npos);
  CHECK(svg.find("lang=\"ja\"") != std::string::npos);
}

TEST_CASE("An SVG escapes its texts and has one element per item and every outline once") {
  const Page page = page_of(Language::en);
  const std::string svg = paint_svg(page);
  CHECK(svg.find("Attention &amp; weights</title>") != std::string::npos);
  CHECK(svg.find("text &lt;for&gt; all") != std::string::npos);
  CHECK(svg.find("id=\"weights-1-0\"") != std::string::npos);
  CHECK(count(svg, "id=\"g0\"") == 1);
  CHECK(count(svg, "xlink:href=\"#g0\"") >= 1);
  CHECK(count(svg, "<text") == 0);  // outlines, so that it looks the same everywhere
}

TEST_CASE("A PDF has a page per figure and embeds its fonts") {
  const Page first = page_of(Language::en);
  const Page second = page_of(Language::ja);
  const std::string pdf = paint_pdf({{"", {&first, &second}}}, first.metadata);
  CHECK(pdf.rfind("%PDF-", 0) == 0);
  CHECK(count(pdf, "/Type /Page\n") + count(pdf, "/Type /Page ") == 2);
  CHECK(count(pdf, "/FontFile") >= 2);
  CHECK(count(pdf, "/ToUnicode") >= 2);
}

TEST_CASE("The same page gives identical bytes in every format whatever was drawn before") {
  const Page page = page_of(Language::ja);
  const std::string png = paint_png(page, 100.0);
  const std::string svg = paint_svg(page);
  const std::string pdf = paint_pdf(page);
  const Page other = page_of(Language::en);
  (void)paint_pdf({{"", {&other, &page}}}, other.metadata);
  (void)paint_svg(other);
  CHECK(paint_png(page, 100.0) == png);
  CHECK(paint_svg(page) == svg);
  CHECK(paint_pdf(page) == pdf);
}

TEST_CASE("A raster keeps its corners in place in every format") {
  Page page;
  page.list.width = 72.0;
  page.list.height = 72.0;
  const Colour red{1.0, 0.0, 0.0};
  const Colour blue{0.0, 0.0, 1.0};
  page.list.items.push_back({"raster", Raster{{0, 0, 72, 72}, 2, 2, {red, blue, blue, blue}}});
  const Picture picture = decode(paint_png(page, 72.0));
  CHECK(pixel(picture, 0, 0)[0] == 255);   // upper left red
  CHECK(pixel(picture, 0, 71)[2] == 255);  // lower left blue
  CHECK(pixel(picture, 35, 0)[0] == 255);  // sharp up to the middle
  CHECK(pixel(picture, 36, 0)[0] == 0);
  // In an SVG, the same pixels as an image.
  const std::string svg = paint_svg(page);
  const std::string before = "data:image/png;base64,";
  const std::size_t begin = svg.find(before);
  REQUIRE(begin != std::string::npos);
  std::string encoded = svg.substr(begin + before.size());
  encoded.erase(encoded.find('"'));
  const Picture image = decode(from_base64(encoded));
  CHECK(image.header.width == 2);
  CHECK(image.header.height == 2);
  const std::vector<unsigned char> red_then_blue = {255, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255};
  CHECK(image.pixels == red_then_blue);
}

}  // namespace attnlab
