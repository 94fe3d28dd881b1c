// Nouns in their number.
#include "core/counted.hpp"

#include <doctest/doctest.h>

TEST_CASE("one has no s, and a y behind a consonant becomes ies") {
  CHECK(attnlab::counted(1, "key").en() == "1 key");
  CHECK(attnlab::counted(0, "key").en() == "0 keys");
  CHECK(attnlab::counted(1, "query").en() == "1 query");
  CHECK(attnlab::counted(2, "query").en() == "2 queries");
  CHECK(attnlab::counted(2, "query").ja() == "2");
}
