// `attend` against NumPy's and PyTorch's results: draws each case's tensors, names its weights as a file
// would, types its flags, and runs it.
#include <exception>

#include "attend/attend.hpp"
#include "core/named.hpp"
#include "verification/function_checks.hpp"
#include "verification/report_checks.hpp"

namespace attnlab {
namespace {

AttendSettings settings_of(const Json& one, const std::string& weights) {
  Arguments arguments(attend_parameters());
  for (const auto& [flag, value] : one.value("flags", Flags())) arguments.set(flag, value);
  arguments.set("weights", weights);
  return attend_settings(arguments);
}

/// The tensors of the file that --projections would name.
template <class T>
LayerWeights<T> read_layer(const Json& names, const NamedTensors<T>& drawn, const AttendInputs<T>& inputs,
                           const AttendSettings& settings) {
  const auto list = names.get<std::vector<std::string>>();
  const StoredLayer<T> provided =
      stored_layer<T>(find_layer(list, ""), list, [&](std::size_t place) { return drawn.at(list[place]); });
  const InputWidths widths{inputs.query.shape().back(), inputs.key_tokens().shape().back(),
                           inputs.value_tokens().shape().back()};
  return layer_weights(provided, widths, settings);
}

template <class T>
Report run_case(const Json& one, const AttendSettings& settings) {
  const NamedTensors<T> drawn = draw_inputs<T>(one);
  AttendInputs<T> inputs;
  inputs.query = drawn.at(drawn.count("x") > 0 ? "x" : "query");
  if (drawn.count("key") > 0) inputs.key = drawn.at("key");
  if (drawn.count("value") > 0) inputs.value = drawn.at("value");
  if (one.contains("layer")) inputs.weights = read_layer<T>(one.at("layer"), drawn, inputs, settings);
  for (const Json& mask : one.value("masks", Json::array())) {
    add_mask<T>({"mask", stored_tensor<T>(mask.at("array")), mask.at("boolean").get<bool>()},
                settings.true_means, inputs);
  }
  return attend(std::move(inputs), settings, quiet_context());
}

/// The stored stages are float64's: inputs are rounded to T before anything else, and every sum is.
template <class T>
double tolerance_of_case(const Json& one) {
  const double largest = one.at("largest_score").get<double>();
  return std::max(tolerance_for<T>(largest), rounding_of<T>(one.at("terms").get<std::size_t>(), largest));
}

template <class T>
Checks check_case(const std::string& topic, const Json& one, const std::string& weights) {
  const auto name = one.at("name").get<std::string>();
  const std::string subject =
      fmt::format("attend {}{}", dtype_name<T>, weights == "stream" ? " streamed" : "");
  const auto check = [&](const std::string& what, const std::string& stage, const Deviation& found) {
    return VerifyCheck{found, Section::attend, subject, topic + " " + what, Text::same(name + ": " + stage)};
  };
  try {
    const Report report = run_case<T>(one, settings_of(one, weights));
    Checks checks;
    for (const auto& [stage, expected] : one.at("stages").items()) {
      const Stage* found = find_named(report.stages, stage);
      if (found == nullptr && stage == "weights") continue;  // streamed
      if (found == nullptr) throw std::out_of_range("no stage " + stage);
      const Array& got = found->array;
      const bool is_statistic = stage != "weights" && stage != "output";
      checks.push_back(check(is_statistic ? "statistics" : stage, stage,
                             deviation_from(expected, got.shape, got.data, tolerance_of_case<T>(one))));
    }
    for (const Invariant& invariant : report.invariants) {
      checks.push_back(check("invariants", invariant.name,
                             {invariant.error, not_a_number, invariant.tolerance, holds(invariant)}));
    }
    return checks;
  } catch (const std::exception& error) {
    return {failed_check(Section::attend, subject, topic, Text::same(name + ": " + error.what()))};
  }
}

}  // namespace

Checks check_attend(const std::string& topic, const Json& file) {
  Checks checks;
  for (const Json& one : file.at("cases")) {
    for (const char* weights : {"keep", "stream"}) {
      append(checks, check_case<double>(topic, one, weights));
      append(checks, check_case<float>(topic, one, weights));
    }
  }
  return checks;
}

}  // namespace attnlab
