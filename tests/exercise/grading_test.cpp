// One student's arrays against the run that was asked, and the table of marks.
#include "exercise/class_figure.hpp"

#include <doctest/doctest.h>

#include "core/named.hpp"
#include "results/derivation/recompute.hpp"

using attnlab::Arguments;
using attnlab::Array;
using attnlab::Experiment;
using attnlab::Handing;
using attnlab::Language;
using attnlab::Mark;
using attnlab::NamedArray;
using attnlab::Report;
using attnlab::Student;

namespace {

const Student student{"s1", "A"};

Report self_attention() {
  const Experiment& experiment = *attnlab::find_named(attnlab::experiments(), "self-attention");
  return attnlab::run_rounded(experiment, Arguments(experiment.parameters), 3);
}

NamedArray named(const std::string& name, const Array& array) {
  return {name, array, NamedArray::Storage::float64, {}};
}

/// Softmax down the columns, by hand.
Array column_softmax(const Array& scores) {
  Array wrong = scores;
  const std::size_t rows = scores.shape[0];
  const std::size_t columns = scores.shape[1];
  for (std::size_t j = 0; j < columns; ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows; ++i) sum += std::exp(scores.data[i * columns + j]);
    for (std::size_t i = 0; i < rows; ++i) {
      wrong.data[i * columns + j] = std::exp(scores.data[i * columns + j]) / sum;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("the right array has full marks, under whatever name, and to four decimals") {
  const Report report = self_attention();
  const Array& weights = attnlab::stage(report, "weights").array;
  CHECK(graded(student, report, {"weights"}, {named("", weights)}).status == Handing::right);
  CHECK(graded(student, report, {"weights"}, {named("mine", weights)}).share == 1.0);
  Array rounded = weights;
  for (double& value : rounded.data) value = std::round(1e4 * value) / 1e4;
  CHECK(graded(student, report, {"weights"}, {named("", rounded)}).status == Handing::right);
}

TEST_CASE("what was asked and is no array of numbers is said to be so, and no other array is taken for it") {
  const Report report = self_attention();
  const Array& weights = attnlab::stage(report, "weights").array;
  const Mark mark = graded(student, report, {"weights"}, {named("mine", weights)}, {},
                           {{"weights", {"複素数", "complex numbers"}}, {"note", {"文字列", "words"}}});
  CHECK(mark.status == Handing::wrong);
  CHECK(mark.diagnosis.en() == "weights: it is no array of numbers (complex numbers)");
  CHECK(graded(student, report, {"weights"}, {named("mine", weights)}, {}, {{"note", {"文字列", "words"}}})
            .status == Handing::right);
}

TEST_CASE("a usual mistake has no marks and its name") {
  const Report report = self_attention();
  const Array wrong = column_softmax(attnlab::stage(report, "scores").array);
  const Mark mark = graded(student, report, {"weights"}, {named("", wrong)});
  CHECK(mark.status == Handing::wrong);
  CHECK(mark.share == 0.0);
  CHECK(mark.diagnosis.en().find("softmax runs along the queries axis") != std::string::npos);
  CHECK(mark.diagnosis.ja() != mark.diagnosis.en());
}

TEST_CASE(
    "one decimal is said to be too few, two are enough, and another student's answer is said to be theirs") {
  const Report report = self_attention();
  const Array& weights = attnlab::stage(report, "weights").array;
  const auto rounded_to = [&](double parts) {
    Array rounded = weights;
    for (double& value : rounded.data) value = std::round(value * parts) / parts;
    return graded(student, report, {"weights"}, {named("", rounded)});
  };
  CHECK(rounded_to(100).status == Handing::right);
  const Mark few = rounded_to(10);
  CHECK(few.status == Handing::wrong);
  CHECK(
      few.diagnosis.en() ==
      "weights: it agrees as far as its digits go, but those are too few to tell right from wrong: save 2 or more decimals");

  attnlab::Stage theirs = attnlab::stage(report, "weights");
  std::reverse(theirs.array.data.begin(), theirs.array.data.end());
  const std::vector<attnlab::AnswerKey> everyone{{"s1", {attnlab::stage(report, "weights")}},
                                                 {"s2", {theirs}}};
  const Mark mark = graded(student, report, {"weights"}, {named("", theirs.array)}, everyone);
  CHECK(mark.status == Handing::wrong);
  CHECK(mark.diagnosis.en() == "weights: it is the answer to s2's sheet");
  CHECK(mark.diagnosis.ja() == "weights：s2 の問題の答えです");
}

TEST_CASE("of several asked arrays each counts, by name or by shape") {
  const Report report = self_attention();
  const Array& weights = attnlab::stage(report, "weights").array;
  const Array& output = attnlab::stage(report, "output").array;
  const std::vector<std::string> requested{"weights", "output"};
  CHECK(graded(student, report, requested, {named("output", output), named("weights", weights)}).share ==
        1.0);
  CHECK(graded(student, report, requested, {named("arr_0", weights), named("arr_1", output)}).share == 1.0);
  const Mark half = graded(student, report, requested, {named("weights", weights)});
  CHECK(half.status == Handing::partly);
  CHECK(half.share == 0.5);
  CHECK(half.diagnosis.en() == "output: no such array");
}

TEST_CASE("two of three are a mark of 67") {
  const Report report = self_attention();
  std::vector<NamedArray> provided;
  for (const char* name : {"scores", "weights", "output"})
    provided.push_back(named(name, attnlab::stage(report, name).array));
  provided[1].array.data[0] += 0.01;
  const Mark mark = graded(student, report, {"scores", "weights", "output"}, provided);
  CHECK(mark.status == Handing::partly);
  CHECK(marks_csv({mark}, Language::en, false).find("\ns1,A,partly,67,\"weights: ") != std::string::npos);
}

TEST_CASE("a wrong shape and a NaN are told") {
  const Report report = self_attention();
  Array array = attnlab::stage(report, "weights").array;
  array.data[5] = std::nan("");
  CHECK(graded(student, report, {"weights"}, {named("", array)}).diagnosis.en().find("NaN") !=
        std::string::npos);
  const Mark mark = graded(student, report, {"weights"}, {named("", {{2, 3}, {}, {1, 2, 3, 4, 5, 6}})});
  CHECK(mark.diagnosis.en() == "weights: its shape is (2, 3); (4, 4) is needed");
}

TEST_CASE("a cell that a spreadsheet would compute is text") {
  std::vector<Mark> marks;
  for (const char* name : {"=1+1", "+1", "-1", "@x", "\tx", "a,b", "say \"x\"", "plain"}) {
    marks.push_back({{"s", name}, Handing::missing});
  }
  CHECK(marks_csv(marks, Language::en, false) ==
        "id,name,status,mark,diagnosis\n"
        "s,\"'=1+1\",missing,,\n"
        "s,\"'+1\",missing,,\n"
        "s,\"'-1\",missing,,\n"
        "s,\"'@x\",missing,,\n"
        "s,\"'\tx\",missing,,\n"
        "s,\"a,b\",missing,,\n"
        "s,\"say \"\"x\"\"\",missing,,\n"
        "s,plain,missing,,\n");
  const std::string half = marks_csv({{student, Handing::partly, 0.5, {"違", "-wrong"}}}, Language::en, true);
  CHECK(half == "\xEF\xBB\xBFid,name,status,mark,diagnosis\ns1,A,partly,50,\"'-wrong\"\n");
}

TEST_CASE("a class: a mistake that spoils two arrays counts once, and no bar is empty") {
  const Report report = self_attention();
  const Array& masked = attnlab::stage(report, "masked").array;
  const Array wrong = column_softmax(masked);
  const Array& value = attnlab::stage(report, "value").array;
  Array output = attnlab::stage(report, "output").array;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      output.data[i * 8 + j] = 0.0;
      for (std::size_t k = 0; k < 4; ++k)
        output.data[i * 8 + j] += wrong.data[i * 4 + k] * value.data[k * 8 + j];
    }
  }
  const std::vector<std::string> requested{"weights", "output"};
  std::vector<Mark> marks{
      graded(student, report, requested, {named("weights", wrong), named("output", output)}),
      graded(student, report, requested,
             {named("weights", attnlab::stage(report, "weights").array),
              named("output", attnlab::stage(report, "output").array)}),
      Mark{student}};
  REQUIRE(marks.front().mistakes.size() == 1);
  const attnlab::Figure figure = attnlab::class_figure(marks, {"問題", "problem"});
  const auto& chart = std::get<attnlab::Chart>(figure.panels.front().content);
  const auto& bars = std::get<attnlab::Bars>(chart.layers.front());
  CHECK(bars.values == std::vector<double>{1, 1, 1});  // right, the mistake, missing
  CHECK(figure.caption.en().find(marks.front().mistakes.front().en()) != std::string::npos);
  CHECK(attnlab::class_figure({marks[1]}, {"問題", "problem"}).title.en() == "1 of 1 are right");
}
