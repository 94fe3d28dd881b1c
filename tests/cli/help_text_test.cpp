// Help pages made from the table of flags.
#include "attnlab/documents/documents.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/terminal_width.hpp"
#include "core/utf8.hpp"

using attnlab::Command;
using attnlab::Language;

namespace {

const std::vector<attnlab::Experiment>& first_two_experiments() {
  static const std::vector<attnlab::Experiment> table = {
      {"tilt",
       {"傾きを示します", "shows a tilt"},
       {"教科書 図 1", "textbook fig. 1"},
       {{"angle", attnlab::NumberKind{{-360.0, 360.0}}, "45", {"角度（度）", "the angle in degrees"}}},
       nullptr},
      {"self-attention",
       {"同じ文の中の注意", "attention within a sentence"},
       {"記事", "article"},
       {},
       nullptr}};
  return table;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, attnlab::display_width(line));
  return widest;
}

}  // namespace

TEST_CASE("no help page is wider than a hundred columns") {
  const std::vector<Command> commands = attnlab::subcommands(first_two_experiments());
  for (const Language language : {Language::ja, Language::en}) {
    CHECK(widest_line(attnlab::main_help(language)) <= 100);
    for (const Command& command : commands)
      CHECK(widest_line(attnlab::command_help(command, language)) <= 100);
  }
}

TEST_CASE("attnlab alone names every command and flag of its own in fifteen lines, and experiments in none") {
  for (const Language language : {Language::ja, Language::en}) {
    const std::string help = attnlab::main_help(language);
    CHECK(std::count(help.begin(), help.end(), '\n') == 15);
    const std::vector<std::string> words = attnlab::split(help, " ,\n");
    for (const Command& command : attnlab::subcommands({})) {
      CAPTURE(command.name);
      CHECK(std::count(words.begin(), words.end(), command.name) >= 1);
    }
    for (const attnlab::Flag& flag : attnlab::flags_of(attnlab::attnlab_command()))
      CHECK(help.find("--" + flag.name) != std::string::npos);
  }
}

TEST_CASE("a flag's line shows its form and help and default") {
  const std::vector<Command> commands = attnlab::subcommands(first_two_experiments());
  const Command tilt = *std::find_if(commands.begin(), commands.end(),
                                     [](const Command& command) { return command.name == "tilt"; });
  CHECK(attnlab::command_help(tilt, Language::en).find("--angle -360..360") != std::string::npos);
  CHECK(attnlab::command_help(tilt, Language::en).find("the angle in degrees (default 45)") !=
        std::string::npos);
  CHECK(attnlab::command_help(tilt, Language::ja).find("角度（度）（既定値 45）") != std::string::npos);
}

TEST_CASE("the list is aligned in both languages") {
  CHECK(attnlab::experiment_list(first_two_experiments(), Language::en) ==
        "tilt            shows a tilt                 textbook fig. 1\n"
        "self-attention  attention within a sentence  article\n");
  CHECK(attnlab::experiment_list(first_two_experiments(), Language::ja) ==
        "tilt            傾きを示します    教科書 図 1\n"
        "self-attention  同じ文の中の注意  記事\n");
}
