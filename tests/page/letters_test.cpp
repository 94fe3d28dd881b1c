#include "page/letters.hpp"

#include <doctest/doctest.h>

namespace attnlab {

TEST_CASE("A glyph is written with its place where it does not follow the one before it") {
  const Json brief = brief_letters({"1;2 500;1 1100", "1;2 480;3 1080", "2 10;1 610 -30;2 900;M0 0h9z;2 0"});
  CHECK(brief.at("labels") == Json{"1;2;1", "1;2 480;3", "2 10;1 610 -30;2 900;M0 0h9z;2 0"});
  CHECK(brief.at("advances") == Json{nullptr, 500, 600});
}

TEST_CASE("A label without letters has none") {
  CHECK(brief_letters({""}).at("labels") == Json::array({""}));
}

}  // namespace attnlab
