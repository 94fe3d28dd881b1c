#include "experiments/worked_lines.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attnlab::worked {
namespace {

constexpr std::size_t most_numbers = 8;
constexpr std::size_t first_numbers = 6;

}  // namespace

Formula number(double value) {
  if (std::isnan(value)) return formula::sym("nan");
  const std::string size = std::isinf(value) ? "∞" : fmt::format("{:.6g}", std::abs(value));
  if (value < 0.0) return formula::row({formula::sym("−"), formula::sym(size)});
  return formula::sym(size);
}

Formula factor(double value) {
  if (!(value < 0.0)) return number(value);
  return formula::row({formula::sym("("), number(value), formula::sym(")")});
}

Formula numbers(const double* begin, std::size_t count) {
  const bool shortened = count > most_numbers;
  std::vector<Formula> parts{formula::sym("(")};
  const auto add = [&parts](Formula part) {
    if (parts.size() > 1) parts.push_back(formula::sym(","));
    parts.push_back(std::move(part));
  };
  for (std::size_t i = 0; i < (shortened ? first_numbers : count); ++i) add(number(begin[i]));
  if (shortened) {
    add(formula::sym("..."));
    add(number(begin[count - 1]));
  }
  parts.push_back(formula::sym(")"));
  return formula::row(std::move(parts));
}

Formula indexed(const std::string& letter, std::size_t index) {
  return formula::sub(formula::sym(letter), formula::sym(std::to_string(index)));
}

Formula equation(const std::vector<Formula>& sides) {
  std::vector<Formula> parts;
  for (const Formula& side : sides) {
    if (!parts.empty()) parts.push_back(formula::sym("="));
    parts.push_back(side);
  }
  return formula::row(std::move(parts));
}

}  // namespace attnlab::worked
