#include "plotting/layout/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/formula.hpp"

namespace attnlab {
namespace {

const std::array<double, 3> round_factors{1.0, 2.0, 5.0};
constexpr int most_ticks = 8;
constexpr int sparsest = 40;  // candidates tried before an axis goes without marks

std::string with_minus_sign(std::string text) {
  if (!text.empty() && text.front() == '-') text.replace(0, 1, "−");
  return text;
}

int decimals_of(double step) {
  return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
}

}  // namespace

std::string number_text(double value, int decimals) {
  if (std::isnan(value)) return "nan";  // never "-nan"
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos && std::isfinite(value);
  if (is_zero && text.front() == '-') text.erase(0, 1);
  return with_minus_sign(text);
}

std::string short_number_text(double value, double span) {
  if (!std::isfinite(value)) return number_text(value, 0);
  if (span > 0.0 && (std::abs(value) >= 1e6 || span < 1e-5)) {
    return with_minus_sign(fmt::format("{:.3g}", value));
  }
  const int decimals = span > 0.0 ? decimals_of(span / 100.0) : 2;
  std::string text = number_text(value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string scientific_markup(double value, double text_size) {
  if (value == 0.0 || (std::abs(value) >= 1e-3 && std::abs(value) < 1e4))
    return with_minus_sign(fmt::format("{:.2g}", value));
  const double power = std::floor(std::log10(std::abs(value)));
  const std::string factor = with_minus_sign(fmt::format("{:.2g}", value / std::pow(10.0, power)));
  const Formula ten =
      formula::sup(formula::sym("10"), formula::sym(with_minus_sign(fmt::format("{:.0f}", power))));
  return factor == "1" ? to_markup(ten, text_size) : factor + "×" + to_markup(ten, text_size);
}

std::vector<Tick> linear_ticks(const Interval& range, const TicksFit& fit) {
  const double span = range.high - range.low;
  const double slack = span * 1e-9;
  int exponent = static_cast<int>(std::floor(std::log10(span / most_ticks)));
  for (int i = 0; i < sparsest; ++i) {
    const auto factor = static_cast<std::size_t>(i) % round_factors.size();
    const double step =
        round_factors[factor] * std::pow(10.0, exponent + i / static_cast<int>(round_factors.size()));
    if (span / step > most_ticks) continue;
    std::vector<Tick> ticks;
    for (double k = std::ceil((range.low - slack) / step); k * step <= range.high + slack; k += 1.0) {
      ticks.push_back({k * step, std::abs(span) < 1e-5 || span >= 1e7
                                     ? with_minus_sign(fmt::format("{:.3g}", k * step))
                                     : number_text(k * step, decimals_of(step))});
    }
    if (fit(ticks)) return ticks;
  }
  return {};
}

std::vector<Tick> log_ticks(const Interval& range, double text_size, const TicksFit& fit) {
  const int low = static_cast<int>(std::ceil(std::log10(range.low) - 1e-9));
  const int high = static_cast<int>(std::floor(std::log10(range.high) + 1e-9));
  for (int i = 0; i < sparsest; ++i) {
    const auto factor = round_factors[static_cast<std::size_t>(i) % round_factors.size()];
    const int step = static_cast<int>(factor * std::pow(10.0, i / static_cast<int>(round_factors.size())));
    if ((high - low) / step > most_ticks) continue;
    std::vector<Tick> ticks;
    for (int power = low - (low % step); power <= high; power += step) {
      if (power >= low) {
        ticks.push_back(
            {std::pow(10.0, power),
             to_markup(formula::sup(formula::sym("10"), formula::sym(with_minus_sign(std::to_string(power)))),
                       text_size)});
      }
    }
    if (fit(ticks)) return ticks;
  }
  return {};
}

std::vector<Tick> index_ticks(std::size_t begin, std::size_t end, const TicksFit& fit) {
  for (int i = 0; i < sparsest; ++i) {
    const auto factor = round_factors[static_cast<std::size_t>(i) % round_factors.size()];
    const auto step =
        static_cast<std::size_t>(factor * std::pow(10.0, i / static_cast<int>(round_factors.size())));
    std::vector<Tick> ticks;
    for (std::size_t k = (begin + step - 1) / step * step; k < end; k += step) {
      ticks.push_back({static_cast<double>(k), std::to_string(k)});
    }
    if (fit(ticks)) return ticks;
  }
  return {};
}

}  // namespace attnlab
