// What a shell can offer after a flag, read from the form in its help line.
#include "attnlab/command_line/commands.hpp"
#include "attnlab/output/look.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using attnlab::Command;
using attnlab::Flag;
using attnlab::Offer;
using Words = std::vector<std::string>;

namespace {

Flag flag_with(const std::string& form) {
  return attnlab::flag("flag", form, "", "");
}

const std::vector<Command>& table() {
  static const std::vector<Command> commands =
      attnlab::completed_commands(attnlab::subcommands(attnlab::experiments()));
  return commands;
}

const Command& command_named(const std::string& name) {
  return *std::find_if(table().begin(), table().end(),
                       [&](const Command& command) { return command.name == name; });
}

}  // namespace

TEST_CASE("words that are typed as they stand are offered, placeholders are not") {
  CHECK(offer_of(flag_with("none|default|NUMBER")).words == Words{"none", "default"});
  CHECK(offer_of(flag_with("0:1|data|A:B")).words == Words{"0:1", "data"});
  CHECK(offer_of(flag_with("png,svg,pdf")).words == Words{"png", "svg", "pdf"});
  CHECK(offer_of(flag_with("none|causal|padding:N|window:N,...")).words == Words{"none", "causal"});
  for (const std::string form : {"1..512", "0.1..10", "NUMBER > 0, <= 1", "X,X,... (2..64; X > 0)",
                                 "WORD,WORD,...", "WxH", "A:B", ""}) {
    CAPTURE(form);
    CHECK(offer_of(flag_with(form)).words.empty());
    CHECK(offer_of(flag_with(form)).paths == Offer::Paths::none);
  }
}

TEST_CASE("names of files and folders are left to the shell") {
  CHECK(offer_of(flag_with("FOLDER")).paths == Offer::Paths::folders);
  for (const std::string form : {"FILE", "FILE[:NAME]", "[ARRAY=]FILE", "FILE|WORD,WORD,..."}) {
    CAPTURE(form);
    CHECK(offer_of(flag_with(form)).paths == Offer::Paths::files);
    CHECK(offer_of(flag_with(form)).words.empty());
  }
  const Offer mask = offer_of(flag_with("FILE[:NAME]|causal|window:N|padding:N"));
  CHECK(mask.paths == Offer::Paths::files);
  CHECK(mask.words == Words{"causal"});
}

TEST_CASE("choices are offered whatever they look like") {
  CHECK(offer_of(*find_flag(command_named("claims"), "document")).words == Words{"A", "B", "C", "D", "E"});
  CHECK(offer_of(*find_flag(command_named("heads"), "palette")).words == attnlab::palette_names());
}

TEST_CASE("--figure is offered the figures that the experiment draws") {
  const Words figures = offer_of(*find_flag(command_named("vectors"), "figure")).words;
  CHECK(std::find(figures.begin(), figures.end(), "all") != figures.end());
  CHECK(std::find(figures.begin(), figures.end(), "arrows") != figures.end());
}

TEST_CASE("sweep has the flags of the experiment that follows it, as a call of its own") {
  CHECK(find_flag(command_named("sweep heads"), "width") != nullptr);
  CHECK(find_flag(command_named("sweep"), "width") == nullptr);
  const Words names = subcommand_names(table());
  CHECK(std::find(names.begin(), names.end(), "sweep") != names.end());
  CHECK(std::find(names.begin(), names.end(), "sweep heads") == names.end());
}

TEST_CASE("a word that is no flag may be a subcommand, a shell, a file or the parameter that needs no flag") {
  CHECK(offer_of(command_named("help"), table()).words == subcommand_names(table()));
  CHECK(offer_of(command_named("sweep"), table()).words.size() == attnlab::experiments().size());
  CHECK(offer_of(command_named("sweep heads"), table()).words.empty());
  CHECK(find_flag(command_named("exercise heads"), "width") != nullptr);
  CHECK(find_flag(command_named("exercise heads"), "input") == nullptr);
  CHECK(offer_of(command_named("completion"), table()).words == Words{"bash", "zsh", "fish"});
  CHECK(offer_of(command_named("inspect"), table()).paths == Offer::Paths::files);
  const Offer mistakes = offer_of(command_named("mistakes"), table());
  CHECK(mistakes.words == offer_of(*find_flag(command_named("mistakes"), "mistake")).words);
  CHECK(mistakes.words.size() > 1);
  CHECK(offer_of(command_named("heads"), table()).words.empty());
  CHECK(offer_of(command_named("heads"), table()).paths == Offer::Paths::none);
}
