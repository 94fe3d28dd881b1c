#include "core/from_chars.hpp"

#ifndef __cpp_lib_to_chars
#include <glib.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <string>
#endif

namespace attnlab {

#ifdef __cpp_lib_to_chars

std::from_chars_result from_chars(const char* begin, const char* end, double& value) {
  return std::from_chars(begin, end, value);
}

#else

// g_ascii_strtod skips blanks, and takes a plus and hexadecimal digits, too.
std::from_chars_result from_chars(const char* begin, const char* end, double& value) {
  std::string text(begin, end);
  const std::size_t sign = text.substr(0, 1) == "-" ? 1 : 0;
  if (text.find_first_of("0123456789.iInN", sign) != sign) return {begin, std::errc::invalid_argument};
  text.resize(std::min(text.find_first_of("xX"), text.size()));
  errno = 0;
  char* stop = nullptr;
  const double read = g_ascii_strtod(text.c_str(), &stop);
  if (stop == text.c_str()) return {begin, std::errc::invalid_argument};
  const char* const after = begin + (stop - text.c_str());
  if (errno == ERANGE && std::fpclassify(read) != FP_SUBNORMAL)
    return {after, std::errc::result_out_of_range};
  value = read;
  return {after, std::errc()};
}

#endif

}  // namespace attnlab
