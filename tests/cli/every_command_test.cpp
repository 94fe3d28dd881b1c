// No subcommand falls, with whatever experiment, without a flag or with one: it does its work, or says why
// not.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "attnlab/command_line/commands.hpp"
#include "core/utf8.hpp"
#include "program.hpp"

using attnlab::Command;
using attnlab::Flag;
using attnlab::Outcome;
using attnlab::Workplace;

namespace {

using CalledWords = std::vector<std::string>;

/// And "sweep heads" and the like, whose flags depend on the experiment.
std::vector<Command> commands() {
  std::vector<Command> all = attnlab::subcommands(attnlab::experiments());
  for (const attnlab::Experiment& experiment : attnlab::experiments()) {
    for (Command one : {attnlab::sweep_command(&experiment), attnlab::explore_command(&experiment),
                        attnlab::exercise_command(&experiment)}) {
      one.name += " " + experiment.name;
      all.push_back(std::move(one));
    }
  }
  return all;
}

/// One that serves is interrupted as soon as it says so.
void check_stands(const CalledWords& words) {
  const Workplace place;
  const bool serves = words.front() == "explore";
  attnlab::Circumstances circumstances = serves ? attnlab::on_terminal() : attnlab::Circumstances{};
  if (serves) circumstances.interrupt_at = "Ctrl-C";
  const Outcome outcome = place.run(words, circumstances);
  INFO(attnlab::joined(words, " "));
  INFO(outcome.err);
  CHECK(outcome.exit_code <= 2);
  CHECK((outcome.exit_code == 0 || !(outcome.out + outcome.err).empty()));
}

/// A value that few flags take: a number, a file, a pattern and a choice it is not.
CalledWords with_flag(CalledWords words, const Flag& flag) {
  words.push_back("--" + flag.name);
  if (flag.takes != Flag::Takes::nothing) words.emplace_back("@");
  return words;
}

}  // namespace

TEST_CASE("no subcommand falls without a flag") {
  const std::set<std::string> long_work{"all", "verify", "claims", "train"};
  for (const Command& command : commands()) {
    const CalledWords words = attnlab::split(command.name, " ");
    if (long_work.count(words.front()) == 0) check_stands(words);
  }
}

TEST_CASE("no sweep falls with one flag, nor an experiment with one of its own") {
  for (const Command& command : commands()) {
    const CalledWords words = attnlab::split(command.name, " ");
    const bool sweeps = words.front() == "sweep";
    if (!sweeps && !command.is_experiment) continue;
    for (const Flag& flag : attnlab::flags_of(command)) {
      const bool is_own =
          attnlab::find_named(command.experiment == nullptr ? std::vector<attnlab::Parameter>{}
                                                            : command.experiment->parameters,
                              flag.name) != nullptr;
      if (sweeps || is_own || command.name == "dot-product") check_stands(with_flag(words, flag));
    }
  }
}
