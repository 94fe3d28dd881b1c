#include "page/series.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "page/read_series.hpp"

namespace attnlab {
namespace {

std::vector<Json> values(const std::vector<int>& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

TEST_CASE("What never changes is written once") { CHECK(series(values({7, 7, 7, 7}), 2).dump() == R"("*")"); }

TEST_CASE("A page of one frame has one value of each") { CHECK(series(values({7}), 1).dump() == R"("*")"); }

TEST_CASE("What one of two sliders changes has a value for each of that slider's") {
  CHECK(series(values({1, 2, 1, 2}), 2).dump() == R"("$%")");
  CHECK(series(values({1, 1, 2, 2}), 2).dump() == R"({"slow":"$%"})");
}

TEST_CASE("A long value that comes again is written once") {
  const std::string longer(40, 'x');
  const std::vector<Json> words{longer, "a", longer, longer, "b", longer};
  const Json written = series(words, 6);
  CHECK(written.at("of") == Json{longer, "a", "b"});
  CHECK(written.at("at") == "#$##%#");
}

TEST_CASE("Of texts that differ in their numbers alone the words are written once") {
  const std::vector<Json> turns{"translate(12.5 −3)scale(2)", "translate(13 4.25)scale(2)",
                                "translate(9 −5)scale(2)"};
  const Json once{{"between", {"translate(", " ", ")scale(2)"}}, {"numbers", {"12.5 13 9", "−3 4.25 −5"}}};
  CHECK(series(turns, 3) == once);
  const std::vector<Json> others{"M1", "12 is a long text with a number in another place", "", "7"};
  CHECK(series(others, 4) == Json(others));
  for (const std::vector<Json>& all : {turns, others}) {
    for (std::size_t frame = 0; frame < all.size(); ++frame)
      CHECK(value_at(series(all, all.size()), frame, all.size()) == all[frame]);
  }
}

TEST_CASE("Every form gives back what was written") {
  const std::size_t fast = 3;
  for (const std::vector<int>& numbers : {std::vector<int>{1, 2, 3, 1, 2, 3},
                                          {4, 4, 4, 5, 5, 5},
                                          {1, 2, 3, 4, 5, 6},
                                          {9, 9, 9, 9, 9, 9},
                                          {91, 92, 93, 2000, 49999, 0},
                                          {100000, 200000, 100000, 100000, 200000, 200000}}) {
    const std::vector<Json> all = values(numbers);
    const Json written = series(all, fast);
    for (std::size_t frame = 0; frame < all.size(); ++frame)
      CHECK(value_at(written, frame, fast) == all[frame]);
  }
}

TEST_CASE("Equal series share a number") {
  SeriesTable table(2);
  CHECK(table.number_of(values({1, 2})) == 0);
  CHECK(table.number_of(values({3, 4})) == 1);
  CHECK(table.number_of(values({1, 2})) == 0);
  CHECK(table.all().dump() == R"(["$%","&'"])");
}

TEST_CASE("A series that an earlier table holds is its number there") {
  SeriesTable wide(2);
  wide.number_of(values({1, 1}));
  const std::size_t both = wide.number_of(values({1, 2}));
  SeriesTable narrow(2, &wide);
  CHECK(narrow.number_of(values({1, 2})) == 0);
  CHECK(narrow.number_of(values({2, 1})) == 1);
  CHECK(narrow.all()[0] == both);
  CHECK(narrow.all()[1] == series(values({2, 1}), 2));
}

TEST_CASE("Few digits are a list, more are packed, each as exactly as its digits say") {
  CHECK(numbers_of({0.5, -2.0}, shown_digits).dump() == "[0.5,-2]");
  // Packed by hand in Python: struct and base64 over 3 + (400 + e) * (2 * 10**d + 1) + 10**d + m.
  CHECK(numbers_of({0.12346, -0.23456, 3.4567e-8, 4567.8}, shown_digits) == "8gZ59fh4uex2e0x6");
  CHECK(numbers_of({0.1234567, -2.345678e-12}, kept_digits) == "DhMJL/rqsy0=");
}

TEST_CASE("Numbers have as many digits as they need, and those that JSON does not have are words") {
  CHECK(rounded_number(0.123456789, kept_digits).dump() == "0.123457");
  CHECK(rounded_number(0.123456789, shown_digits).dump() == "0.1235");
  CHECK(rounded_number(3.0, kept_digits).dump() == "3");
  CHECK(rounded_number(-1.25e-12, kept_digits).dump() == "-1.25e-12");
  CHECK(rounded_number(std::numeric_limits<double>::infinity(), kept_digits).dump() == R"("inf")");
  CHECK(rounded_number(std::numeric_limits<double>::quiet_NaN(), kept_digits).dump() == R"("nan")");
}

}  // namespace attnlab
