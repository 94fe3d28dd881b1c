// Where figures and data go when the user says where.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "program.hpp"

using attnlab::contains;
using attnlab::Experiment;
using attnlab::experiments;
using attnlab::lines_of;
using attnlab::Outcome;
using attnlab::Workplace;

namespace {

/// An experiment with several figures, and their names.
struct Several {
  std::string experiment;
  std::vector<std::string> figures;
};

Several several_figures() {
  for (const Experiment& experiment : experiments()) {
    const attnlab::Report report = attnlab::run(experiment, attnlab::Arguments(experiment.parameters));
    if (report.figures.size() < 2) continue;
    Several several{experiment.name, {}};
    for (const attnlab::Figure& figure : report.figures) several.figures.push_back(figure.name);
    return several;
  }
  FAIL("no experiment has several figures");
  return {};
}

struct Size {
  unsigned width = 0;
  unsigned height = 0;
};

/// From the header of a PNG.
Size pixels_of(const std::string& png) {
  const auto number_at = [&](std::size_t at) {
    unsigned number = 0;
    for (std::size_t i = at; i < at + 4; ++i) number = number * 256 + static_cast<unsigned char>(png[i]);
    return number;
  };
  return {number_at(16), number_at(20)};
}

}  // namespace

TEST_CASE("the extension chooses the format of each file") {
  for (const Experiment& experiment : experiments()) {
    CAPTURE(experiment.name);
    const Workplace place;
    const Outcome outcome = place.run({experiment.name, "-o", "x.png", "--output=x.svg", "-o", "x.pdf"});
    CHECK(outcome.exit_code == 0);
    CHECK(attnlab::is_png(place.read("x.png")));
    CHECK(attnlab::is_svg(place.read("x.svg")));
    CHECK(attnlab::is_pdf(place.read("x.pdf")));
    CHECK(place.files() == std::vector<std::string>{"x.pdf", "x.png", "x.svg"});
    const std::vector<std::string> lines = lines_of(outcome.out);
    CHECK(std::vector<std::string>(lines.end() - 3, lines.end()) ==
          std::vector<std::string>{"x.png", "x.svg", "x.pdf"});
  }
}

TEST_CASE("one file of several figures takes the main one and the others are named on standard error") {
  const Several several = several_figures();
  const Workplace place;
  const Outcome outcome = place.run({several.experiment, "-o", "x.png"});
  CHECK(outcome.exit_code == 0);
  for (std::size_t i = 1; i < several.figures.size(); ++i) {
    CHECK(contains(outcome.err, "--figure " + several.figures[i]));
  }
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(
      place.run({several.experiment, "--quiet", "-o", "y.png", "--figure", several.figures[0]}).err.empty());
  CHECK(place.read("x.png") == place.read("y.png"));
  CHECK(
      place.run({several.experiment, "--quiet", "-o", "z.png", "--figure", several.figures[1]}).err.empty());
  CHECK(place.read("x.png") != place.read("z.png"));
}

TEST_CASE("all figures of one file get their names before its extension") {
  const Several several = several_figures();
  const Workplace place;
  CHECK(place.run({several.experiment, "-o", "x.png", "--figure", "all"}).exit_code == 0);
  CHECK(place.files().size() == several.figures.size());
  for (const std::string& figure : several.figures) CHECK(place.has("x-" + figure + ".png"));
}

TEST_CASE("a pdf takes all figures as pages") {
  const Several several = several_figures();
  const Workplace place;
  CHECK(place.run({several.experiment, "-o", "x.pdf"}).exit_code == 0);
  CHECK(contains(place.read("x.pdf"), "/Count " + std::to_string(several.figures.size())));
  CHECK(place.run({several.experiment, "-o", "y.pdf", "--figure", several.figures[1]}).exit_code == 0);
  CHECK(contains(place.read("y.pdf"), "/Count 1"));
}

TEST_CASE("a folder is created for the figures") {
  const Workplace place;
  CHECK(place.run({"vectors", "--output-dir", "slides/week 1", "--format", "svg,pdf"}).exit_code == 0);
  CHECK_FALSE(place.files().empty());
  for (const std::string& file : place.files()) CHECK(file.rfind("slides/week 1/vectors", 0) == 0);
  CHECK(place.run({"vectors", "--output-dir", "slides/week 1/"}).exit_code == 0);
}

TEST_CASE("no figure is drawn when none is wanted") {
  const Workplace place;
  const Outcome outcome = place.run({"vectors", "--no-figure"});
  CHECK(outcome.exit_code == 0);
  CHECK_FALSE(outcome.out.empty());
  CHECK(place.files().empty());
}

