// Every error as a user meets it: one line with the remedy, the right exit code, and nothing lost.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "program.hpp"

using attnlab::Circumstances;
using attnlab::contains;
using attnlab::lines_of;
using attnlab::Outcome;
using attnlab::Workplace;
using Words = std::vector<std::string>;

namespace {

/// Runs what must fail, in both languages: the exit code, nothing on standard output, one line on standard
/// error.
std::string complaint(const Workplace& place, const Words& arguments, int exit_code) {
  CAPTURE(arguments.front());
  Words japanese = arguments;
  japanese.insert(japanese.end(), {"--lang", "ja"});
  const Outcome translated = place.run(japanese);
  CHECK(translated.exit_code == exit_code);
  CHECK(translated.out.empty());
  CHECK(lines_of(translated.err).size() == 1);
  CHECK(contains(translated.err, "。"));

  const Outcome outcome = place.run(arguments);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(outcome.err.rfind("attnlab: ", 0) == 0);
  CHECK(outcome.err != translated.err);
  return outcome.err;
}

std::string wrong_usage(const Words& arguments) {
  const Workplace place;
  std::string reported = complaint(place, arguments, 2);
  CHECK(place.files().empty());
  return reported;
}

}  // namespace

TEST_CASE("a misspelt subcommand gets a suggestion") {
  CHECK(contains(wrong_usage({"vektors"}), "did you mean vectors?"));
  CHECK(contains(wrong_usage({"self_atention"}), "did you mean self-attention?"));
  CHECK(contains(wrong_usage({"help", "haeds"}), "did you mean heads?"));
  CHECK(contains(wrong_usage({"nonsense"}), "attnlab list"));
}

TEST_CASE("a misspelt flag gets a suggestion") {
  CHECK(contains(wrong_usage({"vectors", "--cuont", "3"}), "did you mean --count?"));
  CHECK(contains(wrong_usage({"positional", "--position", "3"}), "did you mean --positions?"));
  CHECK(contains(wrong_usage({"all", "--ouput-dir", "x"}), "did you mean --output-dir?"));
  CHECK(contains(wrong_usage({"list", "--nonsense"}), "attnlab list --help"));
}

TEST_CASE("values out of range are refused before memory is taken") {
  CHECK(contains(wrong_usage({"positional", "--positions", "1000000000"}), "--positions"));
  CHECK(contains(wrong_usage({"positional", "--positions", "99999999999999999999999"}), "--positions"));
  CHECK(contains(wrong_usage({"positional", "--width", "0"}), "--width"));
  CHECK(contains(wrong_usage({"vectors", "--count", "many"}), "--count"));
  CHECK(contains(wrong_usage({"scaling", "--keys", "-1"}), "--keys"));
  CHECK(contains(wrong_usage({"heads", "--seed", "4294967296"}), "--seed"));
  CHECK(contains(wrong_usage({"heads", "--seed", "-1"}), "--seed"));
  CHECK(contains(wrong_usage({"vectors", "--dpi", "5000"}), "--dpi"));
  CHECK(contains(wrong_usage({"vectors", "--theme", "blue"}), "--theme"));
  CHECK(contains(wrong_usage({"vectors", "--size", "12x12"}), "unit"));
  CHECK(contains(wrong_usage({"vectors", "--size", "100x100in", "--dpi", "1200"}), "pixels"));
}

TEST_CASE("an unknown language is refused") {
  const Workplace place;
  const Outcome outcome = place.run({"list", "--lang", "fr"});
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "--lang"));
  CHECK(contains(outcome.err, "ja"));
}

TEST_CASE("a width that the heads do not divide is explained") {
  CHECK(wrong_usage({"heads", "--heads", "3"}) ==
        "attnlab: d_model 16 cannot be split over 3 heads; choose a divisor of 16\n");
}

TEST_CASE("options that exclude each other are refused") {
  wrong_usage({"vectors", "-o", "x.png", "--no-figure"});
  wrong_usage({"vectors", "-o", "x.png", "--output-dir", "y"});
  wrong_usage({"vectors", "-o", "x.png", "--format", "svg"});
  wrong_usage({"vectors", "--json", "--quiet"});
  wrong_usage({"vectors", "--query-angle", "45", "--queries", "45,0"});
  wrong_usage({"vectors", "-o", "x.png", "-o", "./x.png"});
  wrong_usage({"vectors", "--no-figure", "--data", "x.csv", "--data", "x.csv"});
}

TEST_CASE("an extension without a format is refused with those there are") {
  CHECK(contains(wrong_usage({"vectors", "-o", "x.jpg"}), ".png, .svg or .pdf"));
  CHECK(contains(wrong_usage({"vectors", "-o", "x"}), ".png, .svg or .pdf"));
  CHECK(contains(wrong_usage({"vectors", "--format", "jpg"}), "png, svg, pdf"));
  CHECK(contains(wrong_usage({"vectors", "--data", "x.txt"}), ".json, .npz or .csv"));
}

TEST_CASE("an unknown figure is refused with those there are") {
  CHECK(contains(wrong_usage({"vectors", "--figure", "nonsense"}), "choose from"));
}

