#include "sweep/sweep.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.hpp"

namespace attnlab {
namespace {

using Texts = std::vector<std::string>;

const Parameter whole{"dim", IntegerKind{{1, 100'000}}, "4", {"次元", "dimension"}};
const Parameter number{"angle", NumberKind{{-360.0, 360.0}}, "45", {"角度", "angle"}};
const Parameter vector{"b", NumbersKind{{2, 2}, {-20.0, 20.0}}, "1,2", {"ベクトル", "vector"}};
const Parameter temperatures{
    "temperature", NumbersKind{{1, 12}, {1e-6, 1e6}}, "1,2", {"温度", "temperature"}};
const Parameter mask{"mask", SyntaxKind{"none|window:N"}, "none", {"マスク", "mask"}};
const Parameter scale{"scale", SyntaxKind{"none|default|NUMBER"}, "default", {"倍率", "scale"}};
const Parameter choice{"rng", ChoiceKind{{"numpy", "torch"}}, "numpy", {"乱数", "random numbers"}};

Texts texts(const Parameter& parameter, const std::string& words, const std::string& pattern = "") {
  return sweep_values(parameter, words, pattern).texts;
}

std::string complaint(const Parameter& parameter, const std::string& words) {
  try {
    sweep_values(parameter, words, "");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message(Language::en);
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Whole numbers are rounded, and none comes twice") {
  CHECK(texts(whole, "1:1024:log:11") ==
        Texts{"1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024"});
  CHECK(texts(whole, "1:5:log:40") == Texts{"1", "2", "3", "4", "5"});
  CHECK(texts(whole, "10:20:3") == Texts{"10", "15", "20"});
  CHECK(texts(whole, "8:2:lin:4") == Texts{"8", "6", "4", "2"});
}

TEST_CASE("Without a number of frames there are all whole numbers, or forty") {
  CHECK(texts(whole, "3:6") == Texts{"3", "4", "5", "6"});
  CHECK(texts(whole, "1:100").size() == 100);
  CHECK(texts(whole, "1:1000").size() == 40);
  CHECK(texts(number, "0:1").size() == 40);
}

TEST_CASE("Numbers have as many decimals as their steps need, and the same in all") {
  CHECK(texts(number, "0:360:5") == Texts{"0", "90", "180", "270", "360"});
  CHECK(texts(number, "-1:1:5") == Texts{"-1.0", "-0.5", "0.0", "0.5", "1.0"});
  CHECK(texts(number, "0:1:4") == Texts{"0.00", "0.33", "0.67", "1.00"});
  CHECK(texts(number, "-0.001:0.001:3") == Texts{"-0.001", "0.000", "0.001"});
}

TEST_CASE("On a logarithmic scale every number has three digits or more") {
  CHECK(texts(temperatures, "0.01:100:log:5") == Texts{"0.0100", "0.100", "1.00", "10.0", "100"});
  CHECK(texts(temperatures, "1:4000:log:2") == Texts{"1.00", "4000"});
}

TEST_CASE("The ends are those that were typed, however long the way between them") {
  const Parameter wide{"temperature", NumberKind{{1e-9, 1e9}}, "1", {"温度", "temperature"}};
  const Texts ends = texts(wide, "1e-6:1e6:3");
  REQUIRE(ends.size() == 3);
  CHECK(ends.front() == "1e-6");
  CHECK(std::stod(ends.back()) == 1e6);
}

TEST_CASE("A value's place is where it lies between the ends") {
  const SweepValues values = sweep_values(whole, "1:100:log:3", "");
  CHECK(values.places[0] == 0.0);
  CHECK(values.places[1] == doctest::Approx(0.5));
  CHECK(values.places[2] == 1.0);
  CHECK(sweep_values(whole, "1,2,100", "").places[1] == 0.5);  // a list has no scale
}

TEST_CASE("A list holds what the parameter takes") {
  CHECK(texts(whole, "1,2,9") == Texts{"1", "2", "9"});
  CHECK(texts(choice, "numpy,torch") == Texts{"numpy", "torch"});
  CHECK(contains(complaint(choice, "numpy,mt19937"), "mt19937"));
  CHECK(contains(complaint(whole, "1,2,2"), "2 stands there twice"));
  CHECK(contains(complaint(whole, "1,,2"), "dim=A,B,C"));
}

TEST_CASE("Values take the place of the mark in a pattern") {
  CHECK(texts(vector, "0:1:3", "@,0.5") == Texts{"0.0,0.5", "0.5,0.5", "1.0,0.5"});
  CHECK(texts(mask, "1:3", "causal,window:@") ==
        Texts{"causal,window:1", "causal,window:2", "causal,window:3"});
  CHECK(texts(scale, "0.5:1.5:3") == Texts{"0.5", "1.0", "1.5"});
}

TEST_CASE("Words that are no range are refused with the form that is wanted") {
  for (const std::string words : {"", "5", "1:", ":5", "a:b", "1:2:3:4:5", "1:2:cubic", "1:2:lin:log",
                                  "1:2:9:log", "nan:1", "1:inf", "1 : 2", "0x1:5", "1:2:3.5", "１:５"}) {
    CAPTURE(words);
    CHECK(contains(complaint(whole, words), "write dim=FROM:TO[:lin|log][:FRAMES] or dim=A,B,C"));
  }
  CHECK(contains(complaint(whole, "5:5"), "both ends are the same"));
  CHECK(contains(complaint(whole, "0:9:log"), "log needs a positive range"));
  CHECK(contains(complaint(number, "-5:9:log"), "log needs a positive range"));
  CHECK(contains(complaint(whole, "1.5:9"), "whole numbers"));
}

TEST_CASE("There are two to a thousand frames, and the ends are values of the parameter") {
  CHECK(contains(complaint(whole, "1:9:1"), "choose 2 to 1000"));
  CHECK(contains(complaint(whole, "1:9:1001"), "choose 2 to 1000"));
  CHECK(contains(complaint(whole, "1:9:-3"), "choose 2 to 1000"));
  CHECK(texts(whole, "1:5000:1000").size() == 1000);
  CHECK(contains(complaint(whole, "1:200000"), "got '200000'"));
  CHECK(contains(complaint(number, "0:361"), "from -360 to 360"));
}

TEST_CASE("What takes a single number can be swept by itself") {
  for (const Parameter& parameter : {whole, number, temperatures, scale}) CHECK(takes_number(parameter));
  for (const Parameter& parameter : {vector, mask, choice}) CHECK_FALSE(takes_number(parameter));
}

}  // namespace attnlab
