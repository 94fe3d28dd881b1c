// The arrays as JSON: read again, they are the arrays that were written.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/version.hpp"
#include "io/report_files.hpp"
#include "io/sample_report.hpp"

using attnlab::arrays_json;
using attnlab::Report;
using attnlab::Stage;
using Json = nlohmann::ordered_json;

namespace {

double number(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  return std::strtod(json.get<std::string>().c_str(), nullptr);
}

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  return keys;
}

}  // namespace

TEST_CASE("arrays come back with shape and axes and type and every digit") {
  const Report report = attnlab::test::sample_report();
  const Json json = Json::parse(arrays_json(report));
  REQUIRE(json["arrays"].size() == report.stages.size());
  for (const Stage& stage : report.stages) {
    const Json& array = json["arrays"][stage.name];
    CHECK(array["shape"].get<std::vector<std::size_t>>() == stage.array.shape);
    CHECK(array["axes"].get<std::vector<std::string>>() == stage.array.axes);
    CHECK(array["dtype"] == (stage.array.dtype == attnlab::DType::float32 ? "float32" : "float64"));
    REQUIRE(array["data"].size() == stage.array.data.size());
    for (std::size_t i = 0; i < stage.array.data.size(); ++i) {
      const double read = number(array["data"][i]);
      const double written = stage.array.data[i];
      CHECK((read == written || (std::isnan(read) && std::isnan(written))));
    }
  }
}

TEST_CASE("NaN and infinities are strings without a sign of NaN") {
  const Json json = Json::parse(arrays_json(attnlab::test::sample_report()));
  const Json& data = json["arrays"]["naive"]["data"];
  CHECK(data[0] == "nan");
  CHECK(data[1] == "inf");
  CHECK(data[2] == "-inf");
}

TEST_CASE("keys keep the order of the schema and arrays the order of the computation") {
  const Json json = Json::parse(arrays_json(attnlab::test::sample_report()));
  CHECK(keys_of(json) == std::vector<std::string>{"schema", "experiment", "version", "parameters", "arrays"});
  CHECK(keys_of(json["arrays"]) == std::vector<std::string>{"weights", "naive", "sum", "nothing"});
  CHECK(keys_of(json["arrays"]["weights"]) == std::vector<std::string>{"shape", "axes", "dtype", "data"});
  CHECK(json["schema"] == 1);
  CHECK(json["version"] == attnlab::version);
}

TEST_CASE("parameters have the type of their declaration") {
  const Json parameters = Json::parse(arrays_json(attnlab::test::sample_report()))["parameters"];
  CHECK(parameters["tokens"].is_number_integer());
  CHECK(parameters["tokens"] == 4);
  CHECK(parameters["base"].is_number_float());
  CHECK(parameters["base"] == 10000.0);
  CHECK(parameters["scores"] == Json({2.0, -0.5}));
  CHECK(parameters["labels"] == Json({"猫", "\"a\""}));
  CHECK(parameters["range"] == "0:1");
  CHECK(parameters["long"].is_null());
}

TEST_CASE("the text is one line that ends with a line feed") {
  const std::string text = arrays_json(attnlab::test::sample_report());
  CHECK(text.find('\n') == text.size() - 1);
}
