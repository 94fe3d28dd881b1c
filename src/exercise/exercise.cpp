// Reads the problem out of the trace: which stages the asked ones were made of, and which of these are given.
#include "exercise/exercise.hpp"

#include "core/agreement.hpp"
#include "core/error.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "exercise/step_words.hpp"
#include "experiments/framework/inputs.hpp"
#include "results/check/check.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;

/// The place of an array that can be asked.
std::size_t place_of(const Report& report, const std::string& name) {
  std::vector<std::string> names;
  for (const Stage& stage : report.stages) {
    if (!stage.derivation.is_computed()) continue;
    if (stage.name == name) return index_of(report.stages, name);
    names.push_back(stage.name);
  }
  const Text choices = text("選べるのは {} です", "choose from {}", joined(names, ", "));
  if (find_named(report.stages, name) != nullptr) {
    refuse_usage(text("{0} の {1} は与えられる配列で、計算するものではありません",
                      "{1} is given by {0}, and not to be computed", report.experiment, quotation(name)),
                 choices);
  }
  refuse_usage(text("{} に配列 {} はありません", "{} has no array {}", report.experiment, quotation(name)),
               choices);
}

/// Which stages have to be known to compute the asked ones, those included; what is given ends a way.
std::vector<bool> on_the_way(const std::vector<Stage>& trace, const std::vector<std::size_t>& requested) {
  std::vector<bool> part(trace.size(), false);
  for (const std::size_t place : requested) part[place] = true;
  for (std::size_t i = trace.size(); i-- > 0;) {
    const bool is_requested = std::find(requested.begin(), requested.end(), i) != requested.end();
    if (!part[i] || (!is_requested && !can_be_recorded(trace[i]))) continue;
    for (const std::string& name : trace[i].derivation.operands) part[index_of(trace, name)] = true;
  }
  return part;
}

}  // namespace

double rounded(double value, int decimals) {
  const double unit = std::pow(10.0, decimals);
  if (!std::isfinite(value) || !std::isfinite(value * unit)) return value;
  return std::round(value * unit) / unit + 0.0;  // no -0
}

std::vector<std::string> questions(const Report& report) {
  std::vector<std::string> names;
  for (const Stage& stage : report.stages)
    if (stage.derivation.rows_sum_to_one) names.push_back(stage.name);
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name == "weights"; });
  if (!names.empty()) return names;
  for (auto stage = report.stages.rbegin(); stage != report.stages.rend(); ++stage) {
    if (can_be_recorded(*stage)) names.push_back(stage->name);
  }
  return names;
}

Exercise exercise_of(const Report& report, const Text& title, const std::vector<std::string>& requested) {
  const std::vector<Stage>& trace = report.stages;
  std::vector<std::size_t> places;
  places.reserve(requested.size());
  for (const std::string& name : requested) places.push_back(place_of(report, name));
  const std::vector<bool> part = on_the_way(trace, places);
  Exercise exercise{title, {}, {}, {}};
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (!part[i]) continue;
    const bool is_requested = std::find(places.begin(), places.end(), i) != places.end();
    (is_requested || can_be_recorded(trace[i]) ? exercise.steps : exercise.provided).push_back(trace[i]);
  }
  for (const std::size_t place : places) exercise.requested.push_back(trace[place]);
  return exercise;
}

std::size_t printed_cells(const Exercise& exercise) {
  std::size_t cells = 0;
  for (const Stage& stage : exercise.provided) cells += stage.array.data.size();
  for (const Stage& stage : exercise.requested) cells += stage.array.data.size();
  return cells;
}

Report run_rounded(const Experiment& experiment, const Arguments& arguments, int decimals) {
  Report first = run(experiment, arguments);
  std::vector<InputArray> arrays;
  for (const std::string& name : input_names(experiment.inputs)) {
    const Origin* origin = find_named(first.origins, name);
    const Stage* drawn = find_named(first.stages, name);
    if (origin == nullptr || origin->kind != Origin::Kind::drawn || drawn == nullptr) continue;
    InputArray array{name, name, drawn->array};
    for (double& value : array.values.data) value = rounded(value, decimals);
    arrays.push_back(std::move(array));
  }
  if (arrays.empty()) return first;
  Arguments rounded_arguments = arguments;
  give_arrays(rounded_arguments, experiment, arrays);
  return run(experiment, rounded_arguments);
}

std::vector<Block> exercise_body(const Exercise& exercise) {
  std::vector<Block> body{Paragraph{Role::heading, text("演習：{}", "Exercise: {}", exercise.title)},
                          Paragraph{Role::text, task_of(exercise)}};
  std::size_t number = 0;
  for (const Stage& step : exercise.steps) {
    body.emplace_back(Paragraph{Role::text, sentence_of(step, ++number)});
  }
  for (const Stage& stage : exercise.provided) body.emplace_back(Values{Text::same(stage.name), stage.array});
  return body;
}

std::vector<std::string> printed_numbers(const Array& array) {
  constexpr int most = 8;
  const auto exact_with = [&](int decimals) {
    return std::all_of(array.data.begin(), array.data.end(), [&](double value) {
      // A float32 of 0.123 is 0.12300000339746475.
      const double allowed = array.dtype == DType::float32 ? 1e-7 * std::abs(value) : 0.0;
      return !std::isfinite(value) || std::abs(rounded(value, decimals) - value) <= allowed;
    });
  };
  // What rounding left of a zero: 1.2e-16 for sin π.
  const double noise = 1e-14 * largest_magnitude(array.data);
  int decimals = 0;
  while (decimals < most && !exact_with(decimals)) ++decimals;
  const bool fits = exact_with(decimals);
  std::vector<std::string> numbers;
  numbers.reserve(array.data.size());
  for (const double value : array.data) {
    if (std::isnan(value)) {
      numbers.emplace_back("nan");
    } else if (std::isinf(value)) {
      numbers.emplace_back(value < 0.0 ? "−∞" : "∞");
    } else if (!fits && std::abs(value) < noise) {
      numbers.emplace_back("0");
    } else {
      std::string number =
          fits ? fmt::format("{:.{}f}", value + 0.0, decimals) : fmt::format("{:.{}g}", value, most);
      if (!number.empty() && number.front() == '-') number.replace(0, 1, "−");
      numbers.push_back(std::move(number));
    }
  }
  return numbers;
}

}  // namespace attnlab
