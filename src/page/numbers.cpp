// Arrays of numbers with as many digits as a page needs.
#include "page/series.hpp"
#include "plotting/backends/backends.hpp"

namespace attnlab {
namespace {

std::uint32_t packed(double value, int digits) {
  constexpr int lowest_power = 400;
  if (std::isnan(value)) return 0;
  if (std::isinf(value)) return value > 0.0 ? 1 : 2;
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);  // "-1.234e-05"
  const std::size_t power_at = text.find('e');
  const double unit = std::pow(10.0, digits - 1);
  const std::int64_t limit = std::llround(10.0 * unit);
  const std::int64_t mantissa = std::llround(std::stod(text.substr(0, power_at)) * unit);
  const int power = mantissa == 0 ? 0 : std::stoi(text.substr(power_at + 1)) - (digits - 1);
  return static_cast<std::uint32_t>(3 + (lowest_power + power) * (2 * limit + 1) + limit + mantissa);
}

std::string packed(const std::vector<double>& values, int digits) {
  const unsigned size = digits == shown_digits ? 3 : 4;
  std::string bytes;
  bytes.reserve(size * values.size());
  for (const double value : values) {
    const std::uint32_t word = packed(value, digits);
    for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(word >> (8U * i) & 0xffU);
  }
  return base64(bytes);
}

}  // namespace

Json numbers_of(const std::vector<double>& values, int digits) {
  Json brief = packed(values, digits);
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded_number(value, digits));
  return list.dump().size() <= brief.dump().size() ? list : brief;
}

}  // namespace attnlab
