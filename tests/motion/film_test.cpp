// Films, written and read back.
#include "motion/film.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "motion/decoded_film.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/colour/palette.hpp"

namespace attnlab {
namespace {

constexpr double dpi = 72.0;

std::uint32_t number_of(const Colour& colour) {
  const auto byte = [](double part) { return static_cast<std::uint32_t>(std::lround(part * 255.0)); };
  return (byte(colour.red) << 16U) | (byte(colour.green) << 8U) | byte(colour.blue);
}

/// A disc that moves over a map of blues, and words: what figures are made of.
Page page_at(std::size_t index) {
  Page page{{240.0, 120.0, {1.0, 1.0, 1.0}, {}}, {"a film", "a disc moves", "en", "attnlab sweep test"}};
  for (std::size_t i = 0; i < 48; ++i) {
    const Colour blue = palette_colour(Palette::blues, static_cast<double>(i + index) / 60.0, Theme::light);
    page.list.items.push_back({"cell", FilledBox{{5.0 * static_cast<double>(i), 0.0, 5.0, 60.0}, blue}});
  }
  page.list.items.push_back(
      {"disc", Disc{{30.0 + 20.0 * static_cast<double>(index), 90.0}, 9.5, Colour{0.8, 0.3, 0.0}, {}, 1.0}});
  page.list.items.push_back(
      {"words",
       Label{{"Weight", 14.0, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, Weight::bold, {}}, {120.0, 70.0}, 0.0, {}}});
  return page;
}

Film film_of(std::size_t frames, Repeat repeat) {
  Film film{frames, [](std::size_t index) { return paint_pixels(page_at(index), dpi); },
            {},     repeat,
            dpi,    page_at(0).metadata};
  for (std::size_t i = 0; i < frames; ++i) film.centiseconds.push_back(10);
  film.centiseconds.back() = 110;
  return film;
}

struct Difference {
  double mean = 0.0;
  int largest = 0;
};

Difference difference(const Pixels& one, const Pixels& other) {
  REQUIRE(one.values.size() == other.values.size());
  Difference result;
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    for (const unsigned shift : {16U, 8U, 0U}) {
      const int distance = std::abs(static_cast<int>((one.values[i] >> shift) & 0xFFU) -
                                    static_cast<int>((other.values[i] >> shift) & 0xFFU));
      result.mean += distance;
      result.largest = std::max(result.largest, distance);
    }
  }
  result.mean /= 3.0 * static_cast<double>(one.values.size());
  return result;
}

}  // namespace

TEST_CASE("Pixels are those of the PNG, whose strips are painted by any processor") {
  constexpr double many_strips = 288.0;
  const Page page = page_at(2);
  for (const double resolution : {dpi, many_strips}) {
    const Pixels png = decode_png(paint_png(page, resolution));
    const Pixels pixels = paint_pixels(page, resolution);
    CHECK(pixels.width == png.width);
    CHECK(pixels.values == png.values);
  }
}

TEST_CASE("A GIF read back shows every frame almost as its PNG, at the same pace") {
  for (const Repeat repeat : {Repeat::for_ever, Repeat::once}) {
    const DecodedFilm film = decode_gif(encode_gif(film_of(7, repeat)));
    REQUIRE(film.frames.size() == 7);
    CHECK(film.repeats == (repeat == Repeat::for_ever));
    CHECK(film.centiseconds == std::vector<int>{10, 10, 10, 10, 10, 10, 110});
    CHECK(film.bytes_of_comment == "attnlab sweep test");
    for (std::size_t i = 0; i < film.frames.size(); ++i) {
      const Difference distance = difference(film.frames[i], decode_png(paint_png(page_at(i), dpi)));
      CHECK(distance.mean < 0.3);
      CHECK(distance.largest <
            40);  // of 255; another release of Inter has other edges: 19 with 3.19, 31 with 4.1
    }
  }
}

TEST_CASE("A GIF keeps the blues apart") {
  // 512 columns run through the blues, in each frame shifted: a fixed palette has about 20 of them.
  const auto ramp = [](std::size_t index) {
    Pixels pixels{512, 8, {}};
    for (std::size_t i = 0; i < pixels.width * pixels.height; ++i) {
      const double place = static_cast<double>((i + 7 * index) % pixels.width) / 511.0;
      pixels.values.push_back(number_of(palette_colour(Palette::blues, place, Theme::light)));
    }
    return pixels;
  };
  const DecodedFilm film = decode_gif(encode_gif({5, ramp, {5, 5, 5, 5, 5}, Repeat::for_ever, dpi, {}}));
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(std::set<std::uint32_t>(film.frames[i].values.begin(), film.frames[i].values.end()).size() > 150);
    CHECK(difference(film.frames[i], ramp(i)).largest <= 3);
  }
}

TEST_CASE("A film of few colours is exact, and frames that do not change cost next to nothing") {
  const auto still = [](std::size_t) {
    return Pixels{300, 200, std::vector<std::uint32_t>(60000, 0x0072B2)};
  };
  const auto film = [&](std::size_t frames) {
    return Film{frames, still, std::vector<int>(frames, 4), Repeat::for_ever, dpi, {}};
  };
  const DecodedFilm decoded = decode_gif(encode_gif(film(3)));
  CHECK(decoded.frames[2].values == still(0).values);
  CHECK(encode_gif(film(101)).size() - encode_gif(film(1)).size() < 100 * 40);
}

TEST_CASE("The same film has the same bytes") {
  const Film film = film_of(5, Repeat::for_ever);
  CHECK(encode_gif(film) == encode_gif(film));
}

TEST_CASE("The part that changed is the smallest that holds every difference") {
  Pixels before{6, 5, std::vector<std::uint32_t>(30, 1)};
  Pixels after = before;
  after.values[1 * 6 + 4] = 2;
  after.values[3 * 6 + 2] = 2;
  const Part part = changed_part(before, after);
  CHECK(part.left == 2);
  CHECK(part.top == 1);
  CHECK(part.width == 3);
  CHECK(part.height == 3);
  CHECK(changed_part(before, before).width == 1);
  after.values.back() = 3;
  CHECK(changed_part(before, after).left + changed_part(before, after).width == 6);
}

}  // namespace attnlab
