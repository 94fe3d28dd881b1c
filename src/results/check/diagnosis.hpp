// Why a wrong result is wrong: classic mistakes, made on purpose in a trace, and the one that gives the same
// wrong result.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "results/check/comparison.hpp"
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

/// `changes` read the trace, which must outlive them.
struct Fault {
  std::string name;   // "not-scaled": an interface (--check with --json)
  std::string stage;  // where it was made
  Text what;          // "the scores were not scaled"
  std::vector<Change> changes;
};

/// What usually goes wrong at the stage `trace[index]` alone.
std::vector<Fault> faults_at(const std::vector<Stage>& trace, std::size_t index);

/// What goes wrong at several stages alike, as one function of a program serves them all.
std::vector<Fault> faults_at_several(const std::vector<Stage>& trace);

struct Diagnosis {
  std::string name;   // "not-scaled"
  std::string stage;  // where it went wrong
  Text what;
};

/// The mistake nearest above `trace[target]` that makes it what was given. Nothing when none of them does.
/// `largest_score` is that of compare.
std::optional<Diagnosis> diagnosis_of(const std::vector<Stage>& trace, std::size_t target,
                                      const NamedArray& given, double largest_score);

}  // namespace attnlab
