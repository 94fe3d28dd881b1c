// The invariants and derivations of one report.
#include "verification/report_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <string>

#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// --- Rows of weights

bool holds_weights(const Stage& stage) {
  const Array& array = stage.array;
  return stage.name.find("weights") != std::string::npos && !array.axes.empty() &&
         array.axes.back() == "keys" && !array.data.empty();
}

/// True when a softmax of these scores has no value: nothing is readable, or the scores are none themselves.
bool gives_nan(const double* scores, std::size_t keys) {
  const bool nothing_readable =
      std::all_of(scores, scores + keys, [](double score) { return score == -infinity; });
  return nothing_readable ||
         std::any_of(scores, scores + keys, [](double score) { return std::isnan(score); });
}

/// The scores from which the weights were computed, when they are a softmax of a stage of the same shape.
const Array* scores_of(const Stage& weights, const Report& report) {
  if (weights.derivation.operation != Derivation::Operation::softmax) return nullptr;
  const Array* scores = operands_of(weights, report.stages).front();
  return scores->shape == weights.array.shape ? scores : nullptr;
}

/// |sum - 1|; 0 for a row that is NaN for a reason, infinite for one that is without.
double error_of_row(const double* row, const double* scores, std::size_t keys) {
  double sum = 0.0;
  for (std::size_t key = 0; key < keys; ++key) sum += row[key];
  if (!std::isnan(sum)) return std::abs(sum - 1.0);
  const bool all_nan = std::all_of(row, row + keys, [](double weight) { return std::isnan(weight); });
  return all_nan && scores != nullptr && gives_nan(scores, keys) ? 0.0 : infinity;
}

VerifyCheck check_rows(const Stage& stage, const Report& report) {
  const std::size_t keys = stage.array.shape.back();
  const Array* scores = scores_of(stage, report);
  double largest = 0.0;
  for (std::size_t start = 0; start < stage.array.data.size(); start += keys) {
    const double* row_scores = scores == nullptr ? nullptr : scores->data.data() + start;
    largest = std::max(largest, error_of_row(stage.array.data.data() + start, row_scores, keys));
  }
  // Every weight is rounded once, and so is every addition.
  const double epsilon = stage.array.dtype == DType::float32
                             ? static_cast<double>(std::numeric_limits<float>::epsilon())
                             : std::numeric_limits<double>::epsilon();
  const double allowed = epsilon * static_cast<double>(keys + 2);
  return {Section::invariants,
          report.experiment,
          stage.name,
          {"どの行も和が 1", "every row sums to 1"},
          largest,
          largest,
          allowed,
          largest <= allowed};
}

// --- Derivations

/// Rounding grows with the numbers that went in: those of a softmax are scores.
double tolerance(const Stage& stage, const std::vector<const Array*>& operands) {
  double largest = 0.0;
  for (const Array* operand : operands) largest = std::max(largest, largest_magnitude(operand->data));
  return stage.array.dtype == DType::float32 ? tolerance32(largest) : tolerance64(largest);
}

VerifyCheck check_derivation(const Stage& stage, const Report& report) {
  const Section section = Section::derivations;
  std::string operands;
  for (const std::string& name : stage.derivation.operands) operands += (operands.empty() ? "" : ", ") + name;
  const Text detail = {operands + " から", "from " + operands};
  try {
    const std::vector<const Array*> found = operands_of(stage, report.stages);
    const Array again = recomputed(stage, report.stages);
    return check_of(section, report.experiment, stage.name, detail,
                    deviation(stage.array.data, again.data, tolerance(stage, found)));
  } catch (const std::exception& error) {
    return failed_check(section, report.experiment, stage.name, Text::same(error.what()));
  }
}

}  // namespace

std::vector<VerifyCheck> check_invariants(const Report& report) {
  std::vector<VerifyCheck> checks;
  for (const Invariant& invariant : report.invariants) {
    checks.push_back({Section::invariants, report.experiment, invariant.name, invariant.statement,
                      invariant.error, nan, invariant.tolerance, holds(invariant)});
  }
  for (const Stage& stage : report.stages) {
    if (holds_weights(stage)) checks.push_back(check_rows(stage, report));
  }
  return checks;
}

std::vector<VerifyCheck> check_derivations(const Report& report) {
  std::vector<VerifyCheck> checks;
  for (const Stage& stage : report.stages) {
    if (is_recomputable(stage.derivation)) checks.push_back(check_derivation(stage, report));
  }
  return checks;
}

}  // namespace attnlab
