// The command that a file tells: all that makes it again, and nothing of where it was made.
#include "products/typed_command.hpp"

#include <doctest/doctest.h>

#include "program.hpp"
#include "shell.hpp"

using attnlab::command_of;
using attnlab::Report;
using attnlab::Workplace;

namespace {

/// The place's file tells its command between `before` and `after`. That command, in a shell, with `more` at
/// its end, must write the same bytes as `again`.
void check_made_again(const Workplace& place, const std::string& file, const std::string& before,
                      const std::string& after, const std::string& more, const std::string& again) {
  CAPTURE(file);
  const std::string bytes = place.read(file);
  const std::size_t begin = bytes.find(before + "attnlab ");
  REQUIRE(begin != std::string::npos);
  const std::size_t word = begin + before.size();
  const std::string command = bytes.substr(word, bytes.find(after, word) - word);
  CAPTURE(command);
  const std::string script = "cd " + attnlab::shell_quoted(place.path("").string()) +
                             " && attnlab() { " ATTNLAB_PROGRAM " \"$@\"; } && " + command + " --quiet" +
                             more;
  std::filesystem::remove(place.path(again));
  CHECK(attnlab::printed_by("bash -c " + attnlab::shell_quoted(script)) == "");
  REQUIRE(place.has(again));
  CHECK((place.read(again) == bytes));
  CHECK(!attnlab::contains(bytes, place.path("").string()));
}

}  // namespace

TEST_CASE("defaults are left out of the recorded command") {
  Report report;
  report.experiment = "vectors";
  report.parameters = {{"count", "10", true}, {"query-angle", "-30", false}, {"long", "v4:5", true}};
  CHECK(command_of(report) == "attnlab vectors --query-angle -30");
}

TEST_CASE("the recorded command can be pasted into a shell") {
  Report report;
  report.experiment = "heads";
  report.parameters = {
      {"labels", "吾輩,は,猫", false}, {"title", "it's $HOME; ok", false}, {"empty", "", false}};
  CHECK(command_of(report) == R"(attnlab heads --labels 吾輩,は,猫 --title 'it'\''s $HOME; ok' --empty '')");
  report.parameters = {{"title", "it's\n\\a", false}};
  CHECK(command_of(report) == R"(attnlab heads --title $'it\'s\012\\a')");
}

TEST_CASE("the command in a file makes the same bytes again") {
  const Workplace place;
  place.run({"masks", "--figure", "alignment", "--blank", "--seed", "7", "-o", "blank.pdf"});
  check_made_again(place, "blank.pdf", "/Creator (", ")", " -o again.pdf", "again.pdf");
  place.run({"masks", "--steps", "steps", "--format", "svg", "--preset", "book"});
  check_made_again(place, "steps/01-query.svg", "<metadata>", "</metadata>", " --format svg",
                   "steps/01-query.svg");
  place.run({"sweep", "vectors", "--over", "count=3,4", "--theme", "dark", "--title",
             "it's \"$(id)\" `id`\n猫 \\x & <b>", "--bounce", "--once", "--seconds", "1", "--lang", "ja",
             "--dpi", "144", "-o", "film.gif"});
  check_made_again(place, "film.gif", "", std::string(1, '\0'), " -o again.gif", "again.gif");
  place.run({"train", "reverse", "--steps", "2", "--film", "course.gif"});
  check_made_again(place, "course.gif", "", std::string(1, '\0'), "", "film.gif");
  place.write("list.csv", "id,name\na1,Student\n");
  place.run(
      {"exercise", "vectors", "--count", "3", "--lang", "ja", "--students", "list.csv", "-o", "sheets"});
  check_made_again(place, "sheets/a1.pdf", "/Creator (", ")", " -o other", "other/a1.pdf");
}

TEST_CASE("pictures of slides tell their own command") {
  const Workplace place;
  place.write("m.md", "---\nlook: --preset slide-16x9\n---\n``` {.attnlab}\nvectors --figure bars\n```\n");
  REQUIRE(place.run({"build", "m.md", "-o", "out", "--to", "markdown"}).exit_code == 0);
  check_made_again(place, "out/pictures/en/vectors-bars.svg", "<metadata>", "</metadata>", " -o again.svg",
                   "again.svg");
}
