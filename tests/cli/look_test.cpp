// The flags that decide how figures look: what may be typed, and what comes of it.
#include "attnlab/output/look.hpp"

#include <doctest/doctest.h>

#include "attnlab/experiment/experiment_request.hpp"
#include "core/error.hpp"
#include "program.hpp"

namespace attnlab {
namespace {

Look look_of(std::vector<std::string> flags) {
  flags.insert(flags.begin(), "heads");
  return read_experiment_request(parse_command_line(flags, subcommands(experiments())), Language::en).look;
}

std::string refusal(const std::vector<std::string>& flags) {
  try {
    look_of(flags);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message(Language::en);
  }
  return "";
}

}  // namespace

TEST_CASE("a range is an interval or that of the data") {
  CHECK(std::holds_alternative<RangeOfData>(parse_range("data")));
  const auto unit = std::get<Interval>(parse_range("0:1"));
  CHECK(unit.low == 0.0);
  CHECK(unit.high == 1.0);
  const auto other = std::get<Interval>(parse_range("-0.5:2e1"));
  CHECK(other.low == -0.5);
  CHECK(other.high == 20.0);
}

TEST_CASE("a range without two rising numbers is refused with the remedy") {
  for (const std::string text :
       {"auto", ":", "1", "0:", ":1", "1:0", "1:1", "0:1:2", "0:nan", "0:inf", "a:b", "-1e308:1e308"}) {
    INFO(text);
    CHECK(contains(refusal({"--range", text}), "--range 0:1"));
  }
}

TEST_CASE("a preset gives the page, --size another page with the preset's letters") {
  const Look slide = look_of({"--preset", "slide-16x9"});
  const LayoutOptions options = layout_options(slide, {3.0, 2.0});
  CHECK(options.page.height == 7.5);
  REQUIRE(options.measures);
  CHECK(options.measures->smallest >= 18.0);
  const Look wider = look_of({"--preset", "slide-16x9", "--size", "20x7.5in"});
  CHECK(layout_options(wider, {3.0, 2.0}).page.width == 20.0);
  CHECK(layout_options(wider, {3.0, 2.0}).measures->title == options.measures->title);
  CHECK(layout_options(look_of({}), {3.0, 2.0}).page.width == 3.0);
  CHECK(layout_options(look_of({"--preset", "book"}), {}).captions == Captions::left_to_text);
}

TEST_CASE("palettes are told by name, one of each kind at a time") {
  const ColourChoice choice = look_of({"--palette", "Cividis,puor,tol-bright"}).colours;
  CHECK(choice.sequential == Palette::cividis);
  CHECK(choice.diverging == Palette::puor);
  CHECK(choice.series == SeriesPalette::tol_bright);
  CHECK(contains(refusal({"--palette", "virdis"}), "did you mean viridis?"));
  CHECK(contains(refusal({"--palette", "blues,"}), "there is no palette ''"));
  for (const std::string& name : palette_names()) CHECK(refusal({"--palette", name}).empty());
}

TEST_CASE("themes, presets and switches arrive in their places") {
  CHECK(look_of({"--theme", "print"}).theme == Theme::print);
  CHECK(look_of({"--log-colour"}).colours.spacing == ColourScale::Spacing::logarithmic);
  CHECK(look_of({"--without-first-token"}).colours.first_key == FirstKey::left_out);
  CHECK(look_of({"--annotate"}).annotating == Annotating::numbers);
  CHECK(contains(refusal({"--preset", "slides"}), "slide-16x9"));
  CHECK(contains(refusal({"--annotate", "--blank"}), "cannot be given together"));
}

}  // namespace attnlab
