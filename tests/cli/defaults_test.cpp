// attnlab.toml as a user writes it: in the folder, above it, and the user's own.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "program.hpp"
#include "shell.hpp"

using attnlab::contains;
using attnlab::lines_of;
using attnlab::Outcome;
using attnlab::Workplace;

TEST_CASE("attnlab.toml says what holds where the command line says nothing, and a flag always wins") {
  const Workplace place;
  place.write("attnlab.toml",
              "lang = \"ja\"\ntheme = \"dark\"\npreset = \"slide-16x9\"\nno-caption = true\n");
  const Outcome plain = place.run({"vectors", "--figure", "bars", "-o", "v.svg"});
  CHECK(plain.exit_code == 0);
  CHECK(contains(plain.out, "要点"));
  CHECK(contains(place.read("v.svg"),
                 "--theme dark"));  // the picture says how it is made again, without a file
  CHECK(contains(place.read("v.svg"), "--preset slide-16x9"));
  const Outcome typed =
      place.run({"vectors", "--figure", "bars", "--theme", "light", "--lang", "en", "-o", "w.svg"});
  CHECK(contains(typed.out, "Key point"));
  CHECK_FALSE(contains(place.read("w.svg"), "--theme dark"));
  CHECK(contains(place.run({"about"}).out, "theme = dark"));
  CHECK(contains(place.run({"about"}).out, "attnlab.toml"));
  const Outcome json = place.run({"vectors", "--json", "--no-figure"});  // has no look: nothing to change
  CHECK(json.exit_code == 0);
  CHECK(json.err.empty());
}

TEST_CASE("a file in the folder goes before the one above it and before the user's own") {
  const Workplace place;
  std::filesystem::create_directories(place.path("home/attnlab"));
  place.write("home/attnlab/attnlab.toml", "theme = \"print\"\ndpi = 72\nlang = \"ja\"\n");
  place.write("attnlab.toml", "theme = \"dark\"\n");
  attnlab::Circumstances own;
  own.environment = {"XDG_CONFIG_HOME=" + place.path("home").string()};
  const Outcome outcome = place.run({"vectors", "--figure", "bars", "-o", "v.svg"}, own);
  CHECK(contains(outcome.out, "要点"));
  CHECK(contains(place.read("v.svg"), "--theme dark"));
  CHECK(contains(place.read("v.svg"), "--dpi 72"));
}

TEST_CASE("a model of attnlab.toml is that of `model` and `generation`, and `attnlab model` still lists") {
  const Workplace place;
  place.write("attnlab.toml", "model = \"world.en\"\n");
  const Outcome read = place.run({"model", "--text", "the dog", "--no-figure", "--lang", "en"});
  CHECK_MESSAGE(read.exit_code == 0, read.err);
  CHECK(contains(place.run({"model"}).out, "world.en"));
  CHECK(place.run({"heads", "--no-figure"}).exit_code == 0);  // its weights are still drawn
}

TEST_CASE("what is wrong in attnlab.toml is told with the file, in one line, and nothing is done") {
  const auto complaint = [](const std::string& text) {
    const Workplace place;
    place.write("attnlab.toml", text);
    const Outcome outcome = place.run({"vectors", "-o", "v.png", "--lang", "en"});
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(contains(outcome.err, "attnlab.toml: "));
    CHECK_FALSE(place.has("v.png"));
    CHECK(place.run({"vectors", "--help"}).exit_code == 0);  // which helps
    return outcome.err;
  };
  CHECK(contains(complaint("palette = \"magma\"\n"), "there is no palette 'magma'"));
  CHECK(contains(complaint("dpi = 5\n"), "--dpi"));
  CHECK(contains(complaint("dpi = [96]\n"), "dpi takes one word or number"));
  CHECK(contains(complaint("theme = \"dark\n"), "not TOML in line 1"));
  CHECK(contains(complaint("lang = \"fr\"\n"), "ja"));
}

TEST_CASE(
    "a key of attnlab.toml that means nothing is noted with what was meant, and what else it says holds") {
  const auto note = [](const std::string& line) {
    const Workplace place;
    place.write("attnlab.toml", line + "theme = \"dark\"\n");
    const Outcome outcome = place.run({"vectors", "--figure", "bars", "-o", "v.svg", "--lang", "en"});
    CHECK(outcome.exit_code == 0);
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(contains(place.read("v.svg"), "--theme dark"));
    return outcome.err;
  };
  CHECK(contains(note("palete = \"greys\"\n"), "attnlab.toml: there is no default 'palete'"));
  CHECK(contains(note("palete = \"greys\"\n"), "did you mean palette?"));
  CHECK(contains(note("output = \"x.png\"\n"), "there is no default 'output'"));
  CHECK(contains(note("help = true\n"), "there is no default 'help'"));
  CHECK(contains(note("tex-body = true\n"), "there is no default 'tex-body'"));
}

