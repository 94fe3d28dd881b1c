#include "page/series.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <limits>
#include <string>
#include <vector>

#include "page/gzip.hpp"
#include "page/read_series.hpp"

namespace attnlab {
namespace {

std::vector<Json> values(const std::vector<int>& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

TEST_CASE("What never changes is written once") { CHECK(series(values({7, 7, 7, 7})).dump() == "[7]"); }

TEST_CASE("A page of one frame has one value of each") { CHECK(series(values({7})).dump() == "[7]"); }

TEST_CASE("A value that comes again is written once") {
  const std::string longer(40, 'x');
  const std::vector<Json> words{longer, "a", longer, longer, "b", longer};
  const Json written = series(words);
  CHECK(written.at("of") == Json{longer, "a", "b"});
  CHECK(written.at("at") == Json{0, 1, 0, 0, 2, 0});
}

TEST_CASE("Every form gives back what was written") {
  for (const std::vector<int>& numbers : {std::vector<int>{1, 2, 3, 1, 2, 3},
                                          {4, 4, 4, 5, 5, 5},
                                          {1, 2, 3, 4, 5, 6},
                                          {9, 9, 9, 9, 9, 9},
                                          {91, 92, 93, 2000, 49999, 0},
                                          {100000, 200000, 100000, 100000, 200000, 200000}}) {
    const std::vector<Json> all = values(numbers);
    const Json written = series(all);
    for (std::size_t frame = 0; frame < all.size(); ++frame) CHECK(value_at(written, frame) == all[frame]);
  }
}

TEST_CASE("Equal series share a number") {
  SeriesTable table;
  CHECK(table.number_of(values({1, 2})) == 0);
  CHECK(table.number_of(values({3, 4})) == 1);
  CHECK(table.number_of(values({1, 2})) == 0);
  CHECK(table.all().dump() == "[[1,2],[3,4]]");
}

TEST_CASE("What is compressed comes back as it was, and the same text as the same bytes") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * i) + " 注意度 ";
  const std::string bytes = gzip(text);
  CHECK(bytes.size() < text.size() / 3);
  CHECK(gzip(text) == bytes);
  z_stream stream{};
  REQUIRE(::inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
  std::string input = bytes;
  std::string back(text.size() + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(back.data());
  stream.avail_out = static_cast<uInt>(back.size());
  CHECK(::inflate(&stream, Z_FINISH) == Z_STREAM_END);
  back.resize(stream.total_out);
  ::inflateEnd(&stream);
  CHECK(back == text);
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
