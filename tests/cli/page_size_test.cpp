// Page sizes in every unit, and the limits of what can be painted.
#include "products/look.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

using attnlab::check_pixels;
using attnlab::Error;
using attnlab::parse_page_size;

TEST_CASE("every way to write twelve inches square gives the same page") {
  for (const std::string text :
       {"12inx12in", "12x12in", "12inx12", "12 in x 12 in", "12INX12IN", "12in×12in", "30.48x30.48cm",
        "304.8mmx30.48cm", "864x864pt", "1728x1728px", "1728pxx1728px", "12.0e0x12in"}) {
    CAPTURE(text);
    const attnlab::PageSize page = parse_page_size(text, 144.0);
    CHECK(page.width == doctest::Approx(12.0).epsilon(1e-14));
    CHECK(page.height == doctest::Approx(12.0).epsilon(1e-14));
  }
}

TEST_CASE("width stands before height") {
  const attnlab::PageSize page = parse_page_size("30x20cm", 144.0);
  CHECK(page.width == doctest::Approx(30.0 / 2.54).epsilon(1e-14));
  CHECK(page.height == doctest::Approx(20.0 / 2.54).epsilon(1e-14));
}

TEST_CASE("pixels count at the resolution") {
  CHECK(parse_page_size("1728x864px", 72.0).width == doctest::Approx(24.0).epsilon(1e-14));
  CHECK(parse_page_size("1728x864px", 288.0).height == doctest::Approx(3.0).epsilon(1e-14));
}

TEST_CASE("what is no page size is refused") {
  for (const std::string text : {"",          "x",         "12",           "12in",           "12x12",
                                 "12inx",     "x12in",     "12inx12in ?",  "12inx12inx12in", "12ftx12ft",
                                 "axb",       "12,5x10in", "1728px1728px", "nanxnanin",      "infx1in",
                                 "-3x4in",    "+3x4in",    "0x0in",        "0.5x5in",        "201x5in",
                                 "1e300x5in", "12in*12in"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_page_size(text, 144.0), Error);
  }
}

TEST_CASE("the smallest and the largest side are allowed") {
  CHECK(parse_page_size("1x200in", 144.0).height == 200.0);
}

TEST_CASE("a png beyond 100 million pixels or Cairo's side is refused before memory is taken") {
  CHECK_NOTHROW(check_pixels({10.0, 10.0}, 1000.0));
  CHECK_THROWS_AS(check_pixels({10.0, 10.1}, 1000.0), Error);
  CHECK_NOTHROW(check_pixels({1.0, 32.767}, 1000.0));
  CHECK_THROWS_AS(check_pixels({1.0, 32.768}, 1000.0), Error);
}
