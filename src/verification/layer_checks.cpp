// Draws each case's inputs, runs the layer, and compares stage by stage.
#include "verification/layer_checks.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "core/agreement.hpp"
#include "verification/layer_case.hpp"
#include "verification/layer_stages.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {
namespace {

template <class T>
constexpr const char* dtype = std::is_same_v<T, float> ? "float32" : "float64";

/// The tolerance of a whole case: it grows with its largest score.
template <class T>
double tolerance(const StoredJson& stages) {
  const double largest =
      stages.contains("scores") ? largest_magnitude(stored_array(stages.at("scores")).data) : 0.0;
  return std::is_same_v<T, float> ? tolerance32(largest) : tolerance64(largest);
}

template <class T>
VerifyCheck check_stage(const std::string& subject, const std::string& stage, const Text& detail,
                        const Tensor<T>& got, const StoredJson& stored, double allowed) {
  const StoredArray expected = stored_array(stored);
  Deviation found = deviation(numbers_of(got), expected.data, allowed);
  if (!std::equal(got.shape().begin(), got.shape().end(), expected.shape.begin(), expected.shape.end())) {
    found.absolute = found.relative = std::numeric_limits<double>::infinity();
    found.agrees = false;
  }
  return check_of(Section::layers, subject, stage, detail, found);
}

template <class T>
void check_case(const std::string& layer, const StoredJson& json, std::vector<VerifyCheck>& checks) {
  if (!json.contains(dtype<T>)) return;  // the positional encodings exist in double alone
  const std::string subject = layer + " " + dtype<T>;
  const LayerCase one = read_layer_case(json);
  const Text detail = Text::same(one.name);
  const StoredJson& stored = json.at(dtype<T>);
  const double allowed = tolerance<T>(stored);
  try {
    const NamedTensors<T> stages = layer_stages(layer, one.options, draw_inputs<T>(one));
    if (stages.size() != stored.size()) throw std::runtime_error("other stages than stored");
    for (const auto& [name, got] : stages) {
      checks.push_back(check_stage(subject, name, detail, got, stored.at(name), allowed));
    }
  } catch (const std::exception& error) {
    checks.push_back(failed_check(Section::layers, subject, "", Text::same(one.name + ": " + error.what())));
  }
}

}  // namespace

std::vector<VerifyCheck> check_layers(const std::string& path, std::string_view json) {
  std::vector<VerifyCheck> checks;
  try {
    const StoredJson file = StoredJson::parse(json);
    const auto layer = file.at("layer").get<std::string>();
    for (const StoredJson& one : file.at("cases")) {
      check_case<float>(layer, one, checks);
      check_case<double>(layer, one, checks);
    }
  } catch (const std::exception& error) {
    checks.push_back(failed_check(Section::layers, path, "", Text::same(error.what())));
  }
  return checks;
}

}  // namespace attnlab
