// Classic mistakes, made on purpose at one stage of a trace: a wrong result that equals one of them is
// explained by it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "results/report.hpp"

namespace attnlab {

struct Fault {
  std::string name;             // "not-scaled": an interface (--check with --json)
  std::string stage;            // where it was made
  Text what;                    // "the scores were not scaled"
  std::function<Array()> make;  // the stage's array with the mistake; may throw ShapeMismatch
};

/// What usually goes wrong at the stage `trace[index]`. The faults read `trace`, which must outlive them.
std::vector<Fault> faults_at(const std::vector<Stage>& trace, std::size_t index);

/// What `trace[target]` becomes when `trace[changed]` holds `array`, everything between computed again.
/// Nothing when it does not depend on that stage, when shapes do not fit, or when a stage between them was
/// worked out by its experiment and cannot be computed again.
std::optional<Array> downstream(const std::vector<Stage>& trace, std::size_t changed, const Array& array,
                                std::size_t target);

}  // namespace attnlab
