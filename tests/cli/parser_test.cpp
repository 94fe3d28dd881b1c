// Words on the command line become flags and values, and what cannot be read is explained.
#include "attnlab/command_line/parser.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"

using attnlab::Command;
using attnlab::Error;
using attnlab::ParsedCommand;
using Words = std::vector<std::string>;

namespace {

const std::vector<attnlab::Experiment>& two_experiments() {
  static const std::vector<attnlab::Experiment> table = {
      {"tilt",
       {"傾き", "a tilt"},
       {"資料", "a document"},
       {{"angle", attnlab::NumberKind{{-360.0, 360.0}}, "45", {"角度", "the angle"}},
        {"labels", attnlab::WordsKind{}, "", {"名前", "names"}},
        {"steep", attnlab::SwitchKind{}, "off", {"急に", "steeply"}},
        {"seed", attnlab::IntegerKind{{0, 9}}, "3", {"種", "the seed"}}},
       nullptr},
      {"heads", {"ヘッド", "heads"}, {"資料", "a document"}, {}, nullptr}};
  return table;
}

ParsedCommand parse(const Words& words) {
  return attnlab::parse_command_line(words, attnlab::subcommands(two_experiments()));
}

std::string refusal_of_words(const Words& words, attnlab::Language language = attnlab::Language::en) {
  try {
    parse(words);
  } catch (const Error& error) {
    CHECK(error.kind() == attnlab::ErrorKind::usage);
    return error.message(language);
  }
  return "accepted";
}

}  // namespace

TEST_CASE("values that begin with a dash are values") {
  CHECK(parse({"tilt", "--angle", "-45"}).value("angle") == "-45");
  CHECK(parse({"tilt", "--angle=-45"}).value("angle") == "-45");
  CHECK(parse({"tilt", "--labels", "-1,2"}).value("labels") == "-1,2");
  CHECK(parse({"tilt", "--labels", "-a"}).value("labels") == "-a");
}

TEST_CASE("values arrive as they were typed") {
  for (const std::string value :
       {"[1,2]", "a b", "a=b", "heads", "tilt", "list", "吾輩,猫", "{}", "\"x\"", "true", "", "++", "%s"}) {
    CAPTURE(value);
    CHECK(parse({"tilt", "--labels", value}).value("labels") == value);
  }
}

TEST_CASE("a repeatable flag keeps its values in order and long and short forms are one") {
  const ParsedCommand parsed =
      parse({"tilt", "-o", "a.png", "--output", "b.svg", "--output=c.pdf", "-od.png"});
  CHECK(parsed.values.at("output") == Words{"a.png", "b.svg", "c.pdf", "d.png"});
}

TEST_CASE("the language may stand before or after the subcommand") {
  CHECK(parse({"--lang", "ja", "tilt"}).value("lang") == "ja");
  CHECK(parse({"tilt", "--lang=ja"}).value("lang") == "ja");
  CHECK(refusal_of_words({"--lang", "ja", "tilt", "--lang", "en"}) ==
        "--lang was given 2 times; give it once");
}

TEST_CASE("no words mean attnlab itself") {
  CHECK(parse({}).command.name.empty());
  CHECK(parse({}).values.empty());
}

TEST_CASE("a misspelt subcommand is answered with the nearest") {
  CHECK(refusal_of_words({"tlit"}) ==
        "there is no subcommand 'tlit'; did you mean tilt? `attnlab list` shows the experiments");
  CHECK(refusal_of_words({"xyzzy"}) ==
        "there is no subcommand 'xyzzy'; `attnlab list` shows the experiments");
  CHECK(refusal_of_words({"transfomer"}).find("did you mean transformer?") != std::string::npos);
  CHECK(refusal_of_words({"tlit", "--angle", "4"}).find("did you mean tilt?") != std::string::npos);
  CHECK(refusal_of_words({"tlit"}, attnlab::Language::ja).find("tilt のことですか") != std::string::npos);
}

