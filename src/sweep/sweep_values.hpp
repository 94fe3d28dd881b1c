// The values that a sweep gives to a parameter: "1:1024:log:40" or "1,2,4,8".
#pragma once

#include <string>
#include <vector>

#include "experiments/framework/parameter.hpp"

namespace attnlab {

constexpr std::size_t least_frames = 2;
constexpr std::size_t most_frames = 1000;

struct SweepValues {
  std::string parameter;           // "high-dim"
  std::vector<std::string> texts;  // what would be typed after its flag; each once, in order
  std::vector<double> places;      // of each between the first and the last, 0 to 1
};

/// Whether one number alone is a value of the parameter.
bool takes_number(const Parameter& parameter);

/// `words` is FROM:TO[:lin|log][:FRAMES] or A,B,C,... Without FRAMES there are 40, or all whole numbers where
/// those are no more than 100. Whole-number parameters get whole numbers, each once; others are rounded so
/// that the picture does not feel it (a tenth of a step; with `log` three digits), because what is shown is
/// what is computed. With a `pattern`, such as "window:@", each value takes the place of its @; then numbers
/// are whole if both ends are, unless the parameter takes a list of numbers. Throws Error (usage) for other
/// forms, for ends of `log` that are not positive, for fewer than 2 or more than 1000 values, and for values
/// outside the parameter's range.
SweepValues sweep_values(const Parameter& parameter, const std::string& words, const std::string& pattern);

}  // namespace attnlab
