// The stored layers: what the reference covers, and that a changed number is noticed.
#include "verification/function_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "core/embedded_file.hpp"

namespace attnlab {
namespace {

Json layer_file(const std::string& layer) {
  for (const EmbeddedFile& file : reference_files()) {
    if (file.path == "layers/" + layer + ".json") return Json::parse(file.text);
  }
  FAIL("no file for ", layer);
  return {};
}

/// True when the first input of a case has these batch dimensions before its matrix.
bool has_batch(const Json& one, const std::vector<std::size_t>& batch) {
  const auto shape = one.at("inputs").front().get<std::vector<std::size_t>>();
  return shape.size() == batch.size() + 2 && std::equal(batch.begin(), batch.end(), shape.begin());
}

std::size_t failures(const Checks& checks) {
  return static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [](const VerifyCheck& check) { return !check.agrees; }));
}

}  // namespace

TEST_CASE("every layer is stored for each batch shape in both types") {
  for (const char* layer : {"scaled_dot_product", "additive", "linear", "layer_norm", "feed_forward",
                            "multi_head", "transformer_layer", "rotary"}) {
    INFO(layer);
    const Json cases = layer_file(layer).at("cases");
    for (const Json& json : cases) {
      CHECK(json.contains("float64"));
      CHECK((json.contains("float32") || layer == std::string("rotary")));
    }
    for (const std::vector<std::size_t>& batch :
         std::vector<std::vector<std::size_t>>{{}, {2, 3}, {2, 3, 3}}) {
      CHECK(std::any_of(cases.begin(), cases.end(), [&](const Json& one) { return has_batch(one, batch); }));
    }
  }
}

TEST_CASE("every kind of mask is stored with every lowest number") {
  std::set<std::pair<std::string, double>> seen;
  std::set<std::string> alignments;
  const Json file = layer_file("scaled_dot_product");
  for (const Json& json : file.at("cases")) {
    const Json mask = json.value("options", Json::object()).value("mask", Json::object());
    if (mask.empty()) continue;
    seen.insert({mask.at("kind"), stored_number(mask.at("hidden"))});
    if (mask.contains("alignment")) alignments.insert(mask.at("alignment"));
  }
  for (const char* kind : {"causal", "padding", "window"}) {
    for (const double hidden : {-infinity, -1e9, -1e5, -65504.0}) {
      INFO(kind, " ", hidden);
      CHECK(seen.count({kind, hidden}) == 1);
    }
  }
  CHECK(alignments == std::set<std::string>{"bottom_right", "top_left"});
}

TEST_CASE("a changed number of any stage fails that stage alone") {
  for (const char* layer : {"scaled_dot_product", "linear", "multi_head"}) {
    INFO(layer);
    Json file = layer_file(layer);
    file.at("cases") = Json::array({file.at("cases").at(0)});
    CHECK(failures(check_layers(file)) == 0);
    for (const char* type : {"float32", "float64"}) {
      for (const auto& item : file.at("cases").at(0).at(type).items()) {
        Json changed = file;
        Json& number = changed["cases"][0][type][item.key()]["data"][0];
        number = number.get<double>() * 1.0001 + 1e-4;
        std::size_t failed = 0;
        for (const VerifyCheck& check : check_layers(changed)) {
          if (check.agrees) continue;
          ++failed;
          CHECK(check.stage == item.key());
        }
        CHECK(failed == 1);
      }
    }
  }
}

TEST_CASE("another seed or another mask than stored fails") {
  Json file = layer_file("scaled_dot_product");
  file.at("cases") = Json::array({file.at("cases").at(0)});
  Json other_seed = file;
  other_seed["cases"][0]["seed"] = 12345;
  CHECK(failures(check_layers(other_seed)) > 0);
  Json masked = file;
  masked["cases"][0]["options"]["mask"] = {{"kind", "padding"}, {"padded", 1}, {"hidden", "-inf"}};
  CHECK(failures(check_layers(masked)) > 0);
}

TEST_CASE("an unknown layer or word fails instead of passing over") {
  Json file = layer_file("linear");
  file.at("layer") = "convolution";
  CHECK(failures(check_layers(file)) == 2 * file.at("cases").size());
  Json mask = layer_file("scaled_dot_product");
  mask["cases"][0]["options"]["mask"] = {{"kind", "diagonal"}, {"hidden", 0}};
  CHECK(failures(check_layers(mask)) == 2);  // in both types
}

// What a case stores is enough to draw its inputs: NumPy's stream, one array after the other.
TEST_CASE("the inputs of a case are drawn in the order in which it names them") {
  const Json json =
      Json::parse(R"({"name": "", "seed": 0, "inputs": {"b": [2], "a": [1, 2]}, "times": {"a": 10}})");
  const NamedTensors<double> inputs = draw_inputs<double>(json);
  REQUIRE(inputs.size() == 2);
  // RandomState(0).randn(4): 1.76405235 0.40015721 0.97873798 2.2408932
  CHECK(inputs.at("b")(1) == doctest::Approx(0.40015721).epsilon(1e-8));
  CHECK(inputs.at("a")(0, 1) == doctest::Approx(22.408932).epsilon(1e-8));
}

}  // namespace attnlab
