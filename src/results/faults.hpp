// Classic mistakes, made on purpose in a trace: a wrong result that equals one of them is explained by it.
#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"
#include "results/check/diagnosis.hpp"
#include "results/report/report.hpp"

namespace attnlab {

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

}  // namespace attnlab
