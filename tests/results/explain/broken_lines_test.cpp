// Long formulas on paper: no piece is wider than asked for, and nothing is lost between the pieces.
#include "results/explain/explanation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "results/explain/written_numbers.hpp"

using attnlab::broken;
using attnlab::columns_of;
using attnlab::Formula;
using attnlab::to_terminal;
using attnlab::formula::fraction;
using attnlab::formula::row;
using attnlab::formula::sym;

namespace {

const std::vector<double> left{0.1234, -0.5678, 1.4142, 2.7183};
const std::vector<double> right{-1.1111, 0.2222, 0.3333, -0.4444};

Formula sum() { return attnlab::written_products(left.data(), right.data(), left.size()).formula; }

std::string without_spaces(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

std::string together(const std::vector<Formula>& pieces) {
  std::string text;
  for (const Formula& piece : pieces) text += to_terminal(piece);
  return without_spaces(text);
}

}  // namespace

TEST_CASE("what fits stays whole") {
  const Formula whole = sum();
  REQUIRE(broken(whole, columns_of(whole)).size() == 1);
  CHECK(broken(whole, columns_of(whole) - 1).size() > 1);
}

TEST_CASE("a sum is cut before its signs and nothing is lost") {
  for (const std::size_t columns : {20U, 30U, 45U, 70U}) {
    const std::vector<Formula> pieces = broken(sum(), columns);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      CHECK(columns_of(pieces[i]) <= columns);
      if (i > 0) CHECK(to_terminal(pieces[i]).front() == '+');
    }
    CHECK(together(pieces) == without_spaces(to_terminal(sum())));
  }
}

TEST_CASE("a row in brackets is cut behind its commas") {
  const Formula list = attnlab::written_row(left.data(), left.size()).formula;
  const std::vector<Formula> pieces = broken(list, 20);
  REQUIRE(pieces.size() == 2);
  CHECK(to_terminal(pieces[0]).back() == ',');
  CHECK(together(pieces) == without_spaces(to_terminal(list)));
}

TEST_CASE("a call is kept whole where a cut outside of it will do") {
  const auto exponential = [](const char* x) {
    return attnlab::formula::call("exp", row({sym(x), sym("−"), sym("1.2345")}));
  };
  const std::vector<Formula> pieces = broken(
      row({exponential("0.1111"), sym("+"), exponential("0.2222"), sym("+"), exponential("0.3333")}), 45);
  REQUIRE(pieces.size() == 2);
  CHECK(to_terminal(pieces[1]) == "+exp(0.3333 − 1.2345)");
}

TEST_CASE("a wide fraction becomes a factor and a narrow one stays") {
  const std::vector<Formula> pieces = broken(fraction(sum(), sym("4")), 40);
  for (const Formula& piece : pieces) CHECK(columns_of(piece) <= 40);
  CHECK(to_terminal(pieces[0]).find("1 / 4") != std::string::npos);
  const Formula narrow = fraction(sym("a"), sym("b"));
  CHECK(broken(row({narrow, sym("+"), sum()}), 40)[0].parts[0].kind == Formula::Kind::fraction);
}
