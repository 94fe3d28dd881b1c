// Files and surroundings that mean no good: one line, exit code 1 or 2, nothing lost.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "program.hpp"
#include "shell.hpp"

using attnlab::contains;
using attnlab::lines_of;
using attnlab::Outcome;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

const std::string empty_safetensors = std::string("\x02\0\0\0\0\0\0\0", 8) + "{}";

/// The one line that a run says when it refuses.
std::string recorded(const Workplace& place, const Words& words, int exit_code = 1) {
  const Outcome outcome = place.run(words);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  return outcome.err;
}

/// A command line of the shell inside the workplace, in which $attnlab is the program.
std::string shell(const Workplace& place, const std::string& command) {
  return attnlab::printed_by("cd " + attnlab::shell_quoted(place.path("").string()) + " && attnlab=" +
                             attnlab::shell_quoted(ATTNLAB_PROGRAM) + " && LC_ALL=C && " + command);
}

}  // namespace

TEST_CASE("a file without arrays is refused wherever it is read") {
  const Workplace place;
  place.write("n.csv", "array,indices,value\n");
  place.write("n.safetensors", empty_safetensors);
  place.write("n.json", "{}");
  for (const std::string file : {"n.csv", "n.safetensors", "n.json"}) {
    CAPTURE(file);
    for (const Words& words : {Words{"inspect", file}, Words{"self-attention", "--check", "weights=" + file},
                               Words{"self-attention", "--check", file}, Words{"attend", "--x", file}}) {
      CHECK(contains(recorded(place, words), "there are no arrays in it"));
    }
  }
}

TEST_CASE("names in a file cannot steer the terminal") {
  const Workplace place;
  place.write("w.json", R"({"\u001b]0;pwned\u0007": [1, 2], "\u009b31mred": [3]})");
  place.write("w.csv", "array,indices,value\n\x1b[2Jx,0,1\n");
  for (const Words& words :
       {Words{"inspect", "w.json"}, Words{"inspect", "w.csv"}, Words{"softmax", "--check", "w.json"},
        Words{"softmax", "--check", "w.csv"}, Words{"attend", "--x", "w.json"}}) {
    const Outcome outcome = place.run(words);
    for (const std::string& text : {outcome.out, outcome.err}) {
      CHECK_FALSE(contains(text, "\x1b"));
      CHECK_FALSE(contains(text, "\x07"));
      CHECK_FALSE(contains(text, "\xC2\x9B"));
    }
    CHECK(contains(outcome.out + outcome.err, "\\x1b"));
  }
  place.write(
      "m\xC2\x9B"
      "2J.md",
      ":::\n");
  CHECK(contains(recorded(place, {"build",
                                  "m\xC2\x9B"
                                  "2J.md"}),
                 "m\\x9b2J.md"));
}

TEST_CASE("build does not overwrite what its document reads, nor the document") {
  const Workplace place;
  REQUIRE(place.run({"self-attention", "--no-figure", "--data", "s.npz", "--quiet"}).exit_code == 0);
  std::filesystem::create_directory(place.path("data"));
  place.write("data/own.npz", place.read("s.npz"));
  const std::string before = place.read("data/own.npz");
  place.write("m.md", "``` {.attnlab #own}\nattend --figure weights --x data/own.npz:x\n```\n");
  CHECK(contains(recorded(place, {"build", "m.md", "-o", "."}, 2), "'./data/own.npz' is read by this run"));
  CHECK(place.read("data/own.npz") == before);
  place.write("SHA256SUMS", "``` {.attnlab}\nsoftmax --figure bars\n```\n");
  CHECK(
      contains(recorded(place, {"build", "SHA256SUMS", "-o", "."}, 2), "'./SHA256SUMS' is read by this run"));
}

TEST_CASE("a figure and a step cannot be one file") {
  const Workplace place;
  CHECK(contains(recorded(place, {"masks", "--steps", "st", "-o", "st/01-query.png"}), "st"));
  std::filesystem::create_directory(place.path("st"));
  CHECK(contains(recorded(place, {"masks", "--steps", "st", "-o", "st/01-query.png"}, 2),
                 "would be written twice"));
  CHECK(place.files().empty());
}

TEST_CASE("a label that no figure could hold is refused at once") {
  const Workplace place;
  const std::string label(100'000, 'a');
  CHECK(contains(recorded(place, {"heads", "--labels", label}, 2), "has more than 200 characters"));
  place.write("q.csv", "1,2\n3,4\n");
  place.write("l.txt", label + "\nb\n");
  CHECK(contains(recorded(place, {"attend", "--x", "q.csv", "--labels", "l.txt"}),
                 "'l.txt' at line 1: the label has more"));
  CHECK(contains(recorded(place, {"attend", "--x", "q.csv", "--labels", label + ",b"}, 2),
                 "has more than 200 characters"));
}

TEST_CASE("a file's name may hold any byte, and a mask's a comma") {
  const Workplace place;
  place.write("q\xFF.csv", "1,2\n3,4\n");
  place.write("a,b.csv", "1,0\n1,1\n");
  const Outcome outcome =
      place.run({"attend", "--x", "q\xFF.csv", "--mask", "a,b.csv", "--mask", "causal", "--output-dir", "."});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "q\\xff.csv"));
  CHECK(contains(outcome.out, "a,b.csv"));
}

TEST_CASE("a mark that no XML may hold is refused in a label") {
  const Workplace place;
  CHECK(contains(recorded(place, {"decoder", "--vocabulary", "a\xEF\xBF\xBE,b"}, 2), "control characters"));
}

TEST_CASE("two palettes of one kind are refused") {
  const Workplace place;
  CHECK(contains(recorded(place, {"heads", "--palette", "blues,viridis"}, 2),
                 "two of one kind, blues and viridis"));
}

TEST_CASE("little address space is an error, not a wait without an end") {
#ifndef __SANITIZE_ADDRESS__
  const Workplace place;
  const std::string reported =
      shell(place, "(ulimit -v 200000; $attnlab vectors -o v.svg 2>&1; echo exit $?)");
  const unsigned needed = 256 + 128 * (1 + std::max(1U, std::thread::hardware_concurrency()));
  CHECK(contains(reported,
                 "only 195 MB of address space may be used; " + std::to_string(needed) + " MB are needed"));
  CHECK(contains(reported, "exit 1"));
  CHECK(place.files().empty());
  CHECK(contains(
      shell(
          place,
          "(ulimit -v " + std::to_string(1024 * needed) +
              "; $attnlab vectors -o v.svg --quiet 2>&1 && $attnlab train reverse --steps 20 --no-figure --quiet 2>&1; echo exit $?)"),
      "exit 0"));
#endif
}

TEST_CASE("a file that is cut short while it is read is told in one line") {
  const Workplace place;
  const std::string reported =
      shell(place,
            "mkfifo f && { $attnlab inspect - <f 2>&1 & exec 3>f; sleep 1.5; kill -BUS "
            "$!; wait $!; echo exit $?; }");
  CHECK(contains(reported, "attnlab: a file was cut short by another program while it was read"));
  CHECK(contains(reported, "exit 1"));
}
