// A verdict says in words what a number alone would not tell.
#include "core/constants.hpp"
#include "results/check/check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using attnlab::Array;
using attnlab::Check;
using attnlab::Language;
using attnlab::NamedArray;
using attnlab::Stage;

namespace {

/// The verdict on one line.
std::string verdict(const std::vector<double>& submitted, const std::vector<double>& expected,
                    Language language) {
  const std::vector<Stage> trace{{"weights", {}, Array{{expected.size()}, {"keys"}, expected}}};
  const NamedArray array{"", {{submitted.size()}, {}, submitted}, NamedArray::Storage::float64, {}};
  const std::string text =
      check_text({attnlab::check_stage(trace, "weights", array)}, language, attnlab::Colouring::plain);
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = text[i] == ' ' || text[i] == '\n';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : text[i];
  }
  return line;
}

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("NaN where a number is needed is counted and placed") {
  const std::string english =
      verdict({0.5, not_a_number, not_a_number, 0.2}, {0.5, 0.25, 0.125, 0.125}, Language::en);
  CHECK(contains(
      english,
      "2 of 4 values are NaN or infinite where a number is needed, first at [keys 1]: nan instead of 0.25; 3 values differ in all"));
  CHECK(!contains(english, "largest error"));
  const std::string japanese = without_blanks(verdict({0.5, not_a_number}, {0.5, 0.25}, Language::ja));
  CHECK(contains(japanese, "2個のうち1個"));
  CHECK(!contains(japanese, "inf"));
}

TEST_CASE("a number where NaN is needed is not called an infinite error") {
  const std::string english = verdict({0.5, 0.0}, {0.5, not_a_number}, Language::en);
  CHECK(contains(english, "1 of 2 values is something else where NaN or infinity is needed"));
  CHECK(contains(verdict({-1e9}, {-infinity}, Language::en), "-1e+09 instead of -inf"));
}

TEST_CASE("an array of NaN alone has no decimals") {
  const std::string english = verdict({not_a_number, not_a_number}, {0.5, 0.25}, Language::en);
  CHECK(contains(english, "2 of 2 values"));
  CHECK(!contains(english, "decimals"));
}
