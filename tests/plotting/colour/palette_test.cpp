// Palettes: neighbours are told apart by every colour vision, and more always looks like more.
#include "plotting/colour/palette.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>

#include "colour_vision.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {
namespace {

constexpr std::array<Theme, 3> palette_themes{Theme::light, Theme::dark, Theme::print};
constexpr std::array<Vision, 3> dichromats{Vision::protanopia, Vision::deuteranopia, Vision::tritanopia};

double difference_seen(Vision vision, const Colour& one, const Colour& other) {
  return difference(lab_of(seen_by(vision, one)), lab_of(seen_by(vision, other)));
}

double lightness(const Colour& colour) { return lab_of(colour).lightness; }

TEST_CASE("The measure of colour difference reproduces the pairs of Sharma, Wu and Dalal's table") {
  CHECK(difference({50.0, 2.6772, -79.7751}, {50.0, 0.0, -82.7485}) == doctest::Approx(2.0425).epsilon(1e-4));
  CHECK(difference({50.0, -1.3802, -84.2814}, {50.0, 0.0, -82.7485}) == doctest::Approx(1.0).epsilon(1e-4));
  CHECK(difference({50.0, 2.5, 0.0}, {73.0, 25.0, -18.0}) == doctest::Approx(27.1492).epsilon(1e-5));
  CHECK(difference({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}) ==
        doctest::Approx(0.9082).epsilon(1e-4));
}

TEST_CASE("White, grey and black look the same to everyone") {
  for (const unsigned int rgb : {0xffffffU, 0x808080U, 0x000000U}) {
    for (const Vision vision : dichromats) {
      CHECK(difference(lab_of(from_hex(rgb)), lab_of(seen_by(vision, from_hex(rgb)))) < 0.1);
    }
  }
}

TEST_CASE("Red and green of equal lightness differ for normal vision and hardly for a deuteranope") {
  const Colour red = from_hex(0xc05a50);
  const Colour green = from_hex(0x7a7a2e);
  CHECK(difference_seen(Vision::normal, red, green) >
        2.0 * difference_seen(Vision::deuteranopia, red, green));
}

TEST_CASE("Neighbouring series are told apart by every colour vision, and in grey") {
  for (const auto& entry : series_palettes()) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      const std::vector<Colour> colours = series_colours(entry.palette, theme);
      REQUIRE(colours.size() == 7);
      for (std::size_t i = 1; i < colours.size(); ++i) {
        CAPTURE(entry.name);
        CAPTURE(i);
        for (const Vision vision : dichromats)
          CHECK(difference_seen(vision, colours[i - 1], colours[i]) > 10.0);
        CHECK(difference_seen(Vision::grey, colours[i - 1], colours[i]) > 7.5);
      }
    }
  }
}

TEST_CASE("The bands are told apart by every colour vision, in grey, and by their names") {
  for (const Theme theme : palette_themes) {
    const std::vector<Colour>& colours = anchors_of(Palette::bands, theme);
    const std::vector<Text> names = band_names(Palette::bands, theme);
    REQUIRE(names.size() == colours.size());
    std::set<std::string> different;
    for (const Text& name : names) different.insert(name.ja());
    CHECK(different.size() == names.size());
    for (std::size_t i = 1; i < colours.size(); ++i) {
      for (const Vision vision : dichromats)
        CHECK(difference_seen(vision, colours[i - 1], colours[i]) > 10.0);
      CHECK(difference_seen(Vision::grey, colours[i - 1], colours[i]) > 7.5);
    }
  }
}

TEST_CASE("Lightness runs one way through every sequential palette, for every vision and in grey") {
  for (const auto& entry : palettes()) {
    if (kind_of(entry.palette) != PaletteKind::sequential) continue;
    for (const Theme theme : palette_themes) {
      const std::vector<Colour>& anchors = anchors_of(entry.palette, theme);
      const double direction = lightness(anchors.back()) - lightness(anchors.front());
      for (std::size_t i = 1; i < anchors.size(); ++i) {
        CAPTURE(entry.name);
        CAPTURE(i);
        for (const Vision vision : {Vision::normal, Vision::protanopia, Vision::deuteranopia, Vision::grey}) {
          const double step =
              lightness(seen_by(vision, anchors[i])) - lightness(seen_by(vision, anchors[i - 1]));
          CHECK(step * direction > 0.0);
        }
      }
    }
  }
}

TEST_CASE("A diverging palette has its middle next to the paper, and its halves are told apart") {
  for (const Palette palette : {Palette::rdbu, Palette::puor}) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      const std::vector<Colour>& anchors = anchors_of(palette, theme);
      const std::size_t middle = anchors.size() / 2;
      const Colour paper = style_for(theme, measures_of({})).paper;
      CHECK(contrast(anchors[middle], paper) < 1.25);
      for (std::size_t i = 2; i <= middle; ++i) {
        for (const Vision vision : dichromats) {
          CHECK(difference_seen(vision, anchors[middle - i], anchors[middle + i]) > 10.0);
        }
      }
    }
  }
}

TEST_CASE("Where both halves are grey, the negative one is hatched") {
  const ColourScale scale{Palette::signed_greys, -2.0, 2.0, Text::same("")};
  CHECK(is_hatched(scale, -0.1));
  CHECK_FALSE(is_hatched(scale, 0.0));
  CHECK_FALSE(is_hatched(scale, -0.005));
  CHECK_FALSE(is_hatched(scale, 1.0));
  CHECK_FALSE(is_hatched({Palette::rdbu, -2.0, 2.0, Text::same("")}, -1.0));
}

TEST_CASE("A stepped palette has one colour per band") {
  std::set<double> reds;
  for (int i = 0; i <= 600; ++i) reds.insert(palette_colour(Palette::bands, i / 600.0, Theme::light).red);
  CHECK(reds.size() == anchors_of(Palette::bands, Theme::light).size());
}

TEST_CASE("A logarithmic scale gives each decade the same share of the colours") {
  const ColourScale scale{Palette::blues, 1e-4, 1.0, Text::same(""), ColourScale::Spacing::logarithmic};
  CHECK(fraction_of(scale, 1e-3) == doctest::Approx(0.25));
  CHECK(fraction_of(scale, 1e-2) == doctest::Approx(0.5));
  CHECK(fraction_of(scale, 0.0) == 0.0);
  CHECK(fraction_of(scale, -1.0) == 0.0);
  for (const double fraction : {0.1, 0.5, 0.9}) {
    CHECK(fraction_of(scale, value_at(scale, fraction)) == doctest::Approx(fraction));
  }
}

TEST_CASE("Every palette has a name of its own and an origin and a licence in both languages") {
  std::set<std::string> names;
  for (const auto& entry : palettes()) {
    names.insert(entry.name);
    CHECK_FALSE(entry.origin.ja().empty());
    CHECK_FALSE(entry.origin.en().empty());
    CHECK_FALSE(entry.licence.ja().empty());
    CHECK_FALSE(entry.licence.en().empty());
  }
  for (const auto& entry : series_palettes()) names.insert(entry.name);
  CHECK(names.size() == palettes().size() + series_palettes().size());
}

}  // namespace
}  // namespace attnlab
