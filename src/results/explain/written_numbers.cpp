// Decides on digits, powers of ten, and where dots stand for the middle.
#include "results/explain/written_numbers.hpp"

#include <cstdlib>

#include "core/number_order.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sym;

constexpr int decimals = 4;
constexpr double smallest_plain = 1e-3;
constexpr double largest_plain = 1e5;

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

/// 0.45 that was computed as 0.45000000000000001 counts as 0.45.
bool is_as_written(const std::string& digits, double size) {
  constexpr double noise = 1e-12;
  return std::abs(std::strtod(digits.c_str(), nullptr) - size) <= noise * size;
}

/// Of a number that is not negative.
Written plain(double size) {
  const std::string digits = fmt::format("{:.{}f}", size, decimals);
  const bool exact = is_as_written(digits, size);
  return {sym(exact ? without_trailing_zeros(digits) : digits), exact};
}

Written power_of_ten(double size) {
  const std::string text = fmt::format("{:.3e}", size);
  const std::size_t mark = text.find('e');
  const bool exact = is_as_written(text, size);
  const std::string digits = exact ? without_trailing_zeros(text.substr(0, mark)) : text.substr(0, mark);
  const int exponent = std::atoi(text.c_str() + mark + 1);
  const std::string minus = exponent < 0 ? "−" : "";
  return {
      row({sym(digits), sym("×"), formula::sup(sym("10"), sym(minus + std::to_string(std::abs(exponent))))}),
      exact};
}

bool is_plain(double size) { return size == 0.0 || (size >= smallest_plain && size < largest_plain); }

}  // namespace

Written written(double number) {
  if (std::isnan(number)) return {sym("NaN"), true};
  const double size = std::abs(number);
  Written result = std::isinf(size) ? Written{sym("∞"), true}
                   : is_plain(size) ? plain(size)
                                    : power_of_ten(size);
  if (number < 0.0) result.formula = row({sym("−"), std::move(result.formula)});
  return result;
}

Written written_in_brackets(double number) {
  Written result = written(number);
  const bool bare = std::isnan(number) || (number >= 0.0 && (is_plain(number) || std::isinf(number)));
  if (!bare) result.formula = row({sym("("), std::move(result.formula), sym(")")});
  return result;
}

const char* relation(bool exact) { return exact ? "=" : "≈"; }

Shown shown(std::size_t count, std::size_t first, std::size_t last) {
  Shown result{{}, count};
  for (std::size_t i = 0; i < count; ++i) {
    if (i < first || i + last >= count) result.places.push_back(i);
  }
  return result;
}

Shown shown_terms(std::size_t count) { return shown(count, 3, 1); }

Shown shown_terms(const std::vector<double>& sizes) {
  const auto add = [](double sum, double size) { return sum + std::abs(size); };
  const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0, add);
  const auto are_most = [&](const std::vector<std::size_t>& places) {
    double seen = 0.0;
    for (const std::size_t place : places) seen = add(seen, sizes[place]);
    return 2.0 * seen >= all;
  };
  Shown usual = shown_terms(sizes.size());
  if (are_most(usual.places)) return usual;
  std::vector<std::size_t> by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return larger_first(std::abs(sizes[a]), std::abs(sizes[b]));
  });
  const std::set<std::size_t> places{0, by_size[0], by_size[1], sizes.size() - 1};
  const Shown largest{{places.begin(), places.end()}, sizes.size()};
  return are_most(largest.places) ? largest : usual;
}

Written joined(const Shown& places, const char* sign,
               const std::function<Written(std::size_t place)>& piece) {
  Written result{row({}), true};  // dots hide terms, not digits
  std::vector<Formula>& parts = result.formula.parts;
  const auto add = [&](Formula part) {
    if (!parts.empty()) parts.push_back(sym(sign));
    parts.push_back(std::move(part));
  };
  for (std::size_t i = 0; i < places.places.size(); ++i) {
    if (places.dots_before(i)) add(sym("⋯"));
    Written next = piece(places.places[i]);
    result.exact = result.exact && next.exact;
    add(std::move(next.formula));
  }
  if (places.dots_behind()) add(sym("⋯"));
  return result;
}

Written written_products(const double* left, const double* right, std::size_t count) {
  std::vector<double> terms(count);
  std::transform(left, left + count, right, terms.begin(), std::multiplies<>());
  return joined(shown_terms(terms), "+", [&](std::size_t k) {
    const Written a = written_in_brackets(left[k]);
    const Written b = written_in_brackets(right[k]);
    return Written{row({a.formula, sym("·"), b.formula}), a.exact && b.exact};
  });
}

Written written_list(const double* values, std::size_t count) {
  constexpr std::size_t first = 5;
  constexpr std::size_t last = 2;
  return joined(shown(count, first, last), ",", [values](std::size_t i) { return written(values[i]); });
}

Written written_row(const double* values, std::size_t count) {
  Written numbers = written_list(values, count);
  return {row({sym("["), std::move(numbers.formula), sym("]")}), numbers.exact};
}

}  // namespace attnlab
