// Whether a saved layer turns its queries and keys, as its file and the config.json beside it say: --rope
// auto.
#pragma once

#include "attend/projections.hpp"
#include "io/model_facts.hpp"

namespace attnlab {

struct SavedRotary {
  Rotary rotary;
  Text sentence = Text::none();  // for the report: who says it
};

/// Nothing where neither says so. Throws Error (failed) for a rotation that is not known: rescaled
/// frequencies, by their name, and a model of which nobody knows which pairs turn.
std::optional<SavedRotary> saved_rotary(const TensorFile& file, const FoundLayer& layer,
                                        const RotaryFacts& facts, std::size_t head_width,
                                        const AttendSettings& settings);

}  // namespace attnlab
