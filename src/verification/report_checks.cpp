// Runs each experiment once, and reads its report in four ways.
#include "verification/report_checks.hpp"

#include <exception>

#include "core/named.hpp"
#include "results/derivation/recompute.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {
namespace {

// --- The documents' numbers

/// " --heads 4 --seed 1": how the run would be typed; "" for the defaults.
std::string flags_text(const Flags& flags) {
  std::string text;
  for (const auto& [name, value] : flags) text += fmt::format(" --{} {}", name, value);
  return text;
}

// --- Rows of weights

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
  const Deviation found{largest, largest, allowed, largest <= allowed};
  return {
      found, Section::invariants, report.experiment, stage.name, {"どの行も和が 1", "every row sums to 1"}};
}

// --- Derivations

/// Rounding grows with the numbers that went in: those of a softmax are scores.
double tolerance(const Stage& stage, const std::vector<const Array*>& operands) {
  double largest = 0.0;
  for (const Array* operand : operands) largest = std::max(largest, largest_magnitude(operand->data));
  return stage.array.dtype == DType::float32 ? tolerance32(largest) : tolerance64(largest);
}

VerifyCheck check_derivation(const Stage& stage, const Report& report) {
  const Text detail = text("{} から", "from {}", joined(stage.derivation.operands, ", "));
  try {
    const Array again = recomputed(stage, report.stages);
    const double allowed = tolerance(stage, operands_of(stage, report.stages));
    return {deviation(stage.array.data, again.data, allowed), Section::derivations, report.experiment,
            stage.name, detail};
  } catch (const std::exception& error) {
    return failed_check(Section::derivations, report.experiment, stage.name, Text::same(error.what()));
  }
}

// --- NumPy's runs

/// The largest number that stands in an exponential: scores, and the magnitudes of a sweep.
double largest_score(const Json& arrays) {
  double largest = 0.0;
  for (const auto& [name, array] : arrays.items()) {
    if (name.find("scores") == std::string::npos && name != "magnitude") continue;
    largest = std::max(largest, largest_magnitude(stored_array(array).data));
  }
  return largest;
}

/// Each array by the type in which the experiment computed it.
Checks check_arrays(const Report& report, const Text& detail, const Json& arrays, double largest_score) {
  Checks checks;
  for (const auto& [name, expected] : arrays.items()) {
    const Array& got = stage(report, name).array;
    const double tolerance = got.dtype == DType::float32 ? tolerance_of_chain<float>(arrays, largest_score)
                                                         : tolerance_of_chain<double>(arrays, largest_score);
    const Deviation found = deviation_from(expected, got.shape, got.data, tolerance);
    checks.push_back({found, Section::runs, report.experiment, name, detail});
  }
  return checks;
}

/// A scalar may be a difference of numbers near 1: allowed is the tolerance of such numbers, or its own.
Checks check_scalars(const Report& report, const Text& detail, const Json& scalars, double tolerance) {
  Checks checks;
  for (const auto& [name, json] : scalars.items()) {
    Deviation found = deviation({scalar_of(report, name)}, {stored_number(json)}, tolerance);
    found.allowed = std::max(found.allowed, tolerance);
    found.agrees = found.absolute <= found.allowed;
    checks.push_back({found, Section::runs, report.experiment, name, detail});
  }
  return checks;
}

}  // namespace

bool Runs::knows(const std::string& experiment) const {
  return find_named(experiments_, experiment) != nullptr;
}

const Report& Runs::report(const std::string& experiment, const Flags& flags) {
  const std::pair<std::string, Flags> key{experiment, flags};
  const auto known = reports_.find(key);
  if (known != reports_.end()) return known->second;
  const Experiment* found = find_named(experiments_, experiment);
  if (found == nullptr) throw std::out_of_range("no experiment " + experiment);
  Arguments arguments(found->parameters);
  for (const auto& [name, text] : flags) arguments.set(name, text);
  return reports_.emplace(key, run(*found, arguments)).first->second;
}

VerifyCheck check_expected(const ExpectedValue& row, Runs& runs) {
  try {
    return {compare(row, runs.report(row.experiment, row.arguments)),
            Section::expected,
            row.experiment,
            row.quantity,
            text("{} {}{}", "{} {}{}", name_of(row.document), row.place, flags_text(row.arguments)),
            row.origin};
  } catch (const std::exception& error) {
    VerifyCheck failed =
        failed_check(Section::expected, row.experiment, row.quantity, Text::same(error.what()));
    failed.origin = row.origin;
    return failed;
  }
}

Checks check_invariants(const Report& report) {
  Checks checks;
  for (const Invariant& invariant : report.invariants) {
    const Deviation found{invariant.error, not_a_number, invariant.tolerance, holds(invariant)};
    checks.push_back({found, Section::invariants, report.experiment, invariant.name, invariant.statement});
  }
  for (const Stage& stage : report.stages) {
    if (stage.derivation.rows_sum_to_one && !stage.array.data.empty())
      checks.push_back(check_rows(stage, report));
  }
  return checks;
}

Checks check_derivations(const Report& report) {
  Checks checks;
  for (const Stage& stage : report.stages) {
    if (is_recomputable(stage.derivation)) checks.push_back(check_derivation(stage, report));
  }
  return checks;
}

Checks check_run(const std::filesystem::path& path, const Json& file, Runs& runs) {
  const Report& report = runs.report(path.parent_path(), file.at("flags").get<Flags>());
  const Text detail = Text::same(path);
  const Json& arrays = file.at("arrays");
  const double largest = largest_score(arrays);
  Checks checks = check_arrays(report, detail, arrays, largest);
  const Json none = Json::object();
  append(checks, check_arrays(report, detail, file.value("float32_arrays", none), largest));
  append(checks, check_scalars(report, detail, file.value("scalars", none), tolerance64(largest)));
  return checks;
}

}  // namespace attnlab
