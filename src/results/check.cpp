// The comparison, the choice of the stage, and the search for a mistake that gives the same wrong result.
#include "results/check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/agreement.hpp"
#include "results/faults.hpp"
#include "results/recompute.hpp"

namespace attnlab {
namespace {

using Storage = NamedArray::Storage;
using Shape = std::vector<std::size_t>;

constexpr int fewest_decimals = 3;
constexpr int most_decimals = 8;

// --- Agreement ---------------------------------------------------------------------------------------------

/// The rule of tolerance32 for half precision, whose epsilon is 2^-10.
double tolerance16(double largest_score) {
  return std::max(1e-3, std::ldexp(4.0 + largest_score, -10));
}

double tolerance(Closeness closeness, double largest_score) {
  if (closeness == Closeness::float16) return tolerance16(largest_score);
  return closeness == Closeness::float32 ? tolerance32(largest_score) : tolerance64(largest_score);
}

/// What the coarser of the two types allows.
Closeness asked(const NamedArray& given, const Array& expected) {
  if (given.storage == Storage::float16) return Closeness::float16;
  const bool single = given.storage == Storage::float32 || expected.dtype == DType::float32;
  return single ? Closeness::float32 : Closeness::float64;
}

/// `allowed(i)` for the value at place i.
Comparison measured(const std::vector<double>& given, const Array& expected,
                    const std::function<double(std::size_t)>& allowed) {
  Comparison result;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const double error = difference(given[i], expected.data[i]);
    if (!(error <= allowed(i))) ++result.wrong;
    if (error > result.largest_error) {
      result.largest_error = error;
      result.worst = i;
    }
  }
  result.allowed = given.empty() ? 0.0 : allowed(result.worst);
  result.agrees = result.wrong == 0;
  return result;
}

Comparison compared_as(Closeness closeness, const std::vector<double>& given, const Array& expected,
                       double largest_score) {
  const double allowed = tolerance(closeness, largest_score) * largest_magnitude(expected.data);
  Comparison result = measured(given, expected, [allowed](std::size_t) { return allowed; });
  result.closeness = closeness;
  return result;
}

bool is_rounded_to(double value, int decimals, Storage storage) {
  if (!std::isfinite(value)) return true;
  const double unit = std::pow(10.0, decimals);
  const double rounded = std::nearbyint(value * unit) / unit;
  if (storage == Storage::float32) return static_cast<float>(value) == static_cast<float>(rounded);
  return value == rounded;
}

/// How many decimals the values were rounded to, when they all were.
std::optional<int> decimals_of(const NamedArray& given) {
  if (given.storage == Storage::text) {
    const double coarsest =
        given.half_units.empty() ? 0.0 : *std::max_element(given.half_units.begin(), given.half_units.end());
    if (coarsest <= 0.0) return std::nullopt;
    return static_cast<int>(std::lround(-std::log10(2.0 * coarsest)));
  }
  if (given.storage != Storage::float64 && given.storage != Storage::float32) return std::nullopt;
  for (int decimals = fewest_decimals; decimals <= most_decimals; ++decimals) {
    if (std::all_of(given.array.data.begin(), given.array.data.end(),
                    [&](double value) { return is_rounded_to(value, decimals, given.storage); })) {
      return decimals;
    }
  }
  return std::nullopt;
}

/// Up to half a unit of the last digit. Nothing when too few digits were written to tell right from wrong.
std::optional<Comparison> compared_as_rounded(const NamedArray& given, const Array& expected,
                                              double largest_score) {
  const std::optional<int> decimals = decimals_of(given);
  if (!decimals) return std::nullopt;
  const double largest = largest_magnitude(expected.data);
  const double coarsest = 0.5 * std::pow(10.0, -*decimals);
  const bool enough =
      *decimals >= fewest_decimals ? coarsest <= 0.02 * largest : coarsest <= 0.0005 * largest;
  if (!enough) return std::nullopt;
  const double base = tolerance64(largest_score) * largest;
  // the rounded decimal is itself rounded to a float
  const double stored = given.storage == Storage::float32 ? tolerance32() * largest : 0.0;
  const bool text = given.storage == Storage::text;
  Comparison result = measured(given.array.data, expected, [&](std::size_t i) {
    return base + stored + (text ? given.half_units[i] : coarsest);
  });
  result.closeness = Closeness::decimals;
  result.decimals = *decimals;
  return result;
}

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

// --- Diagnosis ---------------------------------------------------------------------------------------------

std::optional<Array> faulty(const std::vector<Stage>& trace, const Fault& fault, std::size_t changed,
                            std::size_t target) {
  try {
    return downstream(trace, changed, fault.make(), target);
  } catch (const ShapeMismatch&) {  // the mistake is impossible with these shapes
    return std::nullopt;
  }
}

bool is_explained_by(const NamedArray& given, const Array& wrong, double largest_score) {
  const std::optional<Array> fitted = in_shape(given, wrong.shape);
  if (!fitted) return false;
  NamedArray reshaped = given;
  reshaped.array = *fitted;
  return compare(reshaped, wrong, largest_score).agrees;
}

/// A transposed stage on the way is found as a transposed operand; "transposed" itself is for the result.
bool belongs(const Fault& fault, std::size_t changed, std::size_t target) {
  return fault.name != "transposed" || changed == target;
}

/// A factor of 1, as where there is no mask. A wrong scale is sought where there is a scale first.
bool is_identity(const Stage& stage) {
  return stage.derivation.operation == Derivation::Operation::scaled && stage.derivation.number == 1.0;
}

std::optional<Diagnosis> diagnosis_at(const std::vector<Stage>& trace, std::size_t changed,
                                      std::size_t target, const NamedArray& given, double largest_score) {
  for (const Fault& fault : faults_at(trace, changed)) {
    if (!belongs(fault, changed, target)) continue;
    const std::optional<Array> wrong = faulty(trace, fault, changed, target);
    if (wrong && is_explained_by(given, *wrong, largest_score)) {
      return Diagnosis{fault.name, fault.stage, fault.what};
    }
  }
  return std::nullopt;
}

/// From the target upwards: the nearest mistake that explains the result.
std::optional<Diagnosis> diagnosis_of(const std::vector<Stage>& trace, std::size_t target,
                                      const NamedArray& given) {
  const double largest_score = largest_score_of(trace);
  for (const bool identities : {false, true}) {
    for (std::size_t changed = target + 1; changed-- > 0;) {
      if (is_identity(trace[changed]) != identities) continue;
      std::optional<Diagnosis> diagnosis = diagnosis_at(trace, changed, target, given, largest_score);
      if (diagnosis) return diagnosis;
    }
  }
  return std::nullopt;
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
  NamedArray reshaped = given;
  reshaped.array = *fitted;
  check.comparison = compare(reshaped, trace[index].array, largest_score_of(trace));
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

std::size_t index_named(const std::vector<Stage>& trace, const std::string& name) {
  const auto found =
      std::find_if(trace.begin(), trace.end(), [&](const Stage& stage) { return stage.name == name; });
  if (found == trace.end()) throw std::logic_error("there is no stage " + name);
  return static_cast<std::size_t>(found - trace.begin());
}

Shape without_ones(const Shape& shape) {
  Shape result;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(result),
               [](std::size_t length) { return length != 1; });
  return result;
}

std::size_t size_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

}  // namespace

