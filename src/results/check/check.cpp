// The choice of the stage, its comparison, and a diagnosis where the two do not agree.
#include "results/check/check.hpp"

#include <algorithm>

#include "core/agreement.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

/// The largest |score|: of the stages called scores, else of what a softmax was taken of.
double largest_score_of(const std::vector<Stage>& trace) {
  double named_scores = 0.0;
  double softmaxed = 0.0;
  for (const Stage& stage : trace) {
    if (stage.name.find("scores") != std::string::npos) {
      named_scores = std::max(named_scores, largest_magnitude(stage.array.data));
    }
    if (stage.derivation.operation != Derivation::Operation::softmax) continue;
    for (const Array* operand : operands_of(stage, trace)) {
      softmaxed = std::max(softmaxed, largest_magnitude(operand->data));
    }
  }
  return named_scores > 0.0 ? named_scores : softmaxed;
}

// --- Choice of the stage -----------------------------------------------------------------------------------

Check compared(const std::vector<Stage>& trace, std::size_t index, const NamedArray& given) {
  Check check;
  check.array = given.name;
  check.stage = trace[index];
  check.given_shape = given.array.shape;
  const std::optional<Array> fitted = in_shape(given, trace[index].array.shape);
  check.shape_fits = fitted.has_value();
  if (!fitted) return check;
  check.given = *fitted;
  check.comparison = *compare_in_shape(given, trace[index].array, largest_score_of(trace));
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

}  // namespace

bool is_measured(const Stage& stage) {
  return stage.derivation.operation == Derivation::Operation::measured;
}

bool agrees(const Check& check) {
  return check.shape_fits && check.comparison.agrees;
}

Check check_stage(const std::vector<Stage>& trace, const std::string& stage, const NamedArray& given) {
  const std::size_t index = index_of(trace, stage);
  Check check = compared(trace, index, given);
  if (!agrees(check)) check.diagnosis = diagnosis_of(trace, index, given, largest_score_of(trace));
  return check;
}

std::optional<Check> check_by_shape(const std::vector<Stage>& trace, const NamedArray& given) {
  std::vector<Check> checks;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (is_measured(trace[i])) continue;
    Check check = compared(trace, i, given);
    check.matching = Check::Matching::by_shape;
    if (check.shape_fits) checks.push_back(std::move(check));
  }
  if (checks.empty()) return std::nullopt;
  const auto right = std::find_if(checks.rbegin(), checks.rend(), agrees);
  if (right != checks.rend()) return *right;
  for (auto check = checks.rbegin(); check != checks.rend(); ++check) {
    check->diagnosis =
        diagnosis_of(trace, index_of(trace, check->stage.name), given, largest_score_of(trace));
    if (check->diagnosis) return *check;
  }
  return nearest(checks);
}

}  // namespace attnlab
