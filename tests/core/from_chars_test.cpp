// Numbers at the front of a text: what is read, and how far.
#include "core/from_chars.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace {

struct FrontNumber {
  double value = 7.0;
  std::size_t length = 0;
  std::errc problem{};
};

FrontNumber front_number(const std::string& text) {
  FrontNumber found;
  const auto [end, problem] = attnlab::from_chars(text.data(), text.data() + text.size(), found.value);
  found.length = static_cast<std::size_t>(end - text.data());
  found.problem = problem;
  return found;
}

}  // namespace

TEST_CASE("a number is read as far as it goes, in decimal and with a point whatever the locale") {
  CHECK(front_number("12in").value == 12.0);
  CHECK(front_number("12in").length == 2);
  CHECK(front_number("-1.5e3").value == -1500.0);
  CHECK(front_number("1e").length == 1);
  CHECK(front_number("0x10").value == 0.0);
  CHECK(front_number("0x10").length == 1);
  CHECK(front_number("1,5").length == 1);
  CHECK(std::isnan(front_number("nan").value));
  CHECK(front_number("-inf").value == -INFINITY);
  CHECK(front_number("9007199254740993").value == 9007199254740992.0);
  CHECK(front_number("4.9e-324").value > 0.0);
}

TEST_CASE("what is no number, or none that a double holds, leaves the value alone") {
  for (const char* text : {"", " 1", "+1", "-", ".", "e5", "in"}) {
    CAPTURE(text);
    CHECK(front_number(text).problem == std::errc::invalid_argument);
    CHECK(front_number(text).length == 0);
    CHECK(front_number(text).value == 7.0);
  }
  CHECK(front_number("1e999").problem == std::errc::result_out_of_range);
  CHECK(front_number("1e999").value == 7.0);
}
