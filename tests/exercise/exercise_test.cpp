// The problem that is read out of a run: complete, solvable from what is printed, and without its answer.
#include "exercise/exercise.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/named.hpp"
#include "exercise/sheet_pages.hpp"
#include "exercise/step_words.hpp"
#include "results/derivation/recompute.hpp"
#include "results/report/terminal.hpp"

using attnlab::Arguments;
using attnlab::Array;
using attnlab::Derivation;
using attnlab::Exercise;
using attnlab::Experiment;
using attnlab::Language;
using attnlab::Report;
using attnlab::Stage;

namespace {

const Experiment& experiment(const std::string& name) {
  return *attnlab::find_named(attnlab::experiments(), name);
}

Report rounded_run(const std::string& name, int decimals = 3) {
  return attnlab::run_rounded(experiment(name), Arguments(experiment(name).parameters), decimals);
}

bool names_stage(const std::vector<Stage>& stages, const std::string& name) {
  return attnlab::find_named(stages, name) != nullptr;
}

/// What a reader has: the numbers as they are printed.
double read_number(std::string printed) {
  const std::string minus = "−";
  if (printed.rfind(minus, 0) == 0) printed.replace(0, minus.size(), "-");
  const std::size_t infinite = printed.find("∞");
  if (infinite != std::string::npos) printed.replace(infinite, std::string("∞").size(), "inf");
  return std::stod(printed);
}

}  // namespace

TEST_CASE("an exercise gives the inputs on the way to what is asked, and no others") {
  const Exercise exercise = attnlab::exercise_of(rounded_run("self-attention"), {"題", "title"}, {"weights"});
  CHECK(attnlab::names_of(exercise.provided) == std::vector<std::string>{"x", "w_query", "w_key"});
  REQUIRE(exercise.requested.size() == 1);
  CHECK(exercise.steps.back().name == "weights");
  CHECK(attnlab::printed_cells(exercise) == 4 * 8 + 8 * 8 + 8 * 8 + 4 * 4);
}

TEST_CASE("what is asked is weights, else the first softmax, else what words can tell") {
  CHECK(attnlab::questions(rounded_run("heads")).front() == "weights");
  CHECK(attnlab::questions(rounded_run("scaling")).front() == "weights_low");
  CHECK(attnlab::questions(rounded_run("cost")).front() == "bytes");
  CHECK(attnlab::questions(Report{}).empty());
}

TEST_CASE("the answer follows from the printed numbers alone") {
  for (const Experiment& one : attnlab::experiments()) {
    CAPTURE(one.name);
    const Report report = attnlab::run_rounded(one, Arguments(one.parameters), 3);
    const std::string requested = attnlab::questions(report).front();
    const Exercise exercise = attnlab::exercise_of(report, one.shows, {requested});
    if (attnlab::printed_cells(exercise) > attnlab::most_printed_cells) continue;
    std::vector<Stage> known;
    for (Stage provided : exercise.provided) {
      const std::vector<std::string> printed = attnlab::printed_numbers(provided.array);
      for (std::size_t i = 0; i < printed.size(); ++i) {
        const double value = read_number(printed[i]);
        const bool same = value == provided.array.data[i] || std::abs(provided.array.data[i]) < 1e-15 ||
                          std::abs(value - provided.array.data[i]) <= 1e-7 * std::abs(provided.array.data[i]);
        CHECK(same);
        provided.array.data[i] = value;
      }
      known.push_back(std::move(provided));
    }
    for (const Stage& original : exercise.steps) {
      for (const std::string& operand : original.derivation.operands) {
        CAPTURE(original.name);
        CAPTURE(operand);
        CHECK(names_stage(known, operand));
      }
      CHECK(!attnlab::words_of(original).ja().empty());
      Stage found = original;
      if (attnlab::is_recomputable(original.derivation)) found.array = attnlab::recomputed(original, known);
      for (std::size_t i = 0; i < found.array.data.size(); ++i) {
        if (std::isfinite(original.array.data[i])) {
          CHECK(found.array.data[i] == doctest::Approx(original.array.data[i]).epsilon(1e-6));
        }
      }
      known.push_back(std::move(found));
    }
  }
}

