// What is read first.
#include "results/report/reading_order.hpp"

#include <doctest/doctest.h>

#include "results/report/terminal.hpp"

using attnlab::Block;
using attnlab::Language;
using attnlab::Paragraph;
using attnlab::Values;

namespace {

std::vector<Block> sections() {
  const attnlab::Array matrix{{6, 1}, {}, {1, 2, 3, 4, 5, 6}};
  const attnlab::Array row{{2}, {}, {7, 8}};
  return {Paragraph::heading("題", "Title"),        attnlab::Equation{attnlab::formula::sym("E")},
          Values{attnlab::Text::same("M"), matrix}, Values{attnlab::Text::same("r"), row},
          Paragraph::heading("次", "Next"),         Paragraph::plain("文", "text"),
          Paragraph::say("要", "message"),          Paragraph::misunderstanding("誤", "mistaken")};
}

std::string printed(const std::vector<Block>& body) {
  return attnlab::to_terminal(body, Language::en, attnlab::Colouring::plain);
}

}  // namespace

TEST_CASE("the message follows the title, and a long matrix ends its section") {
  CHECK(printed(attnlab::in_reading_order(sections())) ==
        "Title\n\n    E\n\n[Key point]\n    message\n\nr (2,): [7. 8.]\n\n"
        "M (6, 1):\n  [[1.]\n   [2.]\n   [3.]\n   [4.]\n   [5.]\n   [6.]]\n\n"
        "Next\n\ntext\n\n[Common misunderstanding]\n    mistaken\n");
}

TEST_CASE("in brief there are the title, the message and the results of a line") {
  CHECK(printed(attnlab::in_brief(sections())) ==
        "Title\n\n    E\n\n[Key point]\n    message\n\n[Common misunderstanding]\n    mistaken\n\n"
        "r (2,): [7. 8.]\n");
}

TEST_CASE("arrays of more than 40 numbers leave their names at the end of the section") {
  const auto of = [](std::size_t numbers) {
    return Values{attnlab::Text{"行", "row"}, {{numbers}, {}, std::vector<double>(numbers, 1.0)}};
  };
  const std::vector<Block> body = attnlab::without_matrices(
      {of(41), Paragraph::plain("文", "text"), of(60), Paragraph::heading("次", "Next"), of(1)});
  CHECK(printed(body) == "text\n\nShown by --verbose: row (41,), row (60,).\n\nNext\n\nrow (1,): [1.]\n");
  const std::string kept = printed(attnlab::without_matrices({of(40)}));
  CHECK(kept.rfind("row (40,):\n", 0) == 0);
}

TEST_CASE("a report of nothing is nothing") {
  CHECK(attnlab::in_reading_order({}).empty());
  CHECK(attnlab::in_brief({}).empty());
}
