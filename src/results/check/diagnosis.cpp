// Makes one mistake after the other on purpose, computes again what it reaches, and looks which of them gives
// what was given.
#include "results/check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/agreement.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

// --- What a change reaches

const Change* change_of(const std::vector<Change>& changes, std::size_t stage) {
  const auto found = std::find_if(changes.begin(), changes.end(),
                                  [stage](const Change& change) { return change.stage == stage; });
  return found == changes.end() ? nullptr : &*found;
}

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

std::optional<Diagnosis> explained_by(const std::vector<Fault>& faults, const Wrong& wrong) {
  for (const Fault& fault : faults) {
    const std::optional<Array> replayed = downstream(wrong.trace, fault.changes, wrong.target);
    if (replayed && wrong.is(*replayed)) return Diagnosis{fault.name, fault.stage, fault.what};
  }
  return std::nullopt;
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
      {fmt::format(
           "ドロップアウト（p = {:.3g}）が効いたままです。{} 個のうち {} 個が 0 になり、残りは 1/(1 − p) "
           "倍です",
           p, given.size(), dropped),
       fmt::format("dropout with p = {:.3g} is still on: {} of {} values are 0, the others 1/(1 - p) times "
                   "too large",
                   p, dropped, given.size())}};
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

std::optional<Array> downstream(const std::vector<Stage>& trace, const std::vector<Change>& changes,
                                std::size_t target) {
  const std::vector<bool> part = made_of(trace, target);
  Replay replay{trace, std::vector<std::optional<Array>>(trace.size())};
  try {
    for (std::size_t i = 0; i <= target; ++i) {
      if (!part[i]) continue;
      const Stage& stage = trace[i];
      if (const Change* change = change_of(changes, i)) {
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

std::optional<Diagnosis> diagnosis_of(const std::vector<Stage>& trace, std::size_t target,
                                      const NamedArray& given, double largest_score) {
  const Wrong wrong{trace, target, given, largest_score};
  if (std::optional<Diagnosis> found = one_mistake(wrong)) return found;
  if (std::optional<Diagnosis> found = explained_by(faults_at_several(trace), wrong)) return found;
  if (std::optional<Diagnosis> found = dropout(wrong)) return found;
  return another_stage(wrong);
}

}  // namespace attnlab
