// The value of a formula that holds nothing but numbers: what a reader with a pocket calculator gets.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/formula.hpp"

namespace attnlab {

/// By recursive descent over the pieces of a row: sums of products of factors.
class EvaluatedRow {
 public:
  explicit EvaluatedRow(const Formula& formula) { add(formula); }

  /// Nothing where a name, a sign of leaving out or anything else stands that is no number.
  std::optional<double> value() {
    const double result = sum();
    if (failed_ || at_ != pieces_.size()) return std::nullopt;
    return result;
  }

 private:
  using Piece = std::variant<std::string, double>;  // a sign or a name, or a number

  static std::string with_ascii_minus(std::string symbol) {
    const std::string minus = "−";
    for (std::size_t at = symbol.find(minus); at != std::string::npos; at = symbol.find(minus))
      symbol.replace(at, minus.size(), "-");
    return symbol;
  }

  void add(const Formula& formula) {
    switch (formula.kind) {
      case Formula::Kind::row:
        for (const Formula& part : formula.parts) add(part);
        return;
      case Formula::Kind::symbol: return add_symbol(formula.symbol);
      case Formula::Kind::root: return add_value(of(formula.parts[0]), [](double x) { return std::sqrt(x); });
      case Formula::Kind::fraction:
        return add_value(of(formula.parts[0]),
                         [&](double x) { return x / of(formula.parts[1]).value_or(NAN); });
      case Formula::Kind::sup:
        return add_value(of(formula.parts[0]),
                         [&](double x) { return std::pow(x, of(formula.parts[1]).value_or(NAN)); });
      case Formula::Kind::accent:
      case Formula::Kind::table:
      case Formula::Kind::sub: failed_ = true;
    }
  }

  static std::optional<double> of(const Formula& formula) { return EvaluatedRow(formula).value(); }

  template <class Operation>
  void add_value(std::optional<double> value, Operation operation) {
    if (!value) failed_ = true;
    pieces_.emplace_back(operation(value.value_or(NAN)));
  }

  /// "cos(" and ") · (" are one symbol each in some formulas.
  void add_symbol(const std::string& symbol) {
    const std::string text = with_ascii_minus(symbol);
    std::size_t at = 0;
    while (at < text.size()) {
      if (text[at] == ' ') {
        ++at;
        continue;
      }
      const bool digit = text[at] >= '0' && text[at] <= '9';
      std::size_t length = 1;
      if (digit) {
        pieces_.emplace_back(std::stod(text.substr(at), &length));
      } else {
        if (text[at] != '(' && text[at] != ')' && text[at] != '-')
          length = std::min(text.find_first_of(" ()-0123456789", at), text.size()) - at;
        pieces_.emplace_back(text.substr(at, length));
      }
      at += length;
    }
  }

  bool takes(const std::string& sign) {
    if (at_ == pieces_.size()) return false;
    const auto* symbol = std::get_if<std::string>(&pieces_[at_]);
    if (symbol == nullptr || *symbol != sign) return false;
    ++at_;
    return true;
  }

  double sum() {
    double result = product();
    while (true) {
      if (takes("+")) {
        result += product();
      } else if (takes("-")) {
        result -= product();
      } else {
        return result;
      }
    }
  }

  double product() {
    double result = factor();
    while (true) {
      if (takes("·") || takes("×")) {
        result *= factor();
      } else if (takes("/")) {
        result /= factor();
      } else {
        return result;
      }
    }
  }

  double in_brackets() {
    const double result = sum();
    if (!takes(")")) failed_ = true;
    return result;
  }

  double factor() {
    if (takes("-")) return -factor();
    if (takes("(")) return in_brackets();
    for (const auto& [name, function] : functions()) {
      if (takes(name)) return takes("(") ? function(in_brackets()) : (failed_ = true, NAN);
    }
    if (at_ < pieces_.size()) {
      if (const auto* number = std::get_if<double>(&pieces_[at_])) {
        ++at_;
        return *number;
      }
    }
    failed_ = true;
    return NAN;
  }

  using Function = double (*)(double);
  static const std::vector<std::pair<std::string, Function>>& functions() {
    static const std::vector<std::pair<std::string, Function>> all{
        {"cos", std::cos}, {"sin", std::sin}, {"exp", std::exp}, {"tanh", std::tanh}};
    return all;
  }

  std::vector<Piece> pieces_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

inline std::optional<double> evaluated(const Formula& formula) { return EvaluatedRow(formula).value(); }

}  // namespace attnlab