TEST_CASE("drawn numbers are rounded before the answer is computed; typed ones stay") {
  const Report report = rounded_run("self-attention", 2);
  for (const double value : attnlab::stage(report, "x").array.data) {
    CHECK(value == doctest::Approx(std::round(100.0 * value) / 100.0).epsilon(1e-12));
  }
  const Report vectors = rounded_run("vectors", 2);
  CHECK(attnlab::stage(vectors, "vectors").array.data[2] == doctest::Approx(std::cos(std::acos(-1.0) / 5.0)));
}

TEST_CASE("an array that is given or not there cannot be asked") {
  const Report report = rounded_run("self-attention");
  CHECK_THROWS_AS(attnlab::exercise_of(report, {"", ""}, {"x"}), attnlab::Error);
  CHECK_THROWS_AS(attnlab::exercise_of(report, {"", ""}, {"nope"}), attnlab::Error);
}

TEST_CASE("numbers are printed with as few digits as give them back") {
  CHECK(attnlab::printed_numbers({{3}, {}, {1.0, -2.0, -0.0}}) == std::vector<std::string>{"1", "−2", "0"});
  CHECK(attnlab::printed_numbers({{2}, {}, {0.125, -1.5}}) == std::vector<std::string>{"0.125", "−1.500"});
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(attnlab::printed_numbers({{2}, {}, {0.0, -infinity}}) == std::vector<std::string>{"0", "−∞"});
  CHECK(attnlab::printed_numbers({{3}, {}, {0.1 + 0.2, std::sin(std::acos(-1.0)), std::sqrt(2.0)}}) ==
        std::vector<std::string>{"0.3", "0", "1.4142136"});
}

TEST_CASE("the terminal shows the task and the numbers but no answer") {
  const Report report = rounded_run("self-attention");
  const Exercise exercise = attnlab::exercise_of(report, experiment("self-attention").shows, {"weights"});
  const std::string text =
      attnlab::to_terminal(attnlab::exercise_body(exercise), Language::en, attnlab::Colouring::plain);
  CHECK(text.find("From x, w_query, w_key below, compute weights") != std::string::npos);
  CHECK(text.find("w_key (8, 8):") != std::string::npos);
  CHECK(text.find("weights (4, 4):\n") == std::string::npos);
}

TEST_CASE("a sheet keeps its text apart and on the page, in both languages") {
  for (const std::string name : {"self-attention", "heads", "masks", "lookup", "encoder"}) {
    const Report report = rounded_run(name);
    const Exercise exercise =
        attnlab::exercise_of(report, experiment(name).shows, {attnlab::questions(report).front()});
    for (const Language language : {Language::ja, Language::en}) {
      CAPTURE(name);
      const attnlab::Student student{"s-01", "山田 <b>太郎</b> & co"};
      for (const attnlab::SheetPages& sheet :
           {attnlab::exercise_sheet(exercise, student, "attnlab", language),
            attnlab::exercise_sheet(exercise, std::nullopt, "attnlab", language),
            attnlab::answer_sheet(exercise, student, "attnlab", language)}) {
        CHECK(sheet.warnings.empty());
        for (const attnlab::Page& page : sheet.pages) {
          std::vector<attnlab::Corners> inked;
          for (const attnlab::Item& item : page.list.items) {
            const auto* label = std::get_if<attnlab::Label>(&item.shape);
            if (label == nullptr) continue;
            const attnlab::Box box = bounds_of(item);
            CHECK(box.x >= 0.0);
            CHECK(box.right() <= page.list.width);
            CHECK(box.bottom() <= page.list.height);
            const attnlab::Corners corners = ink_corners(*label);
            for (const attnlab::Corners& other : inked) {
              if (overlap(corners, other) > 0.0) CHECK(overlap(corners, other) == 0.0);
            }
            inked.push_back(corners);
          }
        }
      }
    }
  }
}