TEST_CASE("a misspelt flag is answered with the nearest") {
  CHECK(refusal_of_words({"tilt", "--agnle", "4"}) ==
        "tilt has no option '--agnle'; did you mean --angle? see `attnlab tilt --help`");
  CHECK(refusal_of_words({"tilt", "--agnle=4"}).find("did you mean --angle?") != std::string::npos);
  CHECK(refusal_of_words({"tilt", "--zzzzz"}) == "tilt has no option '--zzzzz'; see `attnlab tilt --help`");
  CHECK(refusal_of_words({"tilt", "-x"}).find("has no option '-x'") != std::string::npos);
  CHECK(refusal_of_words({"--lagn", "ja", "tilt"}).find("did you mean --lang?") != std::string::npos);
  CHECK(refusal_of_words({"tilt", "--agnle", "4"}, attnlab::Language::ja).find("--angle のことですか") !=
        std::string::npos);
}

TEST_CASE("a flag before the subcommand is told to go after it") {
  CHECK(refusal_of_words({"--angle", "4", "tilt"}) ==
        "--angle stands before tilt; write it after: attnlab tilt --angle");
  CHECK(refusal_of_words({"--angle", "4"}) ==
        "--angle has no subcommand before it; write it as in: attnlab tilt --angle");
}

TEST_CASE("a missing value is noticed wherever the flag stands") {
  const std::string expected = "--labels needs a value; write --labels";
  for (const Words& words : {Words{"tilt", "--labels"}, Words{"tilt", "--labels", "--quiet"},
                             Words{"tilt", "--labels", "--angle=4"}, Words{"tilt", "--labels", "-o", "x.png"},
                             Words{"tilt", "--labels=", "--quiet"}, Words{"tilt", "--labels="}}) {
    CHECK(refusal_of_words(words).rfind(expected, 0) == 0);
  }
  CHECK(refusal_of_words({"tilt", "--angle"}) == "--angle needs a value; for example --angle 45");
  CHECK(refusal_of_words({"tilt", "-o"}) == "--output needs a value; write --output FILE");
}

TEST_CASE("a flag given twice is refused") {
  CHECK(refusal_of_words({"tilt", "--angle", "1", "--angle", "2"}) ==
        "--angle was given 2 times; give it once");
  CHECK(refusal_of_words({"tilt", "--quiet", "--quiet"}) == "--quiet was given 2 times; give it once");
}

TEST_CASE("a switch takes no value") {
  CHECK(refusal_of_words({"tilt", "--quiet=3"}) ==
        "--quiet takes no value, but was given '3'; write --quiet alone");
}

TEST_CASE("a parameter that is a switch takes no value either") {
  CHECK(parse({"tilt", "--steep", "--angle", "3"}).is_set("steep"));
  CHECK_FALSE(parse({"tilt"}).is_set("steep"));
  CHECK(refusal_of_words({"tilt", "--steep=on"}) ==
        "--steep takes no value, but was given 'on'; write --steep alone");
  CHECK(refusal_of_words({"tilt", "--steep", "on"}) ==
        "tilt takes no argument 'on'; see `attnlab tilt --help`");
}

TEST_CASE("a word too many is refused") {
  CHECK(refusal_of_words({"tilt", "45"}) == "tilt takes no argument '45'; see `attnlab tilt --help`");
  CHECK(refusal_of_words({"tilt", "heads"}).find("takes no argument 'heads'") != std::string::npos);
  CHECK(refusal_of_words({"tilt", "--", "--angle"}) != "accepted");
}

TEST_CASE("bytes that are not UTF-8 are refused in values but allowed in file names") {
  CHECK(refusal_of_words({"tilt", "--labels", "\xff\xfe"}).find("not valid UTF-8") != std::string::npos);
  CHECK(refusal_of_words({"tilt", "--\xff"}) != "accepted");
  CHECK(refusal_of_words({"\xff"}) != "accepted");
  CHECK(parse({"tilt", "-o", "\xff.png"}).value("output") == "\xff.png");
}

TEST_CASE("help is shown whatever else is wrong") {
  CHECK(parse({"tilt", "--help", "--agnle", "4"}).is_set("help"));
  CHECK(parse({"tilt", "--angle", "1", "--angle", "2", "-h"}).is_set("help"));
  CHECK(parse({"-h"}).is_set("help"));
  CHECK(parse({"help", "tilt"}).topics == Words{"tilt"});
}