TEST_CASE("a default that has no use for what was typed is passed over, what was typed is not") {
  const Workplace place;
  place.write("attnlab.toml", "svg-text = true\nblank = true\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"-o", "v.svg"},
                                                {"-o", "v.png"},
                                                {"-o", "v.pdf"},
                                                {"-o", "v.html"},
                                                {"--no-figure"},
                                                {"--json"},
                                                {"--explain"},
                                                {"--output-dir", "figures", "--format", "png"}}) {
    CAPTURE(words.back());
    std::vector<std::string> all{"vectors", "--figure", "bars"};
    if (words.front() == "--no-figure") all.resize(1);
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = place.run(all);
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
  }
  CHECK(contains(place.read("v.svg"), "<text"));  // of --svg-text
  CHECK(place.run({"vectors", "--svg-text", "-o", "v.pdf"}).exit_code == 2);
}

TEST_CASE("the page of a preset that was typed is not that of a default size") {
  const Workplace place;
  place.run({"vectors", "--preset", "slide-16x9", "--quiet", "-o", "without.svg"});
  place.write("attnlab.toml", "size = \"30x30cm\"\n");
  place.run({"vectors", "--preset", "slide-16x9", "--quiet", "-o", "with.svg"});
  CHECK(place.read("with.svg") == place.read("without.svg"));
  place.run({"vectors", "--quiet", "-o", "plain.svg"});
  CHECK(contains(place.read("plain.svg"), "--size 30x30cm"));
}

TEST_CASE("attnlab.toml that another user may have written is passed over in one line, and stops nothing") {
  const Workplace place;
  std::filesystem::create_directories(place.path("home/project/inside"));
  const auto run =
      [&](const std::vector<std::string>& words = {"vectors", "--figure", "bars", "-o", "v.svg", "--quiet"}) {
        std::string command = "cd " + attnlab::shell_quoted(place.path("home/project/inside").string()) +
                              " && HOME=" + attnlab::shell_quoted(place.path("home").string()) +
                              " XDG_CONFIG_HOME=/nowhere LC_ALL=C.UTF-8 " ATTNLAB_PROGRAM;
        for (const std::string& word : words) command += " " + attnlab::shell_quoted(word);
        return attnlab::printed_by(command + " 2>&1; echo code $?");
      };
  const auto title = [&] { return contains(place.read("home/project/inside/v.svg"), "FOREIGN"); };
  const std::filesystem::path file = place.path("home/project/attnlab.toml");
  for (const char* text : {"title = \"FOREIGN\"\n", "]["}) {
    place.write("home/project/attnlab.toml", text);
    std::filesystem::permissions(file, std::filesystem::perms::others_write,
                                 std::filesystem::perm_options::add);
    const std::string reported = run();
    CHECK(contains(reported, "code 0"));
    CHECK(lines_of(reported).size() == 2);
    CHECK(contains(reported, " is passed over"));
    CHECK_FALSE(title());
    CHECK(contains(run({"list"}), "code 0"));
  }
  place.write("home/project/attnlab.toml", "title = \"FOREIGN\"\n");
  std::filesystem::permissions(file, std::filesystem::perms::others_write,
                               std::filesystem::perm_options::remove);
  CHECK(run() == "code 0\n");
  CHECK(title());
  if (geteuid() == 0) {  // who may give files away
    for (const std::filesystem::path& provided : {file, file.parent_path()}) {
      REQUIRE(lchown(provided.c_str(), 12345, 12345) == 0);
      CHECK(contains(run(), "is passed over"));
      CHECK_FALSE(title());
      REQUIRE(lchown(provided.c_str(), 0, 0) == 0);
    }
    std::filesystem::rename(file, place.path("home/mine.toml"));
    std::filesystem::create_symlink("../mine.toml", file);
    CHECK(run() == "code 0\n");
    REQUIRE(lchown(file.c_str(), 12345, 12345) == 0);
    CHECK(contains(run(), "is passed over"));
  }
  std::filesystem::remove(file);
  place.write("attnlab.toml", "title = \"FOREIGN\"\n");  // above the home folder
  CHECK(run() == "code 0\n");
  CHECK_FALSE(title());
}
