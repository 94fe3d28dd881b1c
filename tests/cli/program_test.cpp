// Every subcommand as a user runs it: list, help, each experiment, all.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/version.hpp"
#include "experiments/framework/experiment.hpp"
#include "program.hpp"

using attnlab::contains;
using attnlab::Experiment;
using attnlab::experiments;
using attnlab::lines_of;
using attnlab::Outcome;
using attnlab::Workplace;

namespace {

/// Without spaces and ends of lines: where a line is broken does not matter.
std::string unbroken(std::string text) {
  text.erase(
      std::remove_if(text.begin(), text.end(), [](char letter) { return letter == ' ' || letter == '\n'; }),
      text.end());
  return text;
}

/// The figures of an experiment at its defaults, as file stems: what the default place must hold.
std::vector<std::string> stems_of(const Experiment& experiment) {
  const attnlab::Report report = attnlab::run(experiment, attnlab::Arguments(experiment.parameters));
  std::vector<std::string> stems;
  for (const attnlab::Figure& figure : report.figures) {
    stems.push_back(experiment.name + "-" + figure.name);
  }
  return stems;
}

}  // namespace

TEST_CASE("list prints a line per experiment in book order") {
  const Workplace place;
  for (const attnlab::Language language : {attnlab::Language::en, attnlab::Language::ja}) {
    const Outcome outcome = place.run({"list", "--lang", language == attnlab::Language::ja ? "ja" : "en"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    const std::vector<std::string> lines = lines_of(outcome.out);
    REQUIRE(lines.size() == experiments().size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      CHECK(lines[i].rfind(experiments()[i].name + " ", 0) == 0);
      CHECK(contains(lines[i], experiments()[i].shows.in(language)));
      CHECK(contains(lines[i], experiments()[i].source.in(language)));
    }
  }
  CHECK(place.files().empty());
}

TEST_CASE("the version is printed alone") {
  const Outcome outcome = Workplace().run({"--version"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == std::string("attnlab ") + attnlab::version + "\n");
}

TEST_CASE("attnlab alone explains itself") {
  const Workplace place;
  const Outcome outcome = place.run({});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == place.run({"--help"}).out);
  CHECK(outcome.out == place.run({"help"}).out);
  CHECK(lines_of(outcome.out).size() == 15);
}

TEST_CASE("every experiment's help names each flag with its form and default in both languages") {
  const Workplace place;
  for (const Experiment& experiment : experiments()) {
    const Outcome english = place.run({experiment.name, "--help"});
    const Outcome japanese = place.run({experiment.name, "--help", "--lang", "ja"});
    CHECK(english.exit_code == 0);
    CHECK(japanese.exit_code == 0);
    CHECK(english.out == place.run({"help", experiment.name}).out);
    for (const attnlab::Parameter& parameter : experiment.parameters) {
      CAPTURE(parameter.name);
      const std::string usage = "--" + parameter.name + " " + attnlab::form_of(parameter);
      CHECK(contains(english.out, usage));
      CHECK(contains(japanese.out, usage));
      if (parameter.default_text.empty()) continue;
      const attnlab::Text value = shown_default(parameter);
      CHECK(contains(unbroken(english.out), "(default" + unbroken(value.en()) + ")"));
      CHECK(contains(unbroken(japanese.out), "（既定値" + unbroken(value.ja()) + "）"));
    }
    for (const std::string flag : {"--output", "--output-dir", "--format", "--figure", "--no-figure",
                                   "--lang", "--theme", "--size", "--dpi", "--quiet", "--json", "--data"}) {
      CAPTURE(flag);
      CHECK(contains(english.out, flag));
      CHECK(contains(japanese.out, flag));
    }
  }
}

TEST_CASE("every experiment prints a report and the paths of its figures last") {
  for (const Experiment& experiment : experiments()) {
    CAPTURE(experiment.name);
    const Workplace place;
    const Outcome outcome = place.run({experiment.name});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    const std::vector<std::string> stems = stems_of(experiment);
    const std::vector<std::string> lines = lines_of(outcome.out);
    REQUIRE(lines.size() > stems.size() + 5);
    for (std::size_t i = 0; i < stems.size(); ++i) {
      const std::string path = "figures/" + stems[i] + ".png";
      CHECK(lines[lines.size() - stems.size() + i] == path);
      CHECK(attnlab::is_png(place.read(path)));
    }
    CHECK(place.files().size() == stems.size());
  }
}

TEST_CASE("vectors prints the numbers of the book") {
  const Outcome outcome = Workplace().run({"vectors", "--no-figure"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "[0.31564538 0.31564537]"));
  CHECK(contains(outcome.out, "(10,)"));
}

TEST_CASE(
    "all draws every figure, several at a time, in the bytes that each experiment alone draws, in any format, theme and language, into a folder") {
  const std::vector<std::string> look{"--output-dir", "a/b",    "--format", "png,svg,pdf", "--theme",
                                      "dark",         "--lang", "ja",       "--dpi",       "50"};
  const auto with_look = [&](const std::string& word) {
    std::vector<std::string> words{word};
    words.insert(words.end(), look.begin(), look.end());
    return words;
  };
  const Workplace together;
  const Workplace alone;
  std::filesystem::create_directories(alone.path("a/b"));
  const Outcome outcome = together.run(with_look("all"));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  std::string paths;
  std::size_t figures = 0;
  for (const Experiment& experiment : experiments()) {
    const Outcome one = alone.run(with_look(experiment.name));
    REQUIRE(one.exit_code == 0);
    for (const std::string& line : lines_of(one.out)) {
      if (line.rfind("a/b/", 0) == 0) paths += line + "\n";
    }
    figures += stems_of(experiment).size();
  }
  CHECK(outcome.out == paths);  // in the order of the list
  CHECK(together.files().size() == 3 * figures);
  REQUIRE(together.files() == alone.files());
  for (const std::string& file : together.files()) {
    CAPTURE(file);
    CHECK((together.read(file) == alone.read(file)));
  }
}

TEST_CASE("the language comes from the locale unless a flag says otherwise") {
  const Workplace place;
  const std::string english = place.run({"list"}).out;
  attnlab::Circumstances japanese_locale;
  japanese_locale.environment = {"LC_ALL=", "LANG=ja_JP.UTF-8"};
  const std::string japanese = place.run({"list"}, japanese_locale).out;
  CHECK(japanese != english);
  CHECK(japanese == place.run({"list", "--lang", "ja"}).out);
  CHECK(english == place.run({"list", "--lang", "en"}, japanese_locale).out);
  japanese_locale.environment = {"LC_ALL=C.UTF-8", "LANG=ja_JP.UTF-8"};
  CHECK(english == place.run({"list"}, japanese_locale).out);
}

TEST_CASE("a repeated run gives the same bytes") {
  const Workplace place;
  for (const std::string name : {"vectors", "heads"}) {
    for (const std::string extension : {"png", "svg", "pdf"}) {
      const std::string first = std::string("one.") + extension;
      const std::string second = std::string("two.") + extension;
      CHECK(place.run({name, "-o", first, "--quiet"}).exit_code == 0);
      CHECK(place.run({name, "-o", second, "--quiet"}).exit_code == 0);
      CHECK(place.read(first) == place.read(second));
    }
  }
}

TEST_CASE("a mistake may be named without its flag") {
  const Workplace place;
  const Outcome named = place.run({"mistakes", "wrong-axis", "--lang", "en", "--no-figure"});
  const Outcome flagged = place.run({"mistakes", "--mistake", "wrong-axis", "--lang", "en", "--no-figure"});
  CHECK(named.exit_code == 0);
  CHECK(named.out == flagged.out);
  CHECK(place.run({"mistakes", "wrong-axis", "dropout"}).exit_code == 2);
  CHECK(place.run({"mistakes", "wrong-axle"}).exit_code == 2);
  CHECK(place.run({"mistakes", "wrong-axis", "--no-figure", "--quiet"}).out.empty());
}
