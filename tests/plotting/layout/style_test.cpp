// Presets: what a page for a purpose promises.
#include "plotting/layout/style.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace attnlab {

TEST_CASE("Every preset has a name of its own, a purpose, and letters of at least its smallest size") {
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    names.insert(preset.name);
    CHECK_FALSE(preset.purpose.ja().empty());
    CHECK_FALSE(preset.purpose.en().empty());
    const Measures& sizes = preset.measures;
    CHECK(sizes.smallest >= smallest_text);
    CHECK(std::min({sizes.title, sizes.panel_title, sizes.body, sizes.tick, sizes.caption}) >=
          sizes.smallest);
    CHECK(sizes.title > sizes.panel_title);
    CHECK(sizes.panel_title > sizes.tick);
    CHECK(sizes.line > 0.0);
  }
  CHECK(names == std::set<std::string>{"slide-16x9", "slide-4x3", "book", "column", "poster", "square"});
}

TEST_CASE("A slide of 16:9 is 13.33 by 7.5 inches and has no text below 18 points") {
  const Preset& slide = preset_named("slide-16x9");
  CHECK(slide.page.width == doctest::Approx(13.33).epsilon(0.001));
  CHECK(slide.page.height == 7.5);
  CHECK(slide.measures.smallest >= 18.0);
  CHECK(preset_named("slide-4x3").page.width / preset_named("slide-4x3").page.height ==
        doctest::Approx(4.0 / 3.0));
}

TEST_CASE("A preset that is not there is no preset") {
  CHECK_THROWS_AS(preset_named("slide"), std::out_of_range);
}

}  // namespace attnlab
