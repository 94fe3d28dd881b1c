// What the tests of a trace share: every invariant holds, and every stage names where it came from.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "results/code/python_program.hpp"
#include "results/report/report.hpp"

namespace attnlab {

inline void check_invariants_hold(const Report& report, std::size_t at_least = 1) {
  CHECK(report.invariants.size() >= at_least);
  for (const Invariant& invariant : report.invariants) {
    INFO(report.experiment, " ", invariant.name, ": ", invariant.error, " against ", invariant.tolerance);
    CHECK(holds(invariant));
  }
}

/// A stage with a formula has a derivation from earlier stages, which Python can compute; an input has none.
/// No two have one name.
inline void check_derivations(const Report& report) {
  std::vector<std::string> earlier;
  for (const Stage& one : report.stages) {
    INFO(report.experiment, " ", one.name);
    const bool input = one.formula.kind == Formula::Kind::row && one.formula.parts.empty();
    CHECK((one.derivation.operation == Derivation::Operation::input) == input);
    for (const std::string& operand : one.derivation.operands) {
      INFO(operand);
      CHECK(std::find(earlier.begin(), earlier.end(), operand) != earlier.end());
    }
    if (one.derivation.operation == Derivation::Operation::worked) {
      CHECK(one.derivation.worked.size() == std::min<std::size_t>(one.array.shape.front(), 12));
    }
    CHECK((input || !one.derivation.is_computed() || !numpy_code(one, report.stages).empty()));
    CHECK(std::find(earlier.begin(), earlier.end(), one.name) == earlier.end());
    earlier.push_back(one.name);
  }
}

}  // namespace attnlab
