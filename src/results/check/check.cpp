// The choice of the stage, its comparison, and where the two do not agree a diagnosis: makes one mistake
// after the other on purpose, computes again what it reaches, and looks which of them gives what was given.
#include "results/check/check.hpp"

#include "core/agreement.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

// --- What a change reaches

/// The stages so far: in the trace, or as the changes have made them.
struct Replay {
  const std::vector<Stage>& trace;
  std::vector<std::optional<Array>> arrays;  // those that differ from the trace

  bool differs(const Stage& stage) const {
    return std::any_of(stage.derivation.operands.begin(), stage.derivation.operands.end(),
                       [&](const std::string& name) { return arrays[index_of(trace, name)].has_value(); });
  }

  std::vector<const Array*> operands_of(const Stage& stage) const {
    std::vector<const Array*> operands;
    for (const std::string& name : stage.derivation.operands) {
      const std::size_t index = index_of(trace, name);
      operands.push_back(arrays[index] ? &*arrays[index] : &trace[index].array);
    }
    return operands;
  }
};

/// What `trace[target]` becomes with these changes, everything between computed again. Nothing when it
/// depends on none of them, when shapes do not fit, or when a stage between them was worked out by its
/// experiment and cannot be computed again.
std::optional<Array> downstream(const std::vector<Stage>& trace, const std::vector<Change>& changes,
                                std::size_t target) {
  const std::vector<bool> part = made_of(trace, target);
  Replay replay{trace, std::vector<std::optional<Array>>(trace.size())};
  try {
    for (std::size_t i = 0; i <= target; ++i) {
      if (!part[i]) continue;
      const Stage& stage = trace[i];
      const auto change = std::find_if(changes.begin(), changes.end(),
                                       [i](const Change& candidate) { return candidate.stage == i; });
      if (change != changes.end()) {
        replay.arrays[i] = change->make(replay.operands_of(stage));
      } else if (replay.differs(stage)) {
        if (!is_recomputable(stage.derivation)) return std::nullopt;
        replay.arrays[i] = computed(stage.derivation, replay.operands_of(stage));
      }
    }
  } catch (const ShapeMismatch&) {  // the mistake is impossible with these shapes
    return std::nullopt;
  }
  return std::move(replay.arrays[target]);
}

// --- Which mistake it was

struct Wrong {
  const std::vector<Stage>& trace;
  std::size_t target = 0;
  const NamedArray& given;
  double largest_score = 0.0;

  bool is(const Array& array) const {
    const std::optional<Comparison> comparison = compare_in_shape(given, array, largest_score);
    return comparison && comparison->agrees;
  }
};

/// Two mistakes of different names may give the same: where d_model = d_k², 1/d_k is 1/√d_model.
std::optional<Diagnosis> explained_by(const std::vector<Fault>& faults, const Wrong& wrong) {
  std::optional<Diagnosis> diagnosis;
  for (const Fault& fault : faults) {
    if (diagnosis && diagnosis->name == fault.name) continue;
    const std::optional<Array> replayed = downstream(wrong.trace, fault.changes, wrong.target);
    if (!replayed || !wrong.is(*replayed)) continue;
    if (diagnosis) {
      diagnosis->what = text("{}。または、{}", "{}; or else {}", diagnosis->what, fault.what);
      return diagnosis;
    }
    diagnosis = Diagnosis{fault.name, fault.stage, fault.what};
  }
  return diagnosis;
}

/// A transposed stage on the way is found as a transposed operand; "transposed" itself is for the result.
std::vector<Fault> faults_on_the_way(const Wrong& wrong, std::size_t changed) {
  std::vector<Fault> faults = faults_at(wrong.trace, changed);
  if (changed == wrong.target) return faults;
  faults.erase(std::remove_if(faults.begin(), faults.end(),
                              [](const Fault& fault) { return fault.name == "transposed"; }),
               faults.end());
  return faults;
}

/// A factor of 1, as where there is no mask. A wrong scale is sought where there is a scale first.
bool is_identity(const Stage& stage) {
  return stage.derivation.operation == Derivation::Operation::scaled && stage.derivation.number == 1.0;
}

std::optional<Diagnosis> one_mistake(const Wrong& wrong) {
  for (const bool identities : {false, true}) {
    for (std::size_t changed = wrong.target + 1; changed-- > 0;) {
      if (is_identity(wrong.trace[changed]) != identities) continue;
      std::optional<Diagnosis> diagnosis = explained_by(faults_on_the_way(wrong, changed), wrong);
      if (diagnosis) return diagnosis;
    }
  }
  return std::nullopt;
}

