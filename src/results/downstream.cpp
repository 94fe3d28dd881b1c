// Goes through the trace once and computes again only what a change has reached.
#include "results/check/diagnosis.hpp"

#include <algorithm>
#include <string>

#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

std::size_t index_of(const std::vector<Stage>& trace, const std::string& name) {
  const auto found =
      std::find_if(trace.begin(), trace.end(), [&](const Stage& stage) { return stage.name == name; });
  return static_cast<std::size_t>(found - trace.begin());
}

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

}  // namespace

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

}  // namespace attnlab
