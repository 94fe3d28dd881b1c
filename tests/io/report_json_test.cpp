// The --json object: arrays first, then single numbers, figures and sentences.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "io/report_files.hpp"
#include "io/sample_report.hpp"

using attnlab::arrays_json;
using attnlab::Report;
using attnlab::report_json;
using Json = nlohmann::ordered_json;

TEST_CASE("the object begins with the arrays file and goes on with scalars and figures and notes") {
  const Report report = attnlab::test::sample_report();
  const Json whole = Json::parse(report_json(report, {}));
  const Json arrays = Json::parse(arrays_json(report));
  std::vector<std::string> keys;
  for (const auto& item : whole.items()) keys.push_back(item.key());
  CHECK(keys == std::vector<std::string>{"schema", "experiment", "version", "parameters", "arrays", "scalars",
                                         "figures", "notes"});
  for (const auto& item : arrays.items()) CHECK(whole[item.key()] == item.value());
}

TEST_CASE("scalars are numbers or the words for what JSON lacks") {
  const Json json = Json::parse(report_json(attnlab::test::sample_report(), {}));
  CHECK(json["scalars"] == Json({{"entropy", 0.7302}, {"gap", "-inf"}}));
}

TEST_CASE("notes are the marked sentences in both languages and not the running text") {
  const Json json = Json::parse(report_json(attnlab::test::sample_report(), {}));
  REQUIRE(json["notes"].size() == 3);
  CHECK(json["notes"][0] == Json({{"ja", "和は 1"}, {"en", "they sum to 1"}}));
  CHECK(json["notes"][1]["en"] == "a probability");
  CHECK(json["notes"][2]["ja"] == "注");
}

TEST_CASE("figures are paths and a path that is not UTF-8 still gives valid JSON") {
  const std::string text = report_json(attnlab::test::sample_report(), {"図/a.png", "b\xFF.svg"});
  const Json json = Json::parse(text);
  REQUIRE(json["figures"].size() == 2);
  CHECK(json["figures"][0] == "図/a.png");
  CHECK(json["figures"][1] == "b\uFFFD.svg");
}

TEST_CASE("an empty report is a whole object") {
  const Json json = Json::parse(report_json(Report{}, {}));
  CHECK(json["arrays"] == Json::object());
  CHECK(json["parameters"] == Json::object());
  CHECK(json["scalars"] == Json::object());
  CHECK(json["figures"] == Json::array());
  CHECK(json["notes"] == Json::array());
}