TEST_CASE("a file into a missing folder is an error before anything is computed or written") {
  const Workplace place;
  complaint(place, {"vectors", "-o", "missing/x.png"}, 1);
  complaint(place, {"vectors", "-o", "good.png", "-o", "missing/x.png"}, 1);
  complaint(place, {"vectors", "-o", "missing/x.png", "--figure", "all"}, 1);
  complaint(place, {"vectors", "--data", "missing/x.csv"}, 1);
  CHECK(place.files().empty());
  CHECK_FALSE(place.has("figures"));
}

TEST_CASE("an unwritable place is an error") {
  const Workplace place;
  complaint(place, {"vectors", "-o", "/sys/x.png"}, 1);  // denied even to root
  complaint(place, {"vectors", "--output-dir", "/sys"}, 1);
  complaint(place, {"vectors", "--output-dir", "/sys/new/folder"}, 1);
  complaint(place, {"all", "--output-dir", "/sys/new"}, 1);
  place.write("file", "x");
  complaint(place, {"vectors", "--output-dir", "file"}, 1);
  complaint(place, {"vectors", "--output-dir", "file/below"}, 1);
  complaint(place, {"vectors", "-o", "file/x.png"}, 1);
  std::filesystem::create_directory(place.path("folder.png"));
  complaint(place, {"vectors", "-o", "folder.png"}, 1);
  CHECK(place.files() == Words{"file"});
}

TEST_CASE("a folder without write permission is an error for its users") {
  if (geteuid() == 0) return;  // root may write anywhere; the test above covers it
  const Workplace place;
  std::filesystem::create_directory(place.path("locked"));
  std::filesystem::permissions(place.path("locked"),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  complaint(place, {"vectors", "-o", "locked/x.png"}, 1);
  complaint(place, {"vectors", "--output-dir", "locked"}, 1);
}

TEST_CASE("a full target is an error and the file that stood there survives") {
  const Workplace place;
  place.write("x.png", "precious");
  place.write("x.npz", "data");
  Circumstances full;
  full.largest_file = 2000;
  for (const Words& arguments : {Words{"vectors", "-o", "x.png", "--quiet"},
                                 Words{"vectors", "--no-figure", "--quiet", "--data", "x.npz"}}) {
    const Outcome outcome = place.run(arguments, full);
    CHECK(outcome.exit_code == 1);
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(contains(outcome.err, "x."));
  }
  CHECK(place.read("x.png") == "precious");
  CHECK(place.read("x.npz") == "data");
  CHECK(place.files() == Words{"x.npz", "x.png"});  // and no unfinished file beside them
}

TEST_CASE("a full device is an error") {
  const Workplace place;
  std::filesystem::create_symlink("/dev/full", place.path("full.png"));
  const std::string reported = complaint(place, {"vectors", "--quiet", "-o", "full.png"}, 1);
  CHECK(contains(reported, "/dev/full"));
}

TEST_CASE("a page too small for the figure is an error that writes nothing") {
  const Workplace place;
  complaint(place, {"heads", "--size", "1x1in"}, 1);
  complaint(place, {"all", "--size", "1x1in"}, 1);
  CHECK(place.files().empty());
}

TEST_CASE("however small a page is, it is drawn or refused at once") {
  const Workplace place;
  for (const char* experiment : {"variance", "scaling", "dot-product"})  // with words beside marks and rules
    CHECK(contains(complaint(place, {experiment, "--size", "3x3cm", "-o", "x.svg"}, 1), "has no room"));
}

TEST_CASE("no setting of the environment takes the fonts away without a word") {
  const Workplace place;
  place.run({"vectors", "-o", "usual.svg"});
  for (const char* setting :
       {"PANGOCAIRO_BACKEND=win32", "PANGOCAIRO_BACKEND=nonsense", "FONTCONFIG_FILE=/nowhere"}) {
    CAPTURE(setting);
    Circumstances odd;
    odd.environment = {setting};
    const Outcome outcome = place.run({"vectors", "-o", "odd.svg", "--quiet"}, odd);
    CHECK(outcome.exit_code == 0);
    CHECK(place.read("odd.svg") == place.read("usual.svg"));
  }
  Circumstances without_fonts;
  without_fonts.environment = {"FONTCONFIG_SYSROOT=/nowhere"};
  const Outcome outcome = place.run({"vectors", "-o", "none.svg"}, without_fonts);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.err, "no font is installed; install the packages"));
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK_FALSE(place.has("none.svg"));
}

TEST_CASE("bytes that are not UTF-8 do no harm") {
  const std::string broken = "\xff\xfe\x80";
  wrong_usage({broken});
  wrong_usage({"vectors", "--" + broken});
  wrong_usage({"heads", "--labels", broken});
  wrong_usage({"vectors", "--size", broken});
  const Workplace place;
  CHECK(place.run({"vectors", "--quiet", "-o", broken + ".png"}).exit_code == 0);
  CHECK(place.has(broken + ".png"));
}

TEST_CASE("controls in what was typed cannot break the line") {
  const std::string reported = wrong_usage({"vec\ntors\x1b[31m"});
  CHECK_FALSE(contains(reported, "\x1b"));
  wrong_usage({"vectors", "--count", "1\n2"});
  wrong_usage({"vectors", "-o", "a\nb"});
}
