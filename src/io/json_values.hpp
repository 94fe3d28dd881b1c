// A report's parameters and arrays as JSON values, for every JSON file alike.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "results/report/report.hpp"

namespace attnlab {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// The number, or the string "nan", "inf" or "-inf": JSON has no such numbers.
Json json_number(double value);

/// The part that all files begin with: {"schema", "experiment", "version", "parameters", "arrays"}.
Json json_head(const Report& report);

/// One line with a newline at its end; bytes that are not UTF-8 (in a path) become U+FFFD.
std::string json_text(const Json& json);

}  // namespace attnlab
