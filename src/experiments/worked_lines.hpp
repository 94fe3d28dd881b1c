// The pieces of which `derived::worked` lines are made: numbers, rows of numbers and indexed letters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"

namespace attnlab::worked {

/// A stage is written out for its first entries only.
constexpr std::size_t most_lines = 12;

/// Six significant digits: "2.13", "−0.6", "∞", "nan".
Formula number(double value);

/// The same as it stands behind a · or √: a negative number in parentheses.
Formula factor(double value);

/// "(1.2, 0.9)"; of more than eight numbers the first six, "..." and the last.
Formula numbers(const double* begin, std::size_t count);

/// "S₀": the letter with its index.
Formula indexed(const std::string& letter, std::size_t index);

/// left = a = b ...: the sides of an equation in reading order.
Formula equation(const std::vector<Formula>& sides);

}  // namespace attnlab::worked
