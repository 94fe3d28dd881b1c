// One typed text becomes a value of its parameter, or an error that says what to type instead. The short form
// for help lines is form_of().
#pragma once

#include "core/utf8.hpp"
#include "experiments/framework/parameter.hpp"

namespace attnlab {

/// The value, in the type of the parameter's kind: long long, double, vector<double>, vector<string> or
/// string. A syntax that reads as a number ("none|default|NUMBER" with 0.5) gives a double, other syntaxes a
/// string.
///
/// Throws Error (usage) naming the flag, what was got, what is wanted, and an example: for a number that is
/// NaN, infinite, hexadecimal, too large or followed by anything else; for a value outside the range; for an
/// empty item or a wrong number of items; for text that is empty, not UTF-8 or holds control characters.
ParameterValue parse_value(const Parameter& parameter, const std::string& text);

/// "a whole number from 1 to 512", "2 to 64 numbers separated by commas", "one of png, svg, pdf".
Text wanted_of(const Parameter& parameter);

/// A text that the parameter accepts: its default, or the simplest one.
std::string example_of(const Parameter& parameter);

/// As number_from, but a leading plus is allowed.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return number_from<Number>(text);
}

}  // namespace attnlab
