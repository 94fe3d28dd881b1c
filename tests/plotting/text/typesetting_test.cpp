// Latin and Japanese letters of one line stand on one base line, whichever script comes first.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "plotting/text/text_measure.hpp"
#include "plotting/text/text_runs.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

Label label_of(const std::string& markup, Weight weight = Weight::regular) {
  Label label;
  label.markup = markup;
  label.size = 20.0;
  label.weight = weight;
  return label;
}

const std::vector<std::string> mixed{
    "注意度 weights", "weights 注意度", "クエリq とキーk", "「q·k」の 10 倍", "猫", "H"};

}  // namespace

TEST_CASE("Every run of a line stands on the label's base line") {
  for (const Weight weight : {Weight::regular, Weight::bold}) {
    for (const std::string& markup : mixed) {
      CAPTURE(markup);
      const RunsOfLabel runs = runs_of(label_of(markup, weight));
      REQUIRE_FALSE(runs.runs.empty());
      for (const TextRun& run : runs.runs) {
        CHECK(run.baseline == doctest::Approx(runs.baseline).epsilon(1e-6));
        CHECK(run.rise == 0.0);
      }
    }
  }
}

TEST_CASE("Outlines of mixed text have no height of their own") {
  GlyphOutlines outlines;
  for (const std::string& markup : mixed) {
    CAPTURE(markup);
    for (const PlacedGlyph& glyph : outlines.glyphs_of(label_of(markup))) CHECK(glyph.y == 0.0);
  }
}

TEST_CASE("The ink of mixed text reaches as high and as low in either order") {
  const Box one = measure("注意度Hg", 20.0, Weight::regular).ink;
  const Box other = measure("Hg注意度", 20.0, Weight::regular).ink;
  CHECK(one.y == doctest::Approx(other.y).epsilon(1e-4));
  CHECK(one.height == doctest::Approx(other.height).epsilon(1e-4));
}

TEST_CASE("Scripts keep their rise behind Japanese letters, and roots their foot") {
  const std::string sub = to_markup(formula::sub(formula::sym("d"), formula::sym("k")), 20.0);
  const std::string sup = to_markup(formula::sup(formula::sym("x"), formula::sym("2")), 20.0);
  const auto rises = [](const std::string& markup) {
    const RunsOfLabel runs = runs_of(label_of(markup));
    std::vector<double> found;
    for (const TextRun& run : runs.runs) {
      if (run.rise != 0.0) found.push_back(run.rise);
      CHECK(runs.baseline - run.baseline == doctest::Approx(run.rise).epsilon(1e-6));
    }
    return found;
  };
  const std::vector<double> alone = rises(sub + sup);
  REQUIRE(alone.size() == 2);
  CHECK(alone[0] < 0.0);
  CHECK(alone[1] > 0.0);
  CHECK(rises("次元 " + sub + sup) == alone);
  CHECK(rises("次元 √" + sub) == rises("a √" + sub));
}

}  // namespace attnlab
