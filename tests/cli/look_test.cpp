// The flags that decide how figures look: what may be typed, and what comes of it.
#include "products/look.hpp"
#include "attnlab/output/look_flags.hpp"

#include <doctest/doctest.h>

#include "attnlab/experiment/experiment_request.hpp"
#include "core/error.hpp"
#include "products/frame_layouts.hpp"
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

TEST_CASE("a figure takes another title, or leaves title and caption to the slide") {
  const Workplace place;
  const std::vector<std::string> drawn{"heads", "--svg-text", "--lang", "en", "--quiet", "-o"};
  const auto svg = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = drawn;
    words.emplace_back("x.svg");
    words.insert(words.end(), more.begin(), more.end());
    CHECK(place.run(words).exit_code == 0);
    return place.read("x.svg");
  };
  const std::string plain = svg({});
  const std::string own = svg({"--title", "My <own> words"});
  CHECK(contains(own, "My &lt;own&gt; words"));
  const std::string none = svg({"--no-title"});
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  };
  CHECK(count(plain, "id=\"title") == 2);  // what is read out, and what is seen
  CHECK(count(none, "id=\"title") == 1);
  CHECK(count(plain, "id=\"caption") > 0);
  CHECK(count(svg({"--no-caption"}), "id=\"caption") == 0);
  CHECK(place.run({"heads", "--title", "a", "--no-title", "--lang", "en"}).exit_code == 2);
}

TEST_CASE("frames of films and pages do without a title, too") {
  const Experiment& experiment = *find_named(experiments(), "vectors");
  const std::vector<Figure> figures = run(experiment, Arguments(experiment.parameters)).figures;
  const auto titles = [&](const std::vector<std::string>& flags) {
    const DisplayList list = FrameLayouts(figures, look_of(flags)).at(0).list;
    return std::count_if(list.items.begin(), list.items.end(),
                         [](const Item& item) { return item.id.rfind("title", 0) == 0; });
  };
  CHECK(titles({}) > 0);
  CHECK(titles({"--no-title"}) == 0);
}

}  // namespace

TEST_CASE("a range is an interval, that of the data, that of the rest of the keys, or decades") {
  const auto choice_of = [](const char* word) { return look_of({"--range", word}).colours; };
  CHECK(std::holds_alternative<RangeOfData>(*choice_of("data").range));
  const auto unit = std::get<Interval>(*choice_of("0:1").range);
  CHECK(unit.low == 0.0);
  CHECK(unit.high == 1.0);
  const auto other = std::get<Interval>(*choice_of("-0.5:2e1").range);
  CHECK(other.low == -0.5);
  CHECK(other.high == 20.0);
  CHECK(choice_of("0:1").spacing == ColourScale::Spacing::linear);
  CHECK(choice_of("log").spacing == ColourScale::Spacing::logarithmic);
  CHECK(!choice_of("log").range);
  CHECK(choice_of("data").first_key == FirstKey::counts);
  CHECK(choice_of("rest").first_key == FirstKey::left_out);
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
  CHECK(layout_options(look_of({"--preset", "book"}), {}).caption == Wording::left_to_text);
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
  CHECK(contains(refusal({"--preset", "slides"}), "slide-16x9"));
  CHECK(contains(refusal({"--title", "T", "--no-title"}), "cannot be given together"));
}

}  // namespace attnlab
