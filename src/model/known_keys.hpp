// Keys of a configuration that nothing here reads: told of, or refused where they make it another
// computation.
#pragma once

#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {

/// "new_key = 3": those of which nothing is known (src/model/keys.toml), so that they may change the result.
/// Throws Error (failed) naming a key that is known to, with its value.
std::vector<std::string> unknown_keys(const Checkpoint& checkpoint);

}  // namespace attnlab
