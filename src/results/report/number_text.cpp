// Shortest digits from std::to_chars, cut and padded as NumPy cuts and pads them.
#include "results/report/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace attnlab {
namespace {

// The longest: a denormal in fixed notation, "-0." and 340 digits; the largest double has 309.
using Buffer = std::array<char, 512>;

// A float32 needs fewer digits than the double of equal value.
std::string shortest(double value, DType dtype, std::chars_format format) {
  Buffer buffer{};
  char* const end = buffer.data() + buffer.size();
  const std::to_chars_result result =
      dtype == DType::float32 ? std::to_chars(buffer.data(), end, static_cast<float>(value), format)
                              : std::to_chars(buffer.data(), end, value, format);
  return {buffer.data(), result.ptr};
}

// Rounds the exact binary value, ties to even.
std::string rounded(double value, std::chars_format format, int decimals) {
  Buffer buffer{};
  const std::to_chars_result result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, decimals);
  return {buffer.data(), result.ptr};
}

int decimals_of(std::string_view digits) {
  const std::size_t point = digits.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(digits.size() - point - 1);
}

// trim='.': no trailing zeros, but always a point.
std::string trimmed(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits + '.';
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

// The shortest digits filled up with zeros: 67617208 as a float32 reads 67617210, where to_chars gives it
// exactly.
std::string whole_number(double value, DType dtype) {
  const std::string text = shortest(value, dtype, std::chars_format::scientific);
  const std::size_t mark = text.find('e');
  std::string digits = text.substr(0, mark);
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  const std::size_t sign = std::signbit(value) ? 1 : 0;
  digits.resize(sign + 1 + std::stoul(text.substr(mark + 2)), '0');
  return digits;
}

}  // namespace

std::string positional_text(double value, DType dtype, int decimals) {
  std::string digits = shortest(value, dtype, std::chars_format::fixed);
  if (decimals_of(digits) > decimals) digits = rounded(value, std::chars_format::fixed, decimals);
  return trimmed(digits);
}

std::string scientific_text(double value, DType dtype, int decimals) {
  std::string text = shortest(value, dtype, std::chars_format::scientific);
  if (decimals_of(text.substr(0, text.find('e'))) > decimals)
    text = rounded(value, std::chars_format::scientific, decimals);
  const std::size_t exponent = text.find('e');
  return trimmed(text.substr(0, exponent)) + text.substr(exponent);
}

std::string full_scientific_text(double value, int decimals) {
  std::string text = rounded(value, std::chars_format::scientific, decimals);
  if (decimals == 0) text.insert(text.find('e'), ".");
  return text;
}

std::string scalar_text(double value, DType dtype) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0.0 ? "-inf" : "inf";
  const double size = std::abs(value);
  if (size != 0.0 && (size < 1e-4 || size >= 1e16))
    return shortest(value, dtype, std::chars_format::scientific);
  std::string digits = shortest(value, dtype, std::chars_format::fixed);
  if (digits.find('.') != std::string::npos) return digits;
  return whole_number(value, dtype) + ".0";
}

}  // namespace attnlab
