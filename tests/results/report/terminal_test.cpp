// The report as a lecturer reads it: marked sentences, numbers in NumPy's form, aligned tables.
#include "results/report/terminal.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "core/terminal_width.hpp"

using attnlab::Array;
using attnlab::Block;
using attnlab::Colouring;
using attnlab::Language;
using attnlab::Paragraph;
using attnlab::Report;
using attnlab::Role;
using attnlab::Table;
using attnlab::Text;
using attnlab::to_terminal;
using attnlab::Values;

namespace {

std::string plain(const Block& block, Language language = Language::en) {
  Report report;
  report.body.push_back(block);
  return to_terminal(report.body, language, Colouring::plain);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

const std::string long_english =
    "A weight is a share: whoever takes more leaves less for the others, and the shares of one query sum to one, however many keys there are.";
const std::string long_japanese =
    "注意度は分け前です。ある単語が多くを取れば、ほかの単語の取り分は減ります。一つのクエリーについて足し合わせると、キーがいくつあっても必ず 1 になります。";

}  // namespace

TEST_CASE("one line of numbers follows its label and shape") {
  const Array output{{2}, {"x"}, {0.31564537501415324, 0.3156453688639892}};
  CHECK(plain(Values{{"出力", "output"}, output}) == "output (2,): [0.31564538 0.31564537]\n");
  CHECK(plain(Values{{"出力", "output"}, output}, Language::ja) == "出力 (2,): [0.31564538 0.31564537]\n");
}

TEST_CASE("a single number has no shape") {
  CHECK(plain(Values{{"和", "sum"}, {{}, {}, {1.0}}}) == "sum: 1.0\n");
}

TEST_CASE("several lines of numbers stand below their label") {
  const Array identity{{2, 2}, {"queries", "keys"}, {1.0, 0.0, 0.0, 1.0}};
  CHECK(plain(Values{Text::same("I"), identity}) == "I (2, 2):\n  [[1. 0.]\n   [0. 1.]]\n");
}

TEST_CASE("the sentence to say and the misunderstanding are labelled and indented") {
  const std::vector<std::string> say = lines_of(plain(Paragraph{Role::say, {"", long_english}}));
  CHECK(say.at(0) == "[Key point]");
  CHECK(say.size() > 2);
  for (std::size_t i = 1; i < say.size(); ++i) CHECK(say[i].substr(0, 4) == "    ");
  const std::string japanese = plain(Paragraph{Role::misunderstanding, {long_japanese, ""}}, Language::ja);
  CHECK(lines_of(japanese).at(0) == "【よくある誤解】");
  CHECK(lines_of(plain(Paragraph{Role::misunderstanding, {"", "x"}})).at(0) == "[Common misunderstanding]");
}

TEST_CASE("no paragraph is wider than 80 columns in either language") {
  for (const Role role : {Role::heading, Role::text, Role::say, Role::misunderstanding, Role::note}) {
    for (const Language language : {Language::ja, Language::en}) {
      for (const std::string& line :
           lines_of(plain(Paragraph{role, {long_japanese, long_english}}, language)))
        CHECK(attnlab::display_width(line) <= 80);
    }
  }
}

TEST_CASE("a formula stands on its own indented line") {
  using namespace attnlab::formula;
  CHECK(plain(attnlab::Equation{row({sym("y"), sym("="), root(sym("x"))})}) == "    y = √x\n");
}

TEST_CASE("numbers of a table end in one column and words begin in one") {
  Table table{{{"方法", "method"}, {"最大", "largest"}},
              {{"naive", "nan"}, {"stable", "-0.5"}, {"T=10", "1e-05"}}};
  CHECK(plain(table) ==
        "method  largest\n"
        "------  -------\n"
        "naive       nan\n"
        "stable     -0.5\n"
        "T=10      1e-05\n");
}

TEST_CASE("table columns stay aligned beside wide characters") {
  Table table{{{"語", "word"}, {"注意度", "weight"}}, {{"猫", "0.5"}, {"名前は", "0.25"}}};
  CHECK(plain(table, Language::ja) ==
        "語      注意度\n"
        "------  ------\n"
        "猫         0.5\n"
        "名前は    0.25\n");
}

TEST_CASE("a row shorter than the header leaves its last cells empty") {
  Table table{{Text::same("a"), Text::same("b")}, {{"1"}, {"2", "3"}}};
  CHECK(plain(table) == "a  b\n-  -\n1\n2  3\n");
}

TEST_CASE("colour adds escape sequences and nothing else") {
  Report report;
  report.body = {Paragraph{Role::heading, {long_japanese, long_english}},
                 Paragraph{Role::say, {"", "say it"}}, Table{{Text::same("a")}, {{"1"}}}};
  const std::string coloured = to_terminal(report.body, Language::en, Colouring::ansi);
  std::string stripped;
  bool escaped = false;
  for (const char character : coloured) {
    if (character == '\x1b') escaped = true;
    if (!escaped) stripped += character;
    if (character == 'm') escaped = false;
  }
  CHECK(stripped == to_terminal(report.body, Language::en, Colouring::plain));
  CHECK(stripped != coloured);
  CHECK(stripped.find('\x1b') == std::string::npos);
}

TEST_CASE("a blank line parts two blocks but not two short arrays") {
  Report report;
  const Values one{Text::same("x"), {{1}, {"n"}, {1.0}}};
  report.body = {one, one, Paragraph{Role::text, Text::same("t")}};
  CHECK(to_terminal(report.body, Language::en, Colouring::plain) == "x (1,): [1.]\nx (1,): [1.]\n\nt\n");
}
