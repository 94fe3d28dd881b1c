// The choice of the stage, and its comparison.
#include "results/check/check.hpp"

#include "core/agreement.hpp"
#include "core/named.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

// --- Choice of the stage -----------------------------------------------------------------------------------

Check compared(const std::vector<Stage>& trace, std::size_t index, const NamedArray& submitted) {
  Check check;
  check.array = submitted.name;
  check.stage = trace[index];
  check.submitted_shape = submitted.array.shape;
  const std::optional<Array> fitted = in_shape(submitted, trace[index].array.shape);
  check.shape_fits = fitted.has_value();
  if (!fitted) return check;
  check.submitted = *fitted;
  check.comparison = *compare_in_shape(submitted, trace[index].array, largest_score_of(trace, index));
  return check;
}

double relative_error(const Check& check) {
  const double largest = largest_magnitude(check.stage.array.data);
  return largest == 0.0 ? check.comparison.largest_error : check.comparison.largest_error / largest;
}

/// The last of the nearest; the last of all when it is no more than twice as far away.
Check& nearest(std::vector<Check>& checks) {
  const auto closer = [](const Check& a, const Check& b) { return relative_error(a) < relative_error(b); };
  Check& closest = *std::min_element(checks.rbegin(), checks.rend(), closer);
  return relative_error(checks.back()) <= 2.0 * relative_error(closest) ? checks.back() : closest;
}

/// What explains a stage: one mistake, or two.
struct Explaining {
  const std::vector<Stage>& trace;
  const NamedArray& submitted;
  const std::vector<Origin>& origins;
  const StepsInside& inside;

  std::optional<Diagnosis> operator()(std::size_t index, bool in_pairs) const {
    const double largest_score = largest_score_of(trace, index);
    const std::vector<Stage> inner = inside ? with_steps_inside(trace, index, inside) : std::vector<Stage>{};
    const std::vector<Stage>& steps = inside ? inner : trace;
    const std::size_t target = inside ? inner.size() - 1 : index;
    return in_pairs ? diagnosis_of_two(steps, target, submitted, largest_score)
                    : diagnosis_of(steps, target, submitted, largest_score, origins);
  }
};

/// Float64 numbers that agree only as float32 do are wrong where a mistake of small effect, such as another
/// eps, gives all of their digits.
void seek_small_mistake(const Explaining& explained, Check& check) {
  const NamedArray& submitted = explained.submitted;
  if (check.comparison.closeness != Closeness::float32) return;
  if (strictest(submitted, check.stage.array) != Closeness::float64) return;
  const std::size_t index = index_of(explained.trace, check.stage.name);
  check.diagnosis = explained(index, false);
  if (!check.diagnosis) return;
  const NamedArray fitted{"", check.submitted, submitted.storage, submitted.half_units};
  check.comparison = compare_as_stored(fitted, check.stage.array, largest_score_of(explained.trace, index));
}

}  // namespace

std::size_t index_of(const std::vector<Stage>& trace, const std::string& name) {
  const Stage* found = find_named(trace, name);
  if (found == nullptr) throw std::logic_error("there is no stage " + name);
  return static_cast<std::size_t>(found - trace.data());
}

std::vector<bool> made_of(const std::vector<Stage>& trace, std::size_t target) {
  std::vector<bool> part(trace.size(), false);
  part[target] = true;
  for (std::size_t i = target + 1; i-- > 0;) {
    if (!part[i]) continue;
    for (const std::string& name : trace[i].derivation.operands) part[index_of(trace, name)] = true;
  }
  return part;
}

double largest_score_of(const std::vector<Stage>& trace, std::size_t target) {
  using Operation = Derivation::Operation;
  constexpr double far = 40.0;  // exp(-40) = 4e-18
  const std::vector<bool> part = made_of(trace, target);
  double largest = 0.0;
  for (std::size_t i = 0; i <= target; ++i) {
    const Operation operation = trace[i].derivation.operation;
    for (const std::string& name : trace[i].derivation.operands) {
      const bool is_exponent = operation == Operation::softmax || operation == Operation::power ||
                               (operation == Operation::worked && name.find("scores") != std::string::npos);
      if (!part[i] || !is_exponent) continue;
      const Array& scores = trace[index_of(trace, name)].array;
      const std::size_t row = scores.shape.empty() ? 1 : scores.shape.back();
      double most = 0.0;
      for (std::size_t j = 0; j < scores.data.size(); ++j) {
        if (j % row == 0) most = maximum_of(&scores.data[j], row);
        if (std::isfinite(scores.data[j]) && !(scores.data[j] < most - far))
          largest = std::max(largest, std::abs(scores.data[j]));
      }
    }
  }
  return largest;
}

bool differs_by_run(const Stage& stage) {
  return stage.derivation.operation == Derivation::Operation::measured ||
         stage.derivation.operation == Derivation::Operation::learned;
}

bool agrees(const Check& check) { return check.shape_fits && check.comparison.agrees; }

Check check_stage(const std::vector<Stage>& trace, const std::string& stage, const NamedArray& submitted,
                  const std::vector<Origin>& origins, const StepsInside& inside) {
  const std::size_t index = index_of(trace, stage);
  Check check = compared(trace, index, submitted);
  const Explaining explained{trace, submitted, origins, inside};
  if (agrees(check)) {
    seek_small_mistake(explained, check);
    return check;
  }
  check.diagnosis = explained(index, false);
  if (!check.diagnosis) check.diagnosis = explained(index, true);
  return check;
}

std::optional<Check> check_by_shape(const std::vector<Stage>& trace, const NamedArray& submitted,
                                    const std::vector<Origin>& origins, const StepsInside& inside) {
  std::vector<Check> checks;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (differs_by_run(trace[i])) continue;
    Check check = compared(trace, i, submitted);
    check.matching = Check::Matching::by_shape;
    if (check.shape_fits) checks.push_back(std::move(check));
  }
  if (checks.empty()) return std::nullopt;
  const Explaining explained{trace, submitted, origins, inside};
  const auto right = std::find_if(checks.rbegin(), checks.rend(), agrees);
  if (right != checks.rend()) {
    seek_small_mistake(explained, *right);
    return *right;
  }
  // of very many alike, as those of a model's layers, the nearest
  constexpr std::size_t most_sought = 12;
  std::vector<double> errors;
  errors.reserve(checks.size());
  for (const Check& check : checks) errors.push_back(relative_error(check));
  std::sort(errors.begin(), errors.end());
  const double largest = errors[std::min(errors.size(), most_sought) - 1];
  for (const bool in_pairs : {false, true}) {
    for (auto check = checks.rbegin(); check != checks.rend(); ++check) {
      if (!(relative_error(*check) <= largest) || (in_pairs && &*check != &nearest(checks))) continue;
      check->diagnosis = explained(index_of(trace, check->stage.name), in_pairs);
      if (check->diagnosis) return *check;
    }
  }
  return nearest(checks);
}

}  // namespace attnlab
