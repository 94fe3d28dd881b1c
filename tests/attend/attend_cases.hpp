// Runs of `attend` of every kind, for what all of their reports promise.
#pragma once

#include <string>
#include <vector>

#include "results/report/report.hpp"

namespace attnlab {

struct AttendCase {
  std::string name;
  Report report;
};

/// Run once for all tests.
const std::vector<AttendCase>& attend_cases();

}  // namespace attnlab