bool agrees(const Check& check) {
  return check.shape_fits && check.comparison.agrees;
}

std::optional<Array> in_shape(const NamedArray& given, const Shape& shape) {
  const bool same = without_ones(given.array.shape) == without_ones(shape);
  const bool table = given.storage == Storage::text && !shape.empty() && given.array.shape.size() == 2 &&
                     given.array.shape.back() == shape.back() && given.array.data.size() == size_of(shape);
  if (!same && !table) return std::nullopt;
  Array result = given.array;
  result.shape = shape;
  return result;
}

namespace {

/// Whole numbers, which no precision would round.
bool are_counts(const Array& array) {
  return std::all_of(array.data.begin(), array.data.end(),
                     [](double value) { return value == std::floor(value); });
}

}  // namespace

Comparison compare(const NamedArray& given, const Array& expected, double largest_score) {
  const Closeness first = asked(given, expected);
  Comparison strict = compared_as(first, given.array.data, expected, largest_score);
  if (strict.agrees) return strict;
  const std::optional<Comparison> rounded = compared_as_rounded(given, expected, largest_score);
  if (rounded && rounded->agrees) return *rounded;
  // Of digits that were rounded only what is beyond their rounding counts as wrong.
  const Comparison& failed = rounded ? *rounded : strict;
  if (first != Closeness::float64 || given.storage == Storage::integers || are_counts(expected))
    return failed;
  const Comparison single = compared_as(Closeness::float32, given.array.data, expected, largest_score);
  return single.agrees ? single : failed;
}

Check check_stage(const std::vector<Stage>& trace, const std::string& stage, const NamedArray& given) {
  const std::size_t index = index_named(trace, stage);
  Check check = compared(trace, index, given);
  if (!agrees(check)) check.diagnosis = diagnosis_of(trace, index, given);
  return check;
}

std::optional<Check> check_by_shape(const std::vector<Stage>& trace, const NamedArray& given) {
  std::vector<Check> checks;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    Check check = compared(trace, i, given);
    check.matching = Check::Matching::by_shape;
    if (check.shape_fits) checks.push_back(std::move(check));
  }
  if (checks.empty()) return std::nullopt;
  const auto right = std::find_if(checks.rbegin(), checks.rend(), agrees);
  if (right != checks.rend()) return *right;
  for (auto check = checks.rbegin(); check != checks.rend(); ++check) {
    check->diagnosis = diagnosis_of(trace, index_named(trace, check->stage.name), given);
    if (check->diagnosis) return *check;
  }
  return nearest(checks);
}

}  // namespace attnlab
