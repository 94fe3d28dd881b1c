// Roots in running text: what the bar covers, and that it touches the sign and clears the letters.
#include <doctest/doctest.h>

#include "plotting/text/text_measure.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

std::string over(const std::string& radicand) { return "√<span overline=\"single\">" + radicand + "</span>"; }

}  // namespace

TEST_CASE("A bar covers a letter, a number, or what parentheses hold, which it replaces") {
  CHECK(mark_radicands("q·k/√d times") == "q·k/" + over("d") + " times");
  CHECK(mark_radicands("√64.5.") == over("64.5") + ".");
  CHECK(mark_radicands("√(σ² + δ) x") == over("σ² + δ") + " x");
  CHECK(mark_radicands("√σ") == over("σ"));
  CHECK(mark_radicands("√(a + √(b))") == over("a + " + over("b")));
  CHECK(mark_radicands("√d<span size=\"7000\" rise=\"-1600\">k</span> V") ==
        over("d<span size=\"7000\" rise=\"-1600\">k</span>") + " V");
}

TEST_CASE("A root sign alone, or an open parenthesis, is left as it is") {
  for (const std::string text : {"√", "√ d", "√(a + b", "√÷", "no root", "", "平方根 √ の記号"}) {
    CHECK(mark_radicands(text) == text);
  }
}

TEST_CASE("The bar begins at the tip of the sign and stands clear above the letters") {
  for (const std::string text : {"√d", "√(σ² + δ)", "√1024", "a√x b"}) {
    CAPTURE(text);
    const Typeset set = typeset(text, 20.0, Weight::regular);
    REQUIRE(set.bars.size() == 1);
    const TextExtent letters = measure("dσ² δ1024x", reference_size, Weight::regular);
    CHECK(set.bars[0].box.width > 20.0);
    CHECK(set.bars[0].box.height > 3.0);
    CHECK(set.bars[0].box.y + set.bars[0].box.height <= letters.ink.y + letters.ink.height);
  }
  CHECK(typeset("√d", 20.0, Weight::regular).bars[0].box.y +
            typeset("√d", 20.0, Weight::regular).bars[0].box.height <
        measure("d", reference_size, Weight::regular).ink.y);
}

TEST_CASE("A root makes its line no higher") {
  CHECK(measure("√d", 20.0, Weight::regular).height ==
        doctest::Approx(measure("d", 20.0, Weight::regular).height).epsilon(0.05));
}

}  // namespace attnlab
