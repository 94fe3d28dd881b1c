// Numbers in JSON: nested lists and attnlab's own arrays, and what is refused with its place.
#include <doctest/doctest.h>

#include <cmath>

#include "core/constants.hpp"
#include "io/folder.hpp"
#include "io/foreign_bytes.hpp"
#include "io/report_files.hpp"
#include "io/sample_report.hpp"

using attnlab::NamedArray;
using attnlab::TensorFormat;
using attnlab::test::contains;

namespace {

using Numbers = std::vector<double>;
using Shape = std::vector<std::size_t>;
using attnlab::infinity;

std::vector<NamedArray> arrays(const std::string& text) {
  return named_arrays(attnlab::test::foreign(TensorFormat::json, text));
}

std::string complaint(const std::string& text) {
  return attnlab::test::complaint_about(TensorFormat::json, text);
}

}  // namespace

TEST_CASE("nested lists become one array without a name") {
  const NamedArray matrix = arrays(" [[1, 2.5], [-3e2, true], [\"-inf\", 0]]\n").front();
  CHECK(matrix.name.empty());
  CHECK(matrix.array.shape == Shape{3, 2});
  CHECK(matrix.array.data == Numbers{1, 2.5, -300, 1, -infinity, 0});
  CHECK(matrix.storage == NamedArray::Storage::float64);
  CHECK(arrays("[]").front().array.shape == Shape{0});
  CHECK(arrays("[[], []]").front().array.shape == Shape{2, 0});
  CHECK(arrays("[[[1]], [[2]]]").front().array.shape == Shape{2, 1, 1});
}

TEST_CASE("an object gives its arrays by name") {
  const std::vector<NamedArray> two =
      arrays(R"({"q": [[1, 2]], "k": {"shape": [2, 1], "data": [3, "nan"]}})");
  REQUIRE(two.size() == 2);
  CHECK(two[0].name == "q");
  CHECK(two[0].array.data == Numbers{1, 2});
  CHECK(two[1].name == "k");
  CHECK(two[1].array.shape == Shape{2, 1});
  CHECK(std::isnan(two[1].array.data[1]));
  const NamedArray single = arrays(R"({"shape": [1], "dtype": "float32", "data": [0.1]})").front();
  CHECK(single.storage == NamedArray::Storage::float32);
  CHECK(single.array.data[0] == static_cast<double>(0.1F));
}

TEST_CASE("what is no array in an object leaves the others readable, and says why when asked for") {
  const attnlab::TensorFile file = attnlab::test::foreign(
      TensorFormat::json,
      R"({"who": "A", "w": [[1, 2]], "loss": 0.5, "n": null, "rows": [[1], [2, 3]], "o": {"shape": [1]}})");
  REQUIRE(named_arrays(file).size() == 1);
  CHECK(named_arrays(file).front().name == "w");
  std::vector<std::string> types;
  for (const attnlab::StoredTensor& foreign : file.foreign)
    types.push_back(foreign.name + ": " + foreign.foreign->en());
  CHECK(types ==
        std::vector<std::string>{"who: words", "loss: a number", "n: null", "rows: a list", "o: an object"});
  const auto refusal = [&](const std::string& name) {
    return attnlab::test::complaint_of([&] { refuse_foreign(file, name); });
  };
  CHECK(
      contains(refusal("rows"), "in array 'rows': there is a list of 2 at [1] where a list of 1 is needed"));
  CHECK(contains(refusal("who"), "there is 'A' where nested lists"));
}

TEST_CASE("the JSON that the tool writes it reads back bit for bit") {
  const attnlab::Report report = attnlab::test::sample_report();
  const std::vector<NamedArray> read = arrays(attnlab::arrays_json(report));
  REQUIRE(read.size() == report.stages.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    CAPTURE(report.stages[i].name);
    CHECK(read[i].name == report.stages[i].name);
    CHECK(read[i].array.shape == report.stages[i].array.shape);
    CHECK(read[i].array.dtype == report.stages[i].array.dtype);
    const Numbers& expected = report.stages[i].array.data;
    REQUIRE(read[i].array.data.size() == expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const double value = read[i].array.data[k];
      CHECK((value == expected[k] || (std::isnan(value) && std::isnan(expected[k]))));
    }
  }
}

