// One typed text becomes a value of its parameter, or an error that says what to type instead.
#pragma once

#include <string>

#include "experiments/framework/parameter.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// The value, in the type of the parameter's kind: long long, double, vector<double>, vector<string> or
/// string. A syntax that reads as a number ("none|default|NUMBER" with 0.5) gives a double, other syntaxes a
/// string.
///
/// Throws Error (usage) naming the flag, what was got, what is wanted, and an example: for a number that is
/// NaN, infinite, hexadecimal, too large or followed by anything else; for a value outside the range; for an
/// empty item or a wrong number of items; for text that is empty, not UTF-8 or holds control characters.
ParameterValue parse_value(const Parameter& parameter, const std::string& text);

}  // namespace attnlab
