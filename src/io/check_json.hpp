// The outcome of a check as JSON.
#pragma once

#include <string>
#include <vector>

#include "results/check/check.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// {"schema", "experiment", "version", "parameters", "agrees", "checks": [{"file", "array", "stage",
/// "chosen_by", "shape", "agrees", "precision", "decimals", "largest_error", "allowed", "index",
/// "values_that_differ", "diagnosis": null or {"name", "stage", "text": {"ja", "en"}}}]}. What was not
/// compared because the shape differs is null.
std::string check_json(const Report& report, const std::vector<Check>& checks);

}  // namespace attnlab
