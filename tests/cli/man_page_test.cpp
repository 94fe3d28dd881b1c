// attnlab(1): complete, and sound to the program that sets it.
#include "attnlab/documents/documents.hpp"

#include <doctest/doctest.h>

#include "attnlab/command_line/commands.hpp"
#include "program.hpp"
#include "shell.hpp"

using attnlab::Language;

TEST_CASE("nothing in a text is taken for roff") {
  CHECK(attnlab::roff_prose(".npy and 'x'") == "\\&.npy and 'x'");
  CHECK(attnlab::roff_prose("'quoted'") == "\\&'quoted'");
  CHECK(attnlab::roff_prose("a\\nb") == "a\\enb");
  CHECK(attnlab::roff_prose("self-attention with --json, -1") == "self-attention with \\-\\-json, \\-1");
  CHECK(attnlab::roff_bold("--output-dir") == "\\fB\\-\\-output\\-dir\\fR");
}

TEST_CASE("the manual page names every subcommand and every flag in both languages") {
  const std::vector<attnlab::Command> commands = attnlab::subcommands(attnlab::experiments());
  for (const Language language : {Language::ja, Language::en}) {
    const std::string page = attnlab::man_page(commands, language);
    for (const attnlab::Command& command : commands) {
      CAPTURE(command.name);
      CHECK(attnlab::contains(page, ".SS " + attnlab::roff_bold(command.name)));
      for (const attnlab::Flag& flag : flags_of(command)) {
        CAPTURE(flag.name);
        CHECK(attnlab::contains(page, attnlab::roff_bold("--" + flag.name)));
        CHECK(attnlab::contains(page, attnlab::roff_prose(flag.help.in(language))));
      }
    }
  }
}

TEST_CASE("groff sets the manual page without a warning") {
  if (!attnlab::is_installed("groff")) return;
  const attnlab::Workplace place;
  for (const std::string language : {"en", "ja"}) {
    CAPTURE(language);
    place.write("attnlab.1", place.run({"man", "--lang", language}).out);
    const std::string page = attnlab::shell_quoted(place.path("attnlab.1").string());
    const std::string warnings =
        attnlab::printed_by("groff -man -Tutf8 -Kutf8 -ww " + page + " 2>&1 >/dev/null");
    CHECK(warnings == "");
    const std::string text = attnlab::printed_by("groff -man -Tutf8 -Kutf8 -P-cbou " + page + " 2>/dev/null");
    CHECK(attnlab::contains(text, "attnlab inspect"));
    CHECK(attnlab::contains(text, "slide-16x9"));
  }
}