TEST_CASE("quiet prints nothing and still draws") {
  const Workplace place;
  const Outcome outcome = place.run({"vectors", "--quiet"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  CHECK_FALSE(place.files().empty());
}

TEST_CASE("a size in any unit is a picture of that many pixels") {
  const Workplace place;
  const auto size_of = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"self-attention", "-o", "x.png", "--quiet"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    CHECK(place.run(words).exit_code == 0);
    return pixels_of(place.read("x.png"));
  };
  CHECK(size_of({"--size", "12inx12in"}).width == 1728);
  CHECK(size_of({"--size", "12x9in", "--dpi", "100"}).height == 900);
  for (const unsigned width : {1000U, 1001U, 1277U, 1333U, 1728U}) {
    CHECK(size_of({"--size", std::to_string(width) + "x1111px"}).width == width);
    CHECK(size_of({"--size", std::to_string(width) + "x1111px", "--dpi", "97"}).width == width);
  }
}

TEST_CASE("a theme and a language change the picture") {
  const Workplace place;
  CHECK(place.run({"heads", "-o", "light.svg", "--quiet"}).exit_code == 0);
  CHECK(place.run({"heads", "-o", "dark.svg", "--quiet", "--theme", "dark"}).exit_code == 0);
  CHECK(place.run({"heads", "-o", "ja.svg", "--quiet", "--lang", "ja"}).exit_code == 0);
  CHECK(place.read("light.svg") != place.read("dark.svg"));
  CHECK(place.read("light.svg") != place.read("ja.svg"));
}

TEST_CASE("json is all there is on standard output and lists the figures that were written") {
  for (const Experiment& experiment : experiments()) {
    CAPTURE(experiment.name);
    const Workplace place;
    const Outcome outcome = place.run({experiment.name, "--json"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.find('\n') == outcome.out.size() - 1);
    const nlohmann::json json = nlohmann::json::parse(outcome.out);
    CHECK(json.at("schema") == 1);
    CHECK(json.at("experiment") == experiment.name);
    const std::size_t not_set = experiment.inputs.empty() ? 0 : 1;  // --input
    CHECK(json.at("parameters").size() + not_set == experiment.parameters.size());
    CHECK_FALSE(json.at("notes").empty());
    for (const auto& item : json.at("arrays").items()) {
      const std::string& name = item.key();
      const nlohmann::json& array = item.value();
      CAPTURE(name);
      std::size_t count = 1;
      for (const std::size_t length : array.at("shape")) count *= length;
      CHECK(array.at("data").size() == count);
      CHECK(array.at("axes").size() == array.at("shape").size());
    }
    std::vector<std::string> figures = json.at("figures");
    std::sort(figures.begin(), figures.end());
    CHECK(figures == place.files());
  }
}

TEST_CASE("json without figures lists none") {
  const Workplace place;
  const nlohmann::json json = nlohmann::json::parse(place.run({"softmax", "--json", "--no-figure"}).out);
  CHECK(json.at("figures").empty());
  CHECK(place.files().empty());
}

TEST_CASE("data files hold the arrays of the json output") {
  const Workplace place;
  const Outcome outcome =
      place.run({"vectors", "--no-figure", "--json", "--data", "a.json", "--data", "a.npz", "--data=a.csv"});
  CHECK(outcome.exit_code == 0);
  CHECK(place.files() == std::vector<std::string>{"a.csv", "a.json", "a.npz"});
  const nlohmann::json printed = nlohmann::json::parse(outcome.out);
  CHECK(nlohmann::json::parse(place.read("a.json")).at("arrays") == printed.at("arrays"));
  CHECK(place.read("a.npz").rfind("PK", 0) == 0);
  const std::string csv = place.read("a.csv");
  std::size_t values = 0;
  for (const auto& array : printed.at("arrays")) values += array.at("data").size();
  CHECK(lines_of(csv).size() == 1 + values);
}

TEST_CASE("a seed changes what is drawn at random, and where nothing is there is none") {
  for (const Experiment& experiment : experiments()) {
    CAPTURE(experiment.name);
    const bool random =
        std::any_of(experiment.parameters.begin(), experiment.parameters.end(),
                    [](const attnlab::Parameter& parameter) { return parameter.name == "seed"; });
    const Workplace place;
    const auto arrays = [](const Outcome& outcome) {
      return nlohmann::json::parse(outcome.out).at("arrays");
    };
    const Outcome plain = place.run({experiment.name, "--json", "--no-figure"});
    const Outcome seeded = place.run({experiment.name, "--json", "--no-figure", "--seed", "4294967295"});
    CHECK(seeded.exit_code == (random ? 0 : 2));
    if (random) CHECK(arrays(plain) != arrays(seeded));
  }
}

TEST_CASE("a warning names the figure that it is about, where there are several") {
  const Workplace place;
  const Outcome drawn = place.run(
      {"decoder", "--preset", "column", "--figure", "all", "-o", "x.svg", "--quiet", "--lang", "en"});
  CHECK(contains(drawn.err, "decoder architecture: architecture has no room on the page of column"));
  for (std::size_t at = 0; (at = drawn.err.find("warning: ", at)) != std::string::npos; ++at)
    CHECK(drawn.err.compare(at, 17, "warning: decoder ") == 0);
}

TEST_CASE("flags of the experiments reach them") {
  const Workplace place;
  const auto shape = [&](const std::vector<std::string>& arguments, const std::string& array) {
    std::vector<std::string> words = arguments;
    words.insert(words.end(), {"--json", "--no-figure"});
    const Outcome outcome = place.run(words);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    return nlohmann::json::parse(outcome.out)
        .at("arrays")
        .at(array)
        .at("shape")
        .get<std::vector<std::size_t>>();
  };
  using Shape = std::vector<std::size_t>;
  CHECK(shape({"softmax", "--scores", "-1,2"}, "weights") == Shape{2});
  CHECK(shape({"softmax", "--scores=-1,2,-3"}, "weights") == Shape{3});
  CHECK(shape({"vectors", "--count", "12", "--queries", "45,0,90"}, "weights") == Shape{3, 12});
  CHECK(shape({"vectors", "--query-angle", "-45"}, "vectors") == Shape{10, 2});
  CHECK(shape({"vectors", "--queries", "-45,0"}, "output") == Shape{2, 2});
  CHECK(shape({"scaling", "--keys", "7"}, "weights_high") == Shape{7});
  CHECK(shape({"self-attention", "--tokens", "5", "--labels", "neko"}, "weights") == Shape{5, 5});
  CHECK(shape({"heads", "--heads", "2", "--tokens", "3"}, "weights") == Shape{2, 3, 3});
  CHECK(shape({"positional", "--positions", "9", "--width", "7"}, "encoding") == Shape{9, 7});
}