TEST_CASE("an empty name is a missing value") {
  for (const std::string flag : {"--figure", "--output-dir", "--output", "--data", "--check"}) {
    CAPTURE(flag);
    CHECK(refusal_of_words({"tilt", flag, ""}).rfind(flag + " needs a value", 0) == 0);
  }
  CHECK(refusal_of_words({"verify", "--only", ""}) == "--only needs a value; write --only NAME");
}

TEST_CASE("the mark that ends options may stand before the subcommand") {
  CHECK(parse({"--", "tilt", "--angle", "3"}).value("angle") == "3");
  CHECK(parse({"--lang", "ja", "--", "tilt"}).command.name == "tilt");
  CHECK(refusal_of_words({"tilt", "--", "--angle"}) != "accepted");
}

TEST_CASE("every flag is refused beside each that it excludes, as it was typed") {
  std::set<std::string> unconditional;
  for (const Command& command : attnlab::subcommands(attnlab::experiments())) {
    for (const attnlab::Flag& flag : attnlab::flags_of(command)) {
      for (const attnlab::Exclusion& exclusion : flag.exclusions) {
        for (const std::string& name : exclusion.others) {
          const attnlab::Flag* other = attnlab::find_flag(command, name);
          if (other == nullptr || exclusion.when != nullptr) continue;
          CAPTURE(command.name);
          ParsedCommand parsed;
          parsed.command = command;
          CHECK_NOTHROW(attnlab::refuse_exclusions(parsed));
          parsed.values = {{flag.name, {"x"}}};
          CHECK_NOTHROW(attnlab::refuse_exclusions(parsed));
          parsed.values[name] = {"x"};
          CHECK_THROWS_AS(attnlab::refuse_exclusions(parsed), Error);
          unconditional.insert(flag.name + " " + name);
        }
      }
    }
  }
  for (const char* pair :
       {"json quiet", "brief quiet", "brief json", "brief explain", "verbose quiet", "verbose json",
        "explain check", "blank no-figure", "show json", "show no-figure", "steps check", "steps blank",
        "title no-title", "no-figure output-dir", "no-figure figure", "no-figure format"})
    CHECK(unconditional.count(pair) == 1);
}

TEST_CASE("-o excludes by what it names: files, a page or standard output") {
  const auto refusal = [](const Words& words) {
    Words all{"heads"};
    all.insert(all.end(), words.begin(), words.end());
    return refusal_of_words(all);
  };
  CHECK(refusal({"-o", "x.png", "--output-dir", "d"}) ==
        "-o and --output-dir cannot be given together; write the folder into the name after -o");
  CHECK(refusal({"-o", "x.png", "--format", "png"}).rfind("-o and --format cannot", 0) == 0);
  CHECK(refusal({"-o", "x.html", "--output-dir", "d", "--format", "png"}) == "accepted");
  CHECK(refusal({"-o", "-", "--format", "png"}) == "accepted");
  CHECK(
      refusal({"-o", "-", "--json"}) ==
      "-o - and --json cannot be given together; standard output takes the figure alone: send one of them to a file");
  CHECK(refusal({"-o", "x.png", "--json"}) == "accepted");
  CHECK(refusal({"-o", "-", "--code", "numpy"}).rfind("-o - and --code cannot", 0) == 0);
  CHECK(refusal({"-o", "-", "--code", "numpy", "-o", "x.py"}) == "accepted");
  CHECK(refusal({"--code", "numpy", "--json"}) == "--code and --json cannot be given together; choose one");
  CHECK(refusal({"--code", "numpy", "--json", "-o", "x.py"}) == "accepted");
  CHECK(refusal({"--explain", "--quiet"}) == "--explain and --quiet cannot be given together; choose one");
  CHECK(refusal({"--explain", "--quiet", "-o", "x.md"}) == "accepted");
  CHECK(refusal({"--explain", "--no-figure", "-o", "x.md"}) == "accepted");
  CHECK(refusal({"--no-figure", "-o", "x.html"}).rfind("--no-figure and -o cannot", 0) == 0);
}
