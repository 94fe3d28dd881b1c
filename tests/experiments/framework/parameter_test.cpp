// Parameters: what may be typed, what is refused, and what the refusal says.
#include "experiments/framework/parameter.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "core/error.hpp"

using attnlab::Arguments;
using attnlab::ChoiceKind;
using attnlab::Error;
using attnlab::form_of;
using attnlab::IntegerKind;
using attnlab::Language;
using attnlab::NumberKind;
using attnlab::NumbersKind;
using attnlab::Parameter;
using attnlab::SwitchKind;
using attnlab::SyntaxKind;
using attnlab::Text;
using attnlab::UsedParameter;
using attnlab::WordsKind;

namespace {

const Text no_help = Text::same("");

const Parameter tokens{"tokens", IntegerKind{{1, 512}}, "4", no_help};
const Parameter offset{"offset", IntegerKind{{-5, 5}}, "", no_help};
const Parameter base{"base", NumberKind{{1.5, 1e9}}, "10000", no_help};
const Parameter temperature{"temperature", NumberKind{{0.001, 1e6}}, "1", no_help};
const Parameter scores{"scores", NumbersKind{{2, 4}, {-1000.0, 1000.0}}, "2,-1,0.5", no_help};
const Parameter queries{"queries", NumbersKind{{1, 3}, {-360.0, 360.0}}, "", no_help};
const Parameter labels{"labels", WordsKind{}, "", no_help};
const Parameter pairing{"pairing", ChoiceKind{{"interleaved", "halves"}}, "halves", no_help};
const Parameter scale{"scale", SyntaxKind{"none|default|NUMBER"}, "default", no_help};
const Parameter measure{"measure", SwitchKind{}, "off", no_help};

Arguments arguments() {
  return Arguments({tokens, offset, base, temperature, scores, queries, labels, pairing, scale, measure});
}

std::string error_of(const std::string& name, const std::string& text, Language language = Language::en) {
  Arguments values = arguments();
  try {
    values.set(name, text);
  } catch (const Error& error) {
    CHECK(error.kind() == attnlab::ErrorKind::usage);
    CHECK_FALSE(values.is_set(name));
    return error.message(language);
  }
  return "no error";
}

Arguments with(const std::string& name, const std::string& text) {
  Arguments values = arguments();
  values.set(name, text);
  return values;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a parameter that is not given has its default") {
  const Arguments values = arguments();
  CHECK_FALSE(values.is_set("tokens"));
  CHECK(values.count("tokens") == 4);
  CHECK(values.number("base") == 10000.0);
  CHECK(values.numbers("scores") == std::vector<double>{2.0, -1.0, 0.5});
  CHECK(values.text("pairing") == "halves");
  CHECK(values.numbers("queries").empty());
  CHECK(values.words("labels").empty());
  CHECK(values.text("labels").empty());
}

TEST_CASE("a parameter that is given has the value that was typed") {
  CHECK(with("tokens", "512").count("tokens") == 512);
  CHECK(with("offset", "-5").integer("offset") == -5);
  CHECK(with("offset", "+3").integer("offset") == 3);
  CHECK(with("base", "1e4").number("base") == 10000.0);
  CHECK(with("base", "1.5").text("base") == "1.5");
  CHECK(with("queries", " 45, .5 ,-0 ").numbers("queries") == std::vector<double>{45.0, 0.5, 0.0});
  CHECK(with("pairing", "interleaved").text("pairing") == "interleaved");
  CHECK(with("tokens", "7").is_set("tokens"));
}

TEST_CASE("the last of several values counts") {
  Arguments values = with("tokens", "7");
  values.set("tokens", "8");
  CHECK(values.count("tokens") == 8);
}

TEST_CASE("words keep their characters and lose the spaces around them") {
  const Arguments values = with("labels", "吾輩, は ,a b");
  CHECK(values.words("labels") == std::vector<std::string>{"吾輩", "は", "a b"});
  CHECK(with("labels", "neko").words("labels") == std::vector<std::string>{"neko"});
}

TEST_CASE("an error names the flag and what is wanted and what was got and an example") {
  CHECK(error_of("tokens", "0") ==
        "--tokens must be a whole number from 1 to 512, got '0'; for example --tokens 4");
  CHECK(error_of("tokens", "0", Language::ja) ==
        "--tokens には 1 以上 512 以下の整数を指定します（指定された値は '0'）。例: --tokens 4");
  CHECK(error_of("base", "1") ==
        "--base must be a number from 1.5 to 1000000000, got '1'; for example --base 10000");
  CHECK(error_of("temperature", "0") ==
        "--temperature must be a number from 0.001 to 1000000, got '0'; for example --temperature 1");
  CHECK(
      error_of("temperature", "-1", Language::ja) ==
      "--temperature には 0.001 以上 1000000 以下の数を指定します（指定された値は '-1'）。例: --temperature 1");
  CHECK(error_of("pairing", "half") ==
        "--pairing must be one of interleaved, halves, got 'half'; for example --pairing halves");
}

TEST_CASE("what is no whole number is refused where one is wanted") {
  for (const char* text : {"", " ", "4.0", "4x", "x", "0x4", "1e2", "--4", "+-4", "+", "-", "4 4", "4,5",
                           "nan", "inf", "99999999999999999999", "513", "-1", "٤"}) {
    CHECK(contains(error_of("tokens", text), "whole number from 1 to 512"));
  }
}

TEST_CASE("what is no finite number in decimal is refused where one is wanted") {
  for (const char* text : {"", "nan", "NaN", "inf", "-inf", "infinity", "0x1p3", "1e999", "-1e999", "1e",
                           "1.5.2", "1,5", "1_000", "1 2", "one", "+-2", "++2", "2f"}) {
    CHECK(contains(error_of("base", text), "--base must be a number from 1.5"));
  }
}

TEST_CASE("lists refuse empty items and wrong lengths and items out of range") {
  for (const char* text : {"", ",", "1,,2", "1,2,", ",1,2", "1;2", "1,x", "1,nan", "1,1001", "1,1e999"}) {
    CHECK(contains(error_of("scores", text),
                   "--scores must be 2 to 4 numbers from -1000 to 1000 separated by commas"));
  }
  CHECK(contains(error_of("scores", "1"), "got 1 of them; for example --scores 2,-1,0.5"));
  CHECK(contains(error_of("scores", "1,2,3,4,5"), "got 5 of them"));
  CHECK(contains(error_of("scores", "1", Language::ja), "2～4 個"));
  CHECK(error_of("scores", "1,2,3,4") == "no error");
}

TEST_CASE("words may not be empty nor hold control characters nor be anything but UTF-8") {
  for (const char* text : {"", "a,,b", "a,", " , "})
    CHECK(contains(error_of("labels", text), "--labels must be words separated by commas"));
  CHECK(contains(error_of("labels", "a\nb"), "control characters, got 'a\\x0ab'"));
  CHECK(contains(error_of("labels", "a\x1b[31m"), "control characters"));
  CHECK(contains(error_of("labels", "a\u2028b"), "control characters"));
  CHECK(contains(error_of("labels", "a\xFF"), "UTF-8, got 'a\\xff'"));
  CHECK(contains(error_of("labels", "a\xFF", Language::ja), "UTF-8 の文字列ではありません"));
  CHECK(error_of("labels", "ねこ,👩‍🔬,עברית") == "no error");
}

TEST_CASE("full-width digits are refused with the half-width text to type") {
  CHECK(error_of("tokens", "１２") ==
        "--tokens must be a whole number from 1 to 512, got '１２'; type half-width characters: --tokens 12");
  CHECK(contains(error_of("scores", "２、−１，０．５", Language::ja),
                 "半角で入力してください: --scores 2,-1,0.5"));
  CHECK(contains(error_of("tokens", "９９９９"), "for example --tokens 4"));
}

TEST_CASE("an error is one line that quotes a long text only in part") {
  const std::string message = error_of("tokens", std::string(100000, '9'));
  CHECK(message.size() < 250);
  CHECK_FALSE(contains(error_of("tokens", "4\n5"), "\n"));
}

TEST_CASE("an unknown parameter is refused with the names that exist") {
  CHECK(contains(error_of("token", "4"), "there is no parameter --token; there are --tokens, --offset"));
}

TEST_CASE("an example that an error gives is accepted") {
  for (const Parameter& parameter :
       {tokens, offset, base, temperature, scores, queries, labels, pairing,
        Parameter{"k", IntegerKind{{5, 9}}, "", no_help},
        Parameter{"x", NumberKind{{-3.0, -2.0}}, "", no_help},
        Parameter{"y", NumbersKind{{3, 5}, {2.0, 4.0}}, "", no_help},
        Parameter{"c", ChoiceKind{{"a", "b"}}, "", no_help},
        Parameter{"s", SyntaxKind{"data|A:B"}, "", no_help}, Parameter{"m", SwitchKind{}, "", no_help}}) {
    Arguments values({parameter});
    std::string message;
    try {
      values.set(parameter.name, "\x01");
    } catch (const Error& error) {
      message = error.message(Language::en);
    }
    const std::string mark = "for example --" + parameter.name + " ";
    REQUIRE(contains(message, mark));
    CHECK_NOTHROW(values.set(parameter.name, message.substr(message.find(mark) + mark.size())));
  }
}

TEST_CASE("the form of a parameter fits a help line of either language") {
  CHECK(form_of(tokens) == "1..512");
  CHECK(form_of(base) == "1.5..1000000000");
  CHECK(form_of(temperature) == "0.001..1000000");
  CHECK(form_of({"x", NumberKind{{0.1, 10.0}}, "", no_help}) == "0.1..10");
  CHECK(form_of(scores) == "X,X,... (2..4; X -1000..1000)");
  CHECK(form_of(queries) == "X,X,... (1..3; X -360..360)");
  CHECK(form_of({"a", NumbersKind{{2, 2}, {0.0, 9.0}}, "", no_help}) == "X,X,... (2; X 0..9)");
  CHECK(form_of(labels) == "WORD,WORD,...");
  CHECK(form_of(pairing) == "interleaved|halves");
  CHECK(form_of(scale) == "none|default|NUMBER");
  CHECK(form_of(measure).empty());
}

TEST_CASE("a switch is off until it is set and is nothing but on or off") {
  CHECK_FALSE(arguments().is_on("measure"));
  CHECK(with("measure", "on").is_on("measure"));
  CHECK_FALSE(with("measure", "off").is_on("measure"));
  CHECK(contains(error_of("measure", "yes"), "--measure must be on or off, got 'yes'"));
  const UsedParameter used = used_parameters(with("measure", "on")).back();
  CHECK(std::get<bool>(used.value));
  CHECK_FALSE(used.is_default);
  CHECK(used_parameters(with("measure", "off")).back().is_default);
}

TEST_CASE("used parameters come in order and typed and know whether they are default") {
  Arguments values = arguments();
  values.set("scores", "2,-1.0,5e-1");  // the default in another spelling
  values.set("tokens", "6");
  values.set("scale", "0.5");
  values.set("labels", "a,b");
  const std::vector<UsedParameter> used = used_parameters(values);
  REQUIRE(used.size() == values.parameters().size());
  CHECK(used[0].name == "tokens");
  CHECK(used[0].text == "6");
  CHECK_FALSE(used[0].is_default);
  CHECK(std::get<long long>(used[0].value) == 6);
  CHECK(std::holds_alternative<std::monostate>(used[1].value));
  CHECK(used[1].is_default);
  CHECK(std::get<double>(used[2].value) == 10000.0);
  CHECK(used[4].is_default);
  CHECK(std::get<std::vector<double>>(used[4].value) == std::vector<double>{2.0, -1.0, 0.5});
  CHECK(std::get<std::vector<std::string>>(used[6].value) == std::vector<std::string>{"a", "b"});
  CHECK(std::get<std::string>(used[7].value) == "halves");
  CHECK(std::get<double>(used[8].value) == 0.5);
  CHECK_FALSE(used[8].is_default);
  CHECK(std::get<std::string>(used_parameters(arguments())[8].value) == "default");
}

TEST_CASE("asking for a parameter in another type or without a value is a mistake of the program") {
  const Arguments values = arguments();
  CHECK_THROWS_AS(values.integer("base"), std::logic_error);
  CHECK_THROWS_AS(values.number("tokens"), std::logic_error);
  CHECK_THROWS_AS(with("labels", "a").numbers("labels"), std::logic_error);
  CHECK_THROWS_AS(values.words("scores"), std::logic_error);
  CHECK_THROWS_AS(values.integer("offset"), std::logic_error);
  CHECK_THROWS_AS(values.is_on("pairing"), std::logic_error);
  CHECK_THROWS_AS(with("offset", "-1").count("offset"), std::logic_error);
  CHECK_THROWS_AS(values.text("nothing"), std::logic_error);
}

TEST_CASE("a default that its own parameter refuses cannot be declared") {
  CHECK_THROWS_AS(Arguments({Parameter{"tokens", IntegerKind{{1, 3}}, "4", no_help}}), Error);
}
