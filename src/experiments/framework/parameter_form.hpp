// What a parameter accepts, in words: for error messages. Its short form for help lines is form_of().
#pragma once

#include <string>

#include "core/text.hpp"
#include "experiments/framework/parameter.hpp"

namespace attnlab {

/// "a whole number from 1 to 512", "2 to 64 numbers separated by commas", "one of png, svg, pdf".
Text wanted_of(const Parameter& parameter);

/// A text that the parameter accepts: its default, or the simplest one.
std::string example_of(const Parameter& parameter);

}  // namespace attnlab
