// Makes one mistake after the other on purpose, and looks which of them gives what was given.
#include "results/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/agreement.hpp"
#include "results/check/comparison.hpp"
#include "results/faults.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

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
      return Diagnosis{
          "steps-missing",
          wanted,
          {fmt::format("これはまだ {} です。{} までの残りの計算がありません", stage.name, wanted),
           fmt::format("this is still {}: the steps from there to {} are missing", stage.name, wanted)}};
    }
    return Diagnosis{"another-stage",
                     wanted,
                     {fmt::format("これは {} で、{} ではありません", stage.name, wanted),
                      fmt::format("this is {}, not {}", stage.name, wanted)}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnosis> diagnosis_of(const std::vector<Stage>& trace, std::size_t target,
                                      const NamedArray& given, double largest_score) {
  const Wrong wrong{trace, target, given, largest_score};
  if (std::optional<Diagnosis> found = one_mistake(wrong)) return found;
  if (std::optional<Diagnosis> found = explained_by(faults_at_several(trace), wrong)) return found;
  if (std::optional<Diagnosis> found = dropout(wrong)) return found;
  return another_stage(wrong);
}

}  // namespace attnlab
