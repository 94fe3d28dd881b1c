#include "plotting/length_text.hpp"

#include <fmt/format.h>

namespace attnlab {

std::string length_text(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  if (text == "-0") return "0";
  const std::size_t digits = text.front() == '-' ? 1 : 0;
  if (text.compare(digits, 2, "0.") == 0) text.erase(digits, 1);
  return text;
}

}  // namespace attnlab
