// The completion scripts in the shells themselves, where they are installed.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "program.hpp"
#include "shell.hpp"
#include "source_dir.hpp"

using attnlab::Outcome;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

const Words shells{"bash", "zsh", "fish"};

/// A shell that has read its script, in a folder with notes.txt and slides/.
class Asked {
 public:
  explicit Asked(std::string shell) : shell_(std::move(shell)) {
    place_.write("script", place_.run({"completion", shell_}).out);
    place_.write("notes.txt", "");
    std::filesystem::create_directory(place_.path("slides"));
  }

  /// What it offers for the last of the words, in alphabetical order.
  std::string offers(const Words& words) const {
    const std::filesystem::path asking = attnlab::source_dir() / "tests/cli/completion" / ("ask." + shell_);
    std::string command = "cd " + attnlab::shell_quoted(place_.path("").string()) +
                          " && env -i PATH=/usr/bin:/bin HOME=$PWD TERM=xterm LC_ALL=C.UTF-8 " + shell_ +
                          " " + (shell_ == "zsh" ? "-f " : "") + attnlab::shell_quoted(asking.string()) +
                          " ./script " + attnlab::shell_quoted(ATTNLAB_PROGRAM);
    for (const std::string& word : words) command += " " + attnlab::shell_quoted(word);
    Words found = attnlab::lines_of(attnlab::printed_by(command + " 2>&1 </dev/null"));
    std::sort(found.begin(), found.end());
    std::string joined;
    for (const std::string& word : found) joined += (joined.empty() ? "" : " ") + word;
    return joined;
  }

 private:
  std::string shell_;
  Workplace place_;
};

}  // namespace

TEST_CASE("bash, zsh and fish complete subcommands, their own flags and the values of each") {
  for (const std::string& shell : shells) {
    if (!attnlab::is_installed(shell)) continue;
    CAPTURE(shell);
    const Asked requested(shell);
    CHECK(requested.offers({"so"}) == "softmax");
    CHECK(requested.offers({"heads", "--the"}) == "--theme");
    CHECK(requested.offers({"heads", "--theme", ""}) == "dark light print");
    CHECK(requested.offers({"--lang", "en", "heads", "--preset", "sl"}) == "slide-16x9 slide-4x3");
    CHECK(requested.offers({"heads", "--figure", "ro"}) == "roles");
    CHECK(requested.offers({"vectors", "--long", "v"}) == "v4:5");
    CHECK(requested.offers({"mistakes", "--mistake", "wrong"}) == "wrong-axis wrong-sqrt");
    CHECK(requested.offers({"mistakes", "wrong"}) == "wrong-axis wrong-sqrt");
    CHECK(requested.offers({"help", "sel"}) == "self-attention");
    CHECK(requested.offers({"sweep", "sca"}) == "scaling");
    CHECK(requested.offers({"exercise", "sca"}) == "scaling");
    CHECK(requested.offers({"exercise", "scaling", "--high"}) == "--high-dim");
    CHECK(requested.offers({"sweep", "scaling", "--high"}) == "--high-dim");
    CHECK(requested.offers({"completion", ""}) == "bash fish zsh");
  }
}

TEST_CASE("bash, zsh and fish offer nothing that would be refused") {
  for (const std::string& shell : shells) {
    if (!attnlab::is_installed(shell)) continue;
    CAPTURE(shell);
    const Asked requested(shell);
    CHECK(requested.offers({"heads", "--mist"}) == "");       // another's flag
    CHECK(requested.offers({"heads", "--width", ""}) == "");  // a number
    CHECK(requested.offers({"scaling", "hea"}) == "");        // a second subcommand
  }
}

TEST_CASE("bash, zsh and fish complete the names of files and folders where those are wanted") {
  if (attnlab::is_installed("bash")) {
    const Asked bash("bash");
    CHECK(bash.offers({"inspect", "no"}) == "files");
    CHECK(bash.offers({"heads", "-o", ""}) == "files");
    CHECK(bash.offers({"all", "--output-dir", ""}) == "folders");
    CHECK(bash.offers({"attend", "--mask", "ca"}) == "causal files");
  }
  for (const std::string shell : {"zsh", "fish"}) {
    if (!attnlab::is_installed(shell)) continue;
    CAPTURE(shell);
    const Asked requested(shell);
    CHECK(requested.offers({"inspect", "no"}) == "notes.txt");
    CHECK(requested.offers({"heads", "-o", "no"}) == "notes.txt");
    CHECK(requested.offers({"all", "--output-dir", "no"}) == "");
    CHECK(requested.offers({"all", "--output-dir", "sl"}) == (shell == "fish" ? "slides/" : "slides"));
    CHECK(requested.offers({"attend", "--mask", "ca"}) == "causal");
    CHECK(requested.offers({"attend", "--mask", "no"}) == "notes.txt");
  }
}

TEST_CASE("a value is completed behind = in bash, zsh and fish") {
  for (const std::string& shell : shells) {
    if (!attnlab::is_installed(shell)) continue;
    CAPTURE(shell);
    const Asked requested(shell);
    if (shell == "bash") {
      CHECK(requested.offers({"heads", "--theme", "=", "da"}) == "dark");  // bash's three words of --theme=da
      CHECK(requested.offers({"train", "world", "--save-model", "no"}) ==
            "");  // notes.txt is no .safetensors; the others take it for want of one
      CHECK(requested.offers({"--lang", "=", "en", "heads", "--theme", "="}) == "dark light print");
    } else {
      CHECK(requested.offers({"heads", "--theme=da"}) == "--theme=dark");
      CHECK(requested.offers({"heads", "--output=no"}) ==
            (shell == "zsh" ? "notes.txt" : "--output=notes.txt"));
      CHECK(requested.offers({"heads", "--check", "weights"}) == "weights=");
    }
  }
}

TEST_CASE("a shell's script asks in the language of --lang, else in that of whoever completes") {
  const Workplace place;
  for (const std::string& shell : shells) {
    CHECK(attnlab::contains(place.run({"completion", shell, "--lang", "ja"}).out, " complete --lang ja -- "));
    CHECK(attnlab::contains(place.run({"completion", shell}).out, " complete -- "));
  }
}

TEST_CASE("completion without a shell, or for an unknown one, is refused") {
  const Workplace place;
  CHECK(place.run({"completion"}).exit_code == 2);
  CHECK(place.run({"completion", "bash", "zsh"}).exit_code == 2);
  const Outcome misspelt = place.run({"completion", "bsh", "--lang", "en"});
  CHECK(misspelt.exit_code == 2);
  CHECK(misspelt.out.empty());
  CHECK(attnlab::contains(misspelt.err, "did you mean bash?"));
  CHECK(place.files().empty());
}
