// What is checked of the reports of experiments: the documents' numbers, invariants, derivations, NumPy's
// runs.
#pragma once

#include "core/json.hpp"
#include "experiments/framework/expected_values.hpp"
#include "experiments/framework/experiment.hpp"
#include "verification/check.hpp"

namespace attnlab {

using Flags = std::map<std::string, std::string>;

class Runs {
 public:
  explicit Runs(const std::vector<Experiment>& experiments) : experiments_(experiments) {}

  bool knows(const std::string& experiment) const;

  /// The report of that experiment with these flags. Throws std::out_of_range for an unknown experiment,
  /// Error for flags that it refuses.
  const Report& report(const std::string& experiment, const Flags& flags);

 private:
  const std::vector<Experiment>& experiments_;
  std::map<std::pair<std::string, Flags>, Report> reports_;
};

/// A row whose experiment or quantity does not exist fails.
VerifyCheck check_expected(const ExpectedValue& row, Runs& runs);

/// The report's own invariants; and one per array whose rows are declared to sum to 1: every row does, or is
/// NaN throughout because it was computed from scores that are all -inf or hold a NaN.
Checks check_invariants(const Report& report);

/// Every stage that an operation gives, computed again from its operands by plain loops.
Checks check_derivations(const Report& report);

/// One check per array and scalar of a file EXPERIMENT/NAME.json: {"flags", "scalars", "arrays",
/// "float32_arrays"}.
Checks check_run(const std::filesystem::path& path, const Json& file, Runs& runs);

}  // namespace attnlab
