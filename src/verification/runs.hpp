// Experiments run once per set of flags, however many checks read the report.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "experiments/framework/experiment.hpp"

namespace attnlab {

using Flags = std::map<std::string, std::string>;

class Runs {
 public:
  explicit Runs(const std::vector<Experiment>& experiments) : experiments_(experiments) {}

  const std::vector<Experiment>& experiments() const { return experiments_; }
  bool knows(const std::string& experiment) const;

  /// The report of that experiment with these flags. Throws std::out_of_range for an unknown experiment,
  /// Error for flags that it refuses.
  const Report& report(const std::string& experiment, const Flags& flags);

 private:
  const std::vector<Experiment>& experiments_;
  std::map<std::pair<std::string, Flags>, Report> reports_;
};

/// " --heads 4 --seed 1": how the run would be typed; "" for the defaults.
std::string flags_text(const Flags& flags);

}  // namespace attnlab