TEST_CASE("ragged and mixed lists are refused with their place") {
  CHECK(contains(complaint("[[1, 2], [3]]"), "a list of 1 at [1] where a list of 2 is needed"));
  CHECK(contains(complaint("[[1, 2], 3]"), "there is 3 at [1] where a list of 2"));
  CHECK(contains(complaint("[1, [2]]"), "there is a list at [1] where a number is needed"));
  CHECK(contains(complaint("[[1, 2], [3, null]]"), "there is null at [1][1]"));
  CHECK(contains(complaint(R"([["one"]])"), "there is 'one' at [0][0]"));
  CHECK(contains(complaint(R"({"w": [1, {}]})"), "in array 'w': there is an object at [1]"));
}

TEST_CASE("a stated shape must fit its data") {
  CHECK(contains(complaint(R"({"w": {"shape": [2, 2], "data": [1, 2, 3]}})"),
                 "3 values; its shape (2, 2) needs 4"));
  CHECK(contains(complaint(R"({"w": {"shape": [1152921504606846976], "data": []}})"), "too large"));
  CHECK(contains(complaint(R"({"w": {"shape": [-1], "data": []}})"), "a whole number from 0"));
  CHECK(contains(complaint(R"({"w": {"shape": 3, "data": []}})"), "\"shape\" is not a list"));
  CHECK(contains(complaint(R"({"w": {"shape": [0], "data": {}}})"), "\"data\" is not a list"));
}

TEST_CASE("what is no JSON of numbers is refused") {
  CHECK(contains(complaint(""), "it is empty"));
  CHECK(contains(complaint(" \n"), "it is empty"));
  CHECK(contains(complaint("[1, 2"), "not valid JSON"));
  CHECK(contains(complaint("[1] [2]"), "at byte 4: it is not valid JSON"));
  CHECK(contains(complaint("[nan]"), "it is not valid JSON"));
  CHECK(contains(complaint("[1e999]"), "not valid JSON"));
  CHECK(contains(complaint("{\"\xc3\x28\": 1}"), "not valid JSON"));
  CHECK(contains(complaint("3"), "there is 3 where nested lists"));
  CHECK(contains(complaint("{}"), "no arrays in it"));
  CHECK(contains(complaint(R"({"w": [1], "w": [2]})"), "'w' occurs twice"));
}

TEST_CASE("NaN as json.dump writes it is named as such") {
  for (const char* text : {"[1, NaN]", "[Infinity]", "[[0.5, -Infinity]]"}) {
    CAPTURE(text);
    CHECK(contains(complaint(text), "JSON has no NaN and no Infinity; write \"nan\", \"inf\", \"-inf\""));
  }
  CHECK(contains(complaint("[1, Nan]"), "it is not valid JSON"));
}

TEST_CASE("no array has more than 32 axes") {
  std::string ones = "1";
  for (int i = 0; i < 32; ++i) ones += ",1";
  CHECK(contains(complaint("{\"shape\": [" + ones + "], \"data\": [1]}"), "it has 33 axes; at most 32"));
}

TEST_CASE("neither depth nor width of JSON takes more than it should") {
  CHECK(contains(complaint(std::string(1000000, '[')), "nested more than 40 levels"));
  std::string wide = "[0";
  for (std::size_t i = 0; i <= std::size_t{1} << 24U; ++i) wide += ",0";
  CHECK(contains(complaint(wide + "]"), "more than 16777216 values"));
  std::string names = "{";
  for (int i = 0; i < 2000; ++i) names += (i == 0 ? "\"a" : ",\"a") + std::to_string(i) + "\":[1]";
  CHECK(contains(complaint(names + "}"), "more than 1024 names"));
}