/// Dropout is random, so that nothing can be replayed: some values are 0, the others 1/(1 - p) times right.
std::optional<Diagnosis> dropout(const Wrong& wrong) {
  const Stage& stage = wrong.trace[wrong.target];
  const std::vector<double>& expected = stage.array.data;
  const std::vector<double>& given = wrong.given.array.data;
  if (!in_shape(wrong.given, stage.array.shape)) return std::nullopt;
  std::vector<std::size_t> kept;
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] != 0.0) {
      kept.push_back(i);
    } else if (expected[i] != 0.0) {
      ++dropped;
    }
  }
  if (dropped == 0 || kept.size() < 2) return std::nullopt;
  const std::size_t largest = *std::max_element(  // where the factor is most exact
      kept.begin(), kept.end(),
      [&](std::size_t a, std::size_t b) { return std::abs(expected[a]) < std::abs(expected[b]); });
  const double factor = given[largest] / expected[largest];
  if (!(factor > 1.0 + tolerance32()) || std::isinf(factor)) return std::nullopt;
  Array thinned = stage.array;
  for (std::size_t i = 0; i < given.size(); ++i) thinned.data[i] *= given[i] == 0.0 ? 0.0 : factor;
  if (!wrong.is(thinned)) return std::nullopt;
  const double p = 1.0 - 1.0 / factor;
  return Diagnosis{
      "dropout",
      stage.name,
      {fmt::format("ドロップアウト（p = {:.3g}）が効いたままです。{} 個のうち {} 個が 0 になり、残りは 1/(1 "
                   "− p) 倍です",
                   p, given.size(), dropped),
       fmt::format(
           "dropout with p = {:.3g} is still on: {} of {} values are 0, the others 1/(1 - p) times too large",
           p, dropped, given.size())}};
}

/// nn.MultiheadAttention's weights, unless it is asked for those of each head.
std::optional<Diagnosis> averaged_over_heads(const Wrong& wrong) {
  const Stage& stage = wrong.trace[wrong.target];
  const std::vector<std::size_t>& shape = stage.array.shape;
  if (shape.size() < 3) return std::nullopt;
  const std::size_t axis = shape.size() - 3;
  const std::size_t heads = shape[axis];
  const std::size_t matrix = shape[axis + 1] * shape[axis + 2];
  if (heads < 2 || matrix == 0) return std::nullopt;
  Array mean;
  mean.shape = shape;
  mean.shape.erase(mean.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  mean.dtype = stage.array.dtype;
  mean.data.resize(stage.array.data.size() / heads);
  for (std::size_t i = 0; i < stage.array.data.size(); ++i) {
    mean.data[i / (matrix * heads) * matrix + i % matrix] += stage.array.data[i] / static_cast<double>(heads);
  }
  if (!wrong.is(mean)) return std::nullopt;
  return Diagnosis{
      "averaged-over-heads",
      stage.name,
      {"ヘッドごとでなく、ヘッドの平均になっています（nn.MultiheadAttention では average_attn_weights=False "
       "とします）",
       "this is the mean over the heads; nn.MultiheadAttention gives each with average_attn_weights=False"}};
}

std::optional<Diagnosis> another_stage(const Wrong& wrong) {
  const std::string& wanted = wrong.trace[wrong.target].name;
  const std::vector<bool> on_the_way = made_of(wrong.trace, wrong.target);
  for (std::size_t i = 0; i < wrong.trace.size(); ++i) {
    const Stage& stage = wrong.trace[i];
    if (stage.name == wanted || !wrong.is(stage.array)) continue;
    if (on_the_way[i]) {
      return Diagnosis{"steps-missing", wanted,
                       text("これはまだ {} です。{} までの残りの計算がありません",
                            "this is still {}: the steps from there to {} are missing", stage.name, wanted)};
    }
    return Diagnosis{"another-stage", wanted,
                     text("これは {} で、{} ではありません", "this is {}, not {}", stage.name, wanted)};
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
  check.comparison = *compare_in_shape(given, trace[index].array, largest_score_of(trace, index));
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

std::size_t index_of(const std::vector<Stage>& trace, const std::string& name) {
  const auto found =
      std::find_if(trace.begin(), trace.end(), [&](const Stage& stage) { return stage.name == name; });
  if (found == trace.end()) throw std::logic_error("there is no stage " + name);
  return static_cast<std::size_t>(found - trace.begin());
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
      const bool is_exponent = operation == Operation::softmax || operation == Operation::exponential ||
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

std::optional<Diagnosis> diagnosis_of(const std::vector<Stage>& trace, std::size_t target,
                                      const NamedArray& given, double largest_score) {
  const Wrong wrong{trace, target, given, largest_score};
  if (std::optional<Diagnosis> found = one_mistake(wrong)) return found;
  if (std::optional<Diagnosis> found = explained_by(faults_at_several(trace), wrong)) return found;
  if (std::optional<Diagnosis> found = dropout(wrong)) return found;
  if (std::optional<Diagnosis> found = averaged_over_heads(wrong)) return found;
  return another_stage(wrong);
}

bool is_measured(const Stage& stage) {
  return stage.derivation.operation == Derivation::Operation::measured;
}

bool agrees(const Check& check) {
  return check.shape_fits && check.comparison.agrees;
}

Check check_stage(const std::vector<Stage>& trace, const std::string& stage, const NamedArray& given) {
  const std::size_t index = index_of(trace, stage);
  Check check = compared(trace, index, given);
  if (!agrees(check)) check.diagnosis = diagnosis_of(trace, index, given, largest_score_of(trace, index));
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
    const std::size_t index = index_of(trace, check->stage.name);
    check->diagnosis = diagnosis_of(trace, index, given, largest_score_of(trace, index));
    if (check->diagnosis) return *check;
  }
  return nearest(checks);
}

}  // namespace attnlab
