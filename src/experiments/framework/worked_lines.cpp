#include "experiments/framework/worked_lines.hpp"

#include "results/explain/explanation.hpp"

namespace attnlab::worked {

Written exactly(Formula formula) { return {std::move(formula), true}; }

Written exactly(std::string symbol) { return exactly(formula::sym(std::move(symbol))); }

Written number(double value) { return written(value); }

Written factor(double value) { return written_in_brackets(value); }

Written numbers(const double* begin, std::size_t count) {
  return together({"(", written_list(begin, count), ")"});
}

Written together(std::initializer_list<Piece> pieces) {
  return together(std::vector<Written>(pieces.begin(), pieces.end()));
}

Written together(const std::vector<Written>& pieces) {
  Written whole{formula::row({}), true};
  for (const Written& piece : pieces) {
    whole.formula.parts.push_back(piece.formula);
    whole.exact = whole.exact && piece.exact;
  }
  return whole;
}

Written quotient(const Piece& numerator, const Piece& denominator) {
  return {formula::fraction(numerator.formula, denominator.formula), numerator.exact && denominator.exact};
}

Written root(const Written& radicand) { return {formula::root(radicand.formula), radicand.exact}; }

Written square(const Written& base) { return {formula::sup(base.formula, formula::sym("2")), base.exact}; }

Written call(const std::string& name, const Piece& argument) {
  return {formula::call(name, argument.formula), argument.exact};
}

Formula indexed(const std::string& letter, std::size_t index) {
  return formula::sub(formula::sym(letter), formula::sym(std::to_string(index)));
}

Formula entry(const std::string& name, const std::vector<std::size_t>& index) {
  return element_name(name, index);
}

Chain sinusoids(std::size_t position, const double* row, std::size_t width, double base) {
  constexpr std::size_t most_waves = 3;
  const Written waves = joined(shown(width, most_waves, 0), ",", [&](std::size_t i) {
    const double exponent = static_cast<double>(i - i % 2) / static_cast<double>(width);
    const Written angle = quotient(formula::sym(std::to_string(position)), std::pow(base, exponent));
    return call(i % 2 == 0 ? "sin" : "cos", angle);
  });
  const Written list = together({"(", waves, ")"});
  return equation(indexed("r", position), {list, numbers(row, width)});
}

std::vector<Chain> rows(const std::string& letter, const Tensor<double>& values) {
  const std::size_t count = values.shape()[0];
  return lines(count, [&](std::size_t i) {
    if (values.dimension() == 1) return equation(indexed(letter, i), {values(i)});
    const std::size_t columns = values.size() / count;
    return equation(indexed(letter, i), {numbers(values.data() + i * columns, columns)});
  });
}

Chain equation(Formula left, std::initializer_list<Piece> sides) {
  Chain chain{std::move(left), {}};
  bool exact = true;
  for (const Piece& side : sides) {
    exact = exact && side.exact;
    chain.links.push_back({relation(exact), side.formula});
  }
  return chain;
}

}  // namespace attnlab::worked
