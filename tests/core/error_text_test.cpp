// One error, one line: the problem and the remedy in each language.
#include <doctest/doctest.h>

#include "core/error.hpp"

using attnlab::Error;
using attnlab::ErrorKind;
using attnlab::Language;

namespace {

Error example() {
  return {ErrorKind::usage,
          {"d_model 16 は 3 個のヘッドに等分できません", "d_model 16 cannot be split over 3 heads"},
          {"16 の約数を選んでください", "choose a divisor of 16"}};
}

}  // namespace

TEST_CASE("an error joins problem and remedy in each language") {
  CHECK(example().message(Language::en) == "d_model 16 cannot be split over 3 heads; choose a divisor of 16");
  CHECK(example().message(Language::ja) ==
        "d_model 16 は 3 個のヘッドに等分できません。16 の約数を選んでください");
}

TEST_CASE("what() is the English message") { CHECK(example().what() == example().message(Language::en)); }

TEST_CASE("the kind of an error is its exit code") {
  CHECK(static_cast<int>(Error(ErrorKind::failed, {"", ""}, {"", ""}).kind()) == 1);
  CHECK(static_cast<int>(example().kind()) == 2);
}
