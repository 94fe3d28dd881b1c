// What becomes of a stage when stages above it are made in another way.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "results/report/report.hpp"

namespace attnlab {

/// Another way to make the stage `trace[stage]` from its operands; may throw ShapeMismatch.
struct Change {
  std::size_t stage = 0;
  std::function<Array(const std::vector<const Array*>& operands)> make;
};

/// Which stages the target was made of, itself included.
std::vector<bool> made_of(const std::vector<Stage>& trace, std::size_t target);

/// What `trace[target]` becomes with these changes, everything between computed again. Nothing when it
/// depends on none of them, when shapes do not fit, or when a stage between them was worked out by its
/// experiment and cannot be computed again.
std::optional<Array> downstream(const std::vector<Stage>& trace, const std::vector<Change>& changes,
                                std::size_t target);

}  // namespace attnlab
