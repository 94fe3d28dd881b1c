// Where the program that runs lies.
#include "core/program_path.hpp"

#include <doctest/doctest.h>

TEST_CASE("a program knows the file that it was started from") {
  CHECK(attnlab::program_path().is_absolute());
  CHECK(attnlab::program_path().filename() == "test_core");
}
