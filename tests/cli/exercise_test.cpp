// A class as a lecturer has it: sheets out, files in, marks.
#include <doctest/doctest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "exercise/class_exercise.hpp"
#include "program.hpp"
#include "shell.hpp"

using attnlab::contains;
using attnlab::lines_of;
using attnlab::on_one_line;
using attnlab::Outcome;
using attnlab::Workplace;

namespace {

namespace fs = std::filesystem;

std::string class_of(int students) {
  std::string list = "id,name\n";
  for (int i = 1; i <= students; ++i) list += fmt::format("s{:02},Student {}\n", i, i);
  return list;
}

/// Small sheets for the students s01, s02, ... of list.csv.
Outcome make_sheets(const Workplace& place, const std::string& folder,
                    const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{
      "exercise", "self-attention", "--students", "list.csv", "-o", folder, "--tokens",
      "3",        "--width",        "4",          "--lang",   "en"};
  words.insert(words.end(), more.begin(), more.end());
  return place.run(words);
}

Outcome grade(const Workplace& place, const std::string& folder,
              const std::vector<std::string>& more = {"-o", "marks.csv"}) {
  std::vector<std::string> words{"grade", folder, "--students", "list.csv", "--lang", "en"};
  words.insert(words.end(), more.begin(), more.end());
  return place.run(words);
}

/// The line of a student in marks.csv.
std::string mark_of(const Workplace& place, const std::string& id) {
  for (const std::string& line : lines_of(place.read("marks.csv"))) {
    if (line.rfind(id + ",", 0) == 0) return line;
  }
  return "";
}

std::vector<double> answers(const Workplace& place, const std::string& key) {
  return nlohmann::json::parse(place.read(key))["arrays"]["weights"]["data"].get<std::vector<double>>();
}

}  // namespace

TEST_CASE("a class of thirty gets sheets of their own, answers, and full marks for these") {
  const Workplace place;
  place.write("list.csv", class_of(30));
  const Outcome made = make_sheets(place, "sheets");
  CHECK(made.exit_code == 0);
  CHECK(made.err.empty());
  CHECK(lines_of(made.out).size() == 30 * 3 + 2);
  CHECK(attnlab::is_pdf(place.read("sheets/s01.pdf")));
  CHECK(attnlab::is_pdf(place.read("sheets/keys.pdf")));
  CHECK(place.read("sheets/keys/s01.json") != place.read("sheets/keys/s02.json"));
  const Outcome graded = grade(place, "sheets/keys");
  CHECK(graded.exit_code == 0);
  CHECK(contains(graded.out, "30 students: 30 right, 0 partly, 0 wrong, 0 missing, 0 unreadable"));
  CHECK(lines_of(place.read("marks.csv")).size() == 31);
  CHECK(mark_of(place, "s17") == "s17,Student 17,right,100,");
}

TEST_CASE("the numbers of a sheet are beside it as arrays, from which its answer follows") {
  const Workplace place;
  place.write("list.csv", class_of(2));
  REQUIRE(make_sheets(place, "sheets").exit_code == 0);
  for (const std::string id : {"s01", "s02"}) {
    CAPTURE(id);
    const std::vector<std::string> words{"self-attention",
                                         "--tokens",
                                         "3",
                                         "--width",
                                         "4",
                                         "--input",
                                         "x=sheets/" + id + ".npz:x",
                                         "--input",
                                         "w_query=sheets/" + id + ".npz:w_query",
                                         "--input",
                                         "w_key=sheets/" + id + ".npz:w_key",
                                         "--check",
                                         "weights=sheets/keys/" + id + ".json",
                                         "--lang",
                                         "en"};
    CHECK(contains(place.run(words).out, "PASS"));
  }
}

TEST_CASE("keys.pdf has each student's own answers, as keys/ID.json has them") {
  if (!attnlab::is_installed("pdftotext")) return;
  const Workplace place;
  place.write("list.csv", class_of(3));
  REQUIRE(make_sheets(place, "sheets").exit_code == 0);
  const std::string pages = attnlab::printed_by(
      "pdftotext -layout " + attnlab::shell_quoted(place.path("sheets/keys.pdf").string()) + " -");
  std::size_t begin = 0;
  for (const std::string id : {"s01", "s02", "s03"}) {
    CAPTURE(id);
    const std::size_t end = pages.find('\f', begin);
    REQUIRE(end != std::string::npos);
    std::istringstream page(pages.substr(begin, end - begin));
    begin = end + 1;
    CHECK(contains(page.str(), "(" + id + ")"));
    std::vector<std::string> printed;
    for (std::string word; page >> word;) {
      if (word.find_first_not_of("0123456789.") == std::string::npos && contains(word, "."))
        printed.push_back(word);
    }
    std::vector<std::string> right;
    for (const double value : answers(place, "sheets/keys/" + id + ".json"))
      right.push_back(fmt::format("{:.4f}", value));
    CHECK(printed == right);
  }
}

TEST_CASE("who else is on the list changes nobody's sheet") {
  const Workplace place;
  place.write("list.csv", "id,name\nb,B\n");
  REQUIRE(make_sheets(place, "alone").exit_code == 0);
  place.write("list.csv", "\xEF\xBB\xBFid,name\r\na,A\r\nb,B\r\nc,C\r\n");
  REQUIRE(make_sheets(place, "together").exit_code == 0);
  CHECK(place.read("alone/b.pdf") == place.read("together/b.pdf"));
  CHECK(place.read("alone/keys/b.json") == place.read("together/keys/b.json"));
  REQUIRE(make_sheets(place, "other", {"--seed", "7"}).exit_code == 0);
  CHECK(place.read("other/keys/b.json") != place.read("together/keys/b.json"));
  CHECK(attnlab::seed_of(0, "a") != attnlab::seed_of(0, "b"));
  CHECK(attnlab::seed_of(1, "1a") != attnlab::seed_of(11, "a"));
}

TEST_CASE("a usual mistake is named in the student's line") {
  const Workplace place;
  place.write("list.csv", class_of(3));
  REQUIRE(make_sheets(place, "sheets").exit_code == 0);
  REQUIRE(make_sheets(place, "unscaled", {"--scale", "none"}).exit_code == 0);
  fs::create_directory(place.path("in"));
  place.write("in/s01.json", place.read("unscaled/keys/s01.json"));
  std::string table;
  const std::vector<double> right = answers(place, "sheets/keys/s02.json");
  for (std::size_t i = 0; i < right.size(); ++i) {
    table += fmt::format("{:.4f}{}", right[i], i % 3 == 2 ? "\n" : ",");
  }
  place.write("in/s02.csv", table);
  const Outcome outcome = grade(place, "in");
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "3 students: 1 right, 0 partly, 1 wrong, 1 missing, 0 unreadable"));
  CHECK(contains(mark_of(place, "s01"), ",wrong,0,"));
  CHECK(contains(mark_of(place, "s01"), "raw_scores is not scaled"));
  CHECK(mark_of(place, "s02") == "s02,Student 2,right,100,");
  CHECK(mark_of(place, "s03") == "s03,Student 3,missing,,");
  CHECK(grade(place, "in", {}).out == place.read("marks.csv"));
}

TEST_CASE("what cannot be graded is told and passed over") {
  const Workplace place;
  place.write("list.csv", class_of(9));
  REQUIRE(make_sheets(place, "sheets").exit_code == 0);
  fs::create_directory(place.path("in"));
  place.write("in/s01.json", place.read("sheets/keys/s01.json"));
  fs::create_symlink(place.path("sheets/keys/s02.json"), place.path("in/s02.json"));
  fs::create_directory(place.path("in/s03.json"));
  fs::create_symlink("/etc/passwd", place.path("in/s04.csv"));
  place.write("in/s05.npy", "no array");
  place.write("in/s06.csv", "1,nan,0\n0,0,0\n0,0,0\n");
  place.write("in/s07.csv", "1,2\n3,4\n");
  place.write("in/s08.json", place.read("sheets/keys/s08.json"));
  place.write("in/s08.csv", "1\n");
  place.write("in/s09.csv", "");
  fs::resize_file(place.path("in/s09.csv"), (std::uintmax_t{64} << 20U) + 1);
  place.write("in/nobody.csv", "1\n");
  place.write("in/s01.odt", "1\n");
  place.write("in/.hidden", "1\n");
  const Outcome outcome = grade(place, "in");
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "9 students: 1 right, 0 partly, 2 wrong, 0 missing, 6 unreadable"));
  const std::string recorded = on_one_line(outcome.err);
  CHECK(contains(recorded, "'in/s02.json' is not graded: it is a symbolic link"));
  CHECK(contains(recorded, "'in/s03.json' is not graded: it is a folder"));
  CHECK(contains(recorded, "'in/s04.csv' is not graded: it is a symbolic link"));
  CHECK(contains(recorded, "'in/s09.csv' is not graded: it has more than 64 MiB"));
  CHECK(contains(recorded, "'in/nobody.csv' is not graded: no student on the list has this id"));
  CHECK(contains(recorded, "'in/s01.odt' is not graded: its extension"));
  CHECK(contains(recorded, "'in/.hidden' is not graded"));
  CHECK(mark_of(place, "s01") == "s01,Student 1,right,100,");
  CHECK(contains(mark_of(place, "s02"), ",unreadable,,'in/s02.json' is not graded: it is a symbolic link"));
  CHECK(contains(mark_of(place, "s05"), ",unreadable,,"));
  CHECK(contains(mark_of(place, "s06"), "NaN or infinite where a number is needed"));
  CHECK(contains(mark_of(place, "s07"), "its shape is (2, 2); (3, 3) is needed"));
  CHECK(contains(mark_of(place, "s08"), "there are 2 files; one is needed"));
}

TEST_CASE("a hostile list makes no file") {
  for (const std::string line : {"../x,A", "a/b,A", ",A", "a b,A", "ok,A\nOK,B", "keys,A", "-o,A"}) {
    CAPTURE(line);
    const Workplace place;
    place.write("list.csv", "id,name\n" + line + "\n");
    const Outcome outcome = make_sheets(place, "sheets");
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.err, "list.csv"));
    CHECK(place.files() == std::vector<std::string>{"list.csv"});
  }
  const Workplace place;
  place.write("list.csv", "id,name\na,=cmd|'x'\n");
  REQUIRE(make_sheets(place, "sheets").exit_code == 0);
  REQUIRE(grade(place, "sheets/keys").exit_code == 0);
  CHECK(lines_of(place.read("marks.csv")).back() == "a,\"'=cmd|'x'\",right,100,");
}

TEST_CASE("an exercise that makes no sense is refused before anything is written") {
  const Workplace place;
  place.write("list.csv", class_of(2));
  const auto refusal = [&](const std::vector<std::string>& words) {
    const Outcome outcome = place.run(words);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(place.files() == std::vector<std::string>{"list.csv"});
    return outcome.err;
  };
  CHECK(contains(refusal({"exercise"}), "--students is missing"));
  CHECK(contains(refusal({"exercise", "--level", "x", "--students", "list.csv"}),
                 "--level must be one of hand, calculator, computer"));
  CHECK(contains(refusal({"exercise", "self-atention"}), "did you mean self-attention?"));
  CHECK(contains(refusal({"exercise", "heads"}), "--students is missing"));
  CHECK(contains(refusal({"exercise", "decoder", "--students", "list.csv", "--ask", "logits"}),
                 "2000 is the most"));
  const std::vector<std::string> heads{"exercise", "heads", "--students", "list.csv", "--ask"};
  const auto asking = [&](const std::string& requested) {
    std::vector<std::string> words = heads;
    words.push_back(requested);
    return refusal(words);
  };
  CHECK(contains(asking("nope"), "heads has no array 'nope'; choose from query"));
  CHECK(contains(asking("x"), "'x' is given by heads, and not to be computed"));
  CHECK(contains(asking("weights,weights"), "names an array twice"));
  CHECK(contains(refusal({"exercise", "heads", "--students", "list.csv", "--input", "x=a.npy"}), "--input"));
  CHECK(contains(refusal({"grade", "--students", "list.csv"}), "grade needs a folder"));
}

TEST_CASE("of weights too many for a sheet those are asked that it can hold, or the sizes are named") {
  const Workplace place;
  place.write("list.csv", class_of(1));
  const auto sheet_of = [&](const std::string& experiment) {
    return place.run({"exercise", experiment, "--students", "list.csv", "-o", experiment, "--lang", "en"});
  };
  CHECK(sheet_of("decoder").exit_code == 0);
  CHECK(contains(place.read("decoder/exercise.json"), "layer_0_weights"));
  CHECK(sheet_of("additive").exit_code == 0);
  CHECK(contains(place.read("additive/exercise.json"), "dot_weights"));
  CHECK(contains(sheet_of("filters").err, "make --samples smaller"));
  CHECK(contains(sheet_of("positional").err, "make --positions"));
}

TEST_CASE("everyone's numbers are alike where nothing is random, and the program says so") {
  const Workplace place;
  place.write("list.csv", class_of(2));
  const Outcome outcome = place.run({"exercise", "vectors", "--students", "list.csv", "--lang", "en"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "vectors draws no random numbers here: every student gets the same problem"));
  CHECK(place.has("sheets/exercise.json"));
}

TEST_CASE("the record of an exercise is read without trust") {
  const Workplace place;
  place.write("list.csv", class_of(1));
  REQUIRE(make_sheets(place, "sheets").exit_code == 0);
  const std::string record = place.read("sheets/exercise.json");
  std::vector<std::string> records{"", "[]", "{}", "null", record.substr(0, record.size() / 2)};
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, nlohmann::json>>{{"schema", 2},
                                                           {"experiment", "nope"},
                                                           {"parameters", {{"nope", "1"}}},
                                                           {"asked", nlohmann::json::array()},
                                                           {"schema", 1e21},
                                                           {"schema", true},
                                                           {"seed", "x"},
                                                           {"seed", -1},
                                                           {"seed", 0.5},
                                                           {"seed", 4294967296},
                                                           {"decimals", nullptr},
                                                           {"decimals", 0},
                                                           {"decimals", 9},
                                                           {"decimals", 1e21}}) {
    nlohmann::json changed = nlohmann::json::parse(record);
    changed[key] = value;
    records.push_back(changed.dump());
  }
  for (const std::string& bad : records) {
    CAPTURE(bad);
    place.write("sheets/exercise.json", bad);
    const Outcome outcome = grade(place, "sheets/keys");
    CHECK(outcome.exit_code == 1);
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(contains(outcome.err, "exercise.json"));
    CHECK(!place.has("marks.csv"));
  }
  const Outcome elsewhere = grade(place, "sheets/keys", {"--sheets", "nowhere"});
  CHECK(elsewhere.exit_code == 1);
  CHECK(contains(elsewhere.err, "nowhere/exercise.json"));
}

TEST_CASE("marks that cannot be written leave the old ones; what is read is never overwritten") {
  const Workplace place;
  place.write("list.csv", class_of(2));
  REQUIRE(make_sheets(place, "sheets").exit_code == 0);
  place.write("marks.csv", "old");
  attnlab::Circumstances full;
  full.largest_file = 8;
  const Outcome outcome =
      place.run({"grade", "sheets/keys", "--students", "list.csv", "-o", "marks.csv"}, full);
  CHECK(outcome.exit_code == 1);
  CHECK(place.read("marks.csv") == "old");
  const std::string list = place.read("list.csv");
  CHECK(grade(place, "sheets/keys", {"-o", "list.csv"}).exit_code == 2);
  CHECK(grade(place, "sheets/keys", {"-o", "sheets/keys/s01.json"}).exit_code == 2);
  CHECK(place.read("list.csv") == list);
}

TEST_CASE("--blank prints the task and its inputs in place of the answers, and a pdf has them as a page") {
  const Workplace place;
  const Outcome outcome = place.run({"self-attention", "--blank", "-o", "a.pdf", "--lang", "en"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(on_one_line(outcome.out), "From x, w_query, w_key below, compute weights"));
  CHECK(contains(outcome.out, "x (4, 8):\n"));
  CHECK(!contains(outcome.out, "0.23477085"));  // the first weight, by the article
  CHECK(contains(place.run({"decoder", "--blank", "--no-figure", "--lang", "en"}).err, "together"));
}

TEST_CASE("in brief there is no matrix, and what holds is said") {
  const Workplace place;
  const Outcome outcome = place.run({"self-attention", "--brief", "--no-figure", "--lang", "en"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "[Key point]"));
  CHECK(contains(outcome.out, "holds "));
  CHECK(!contains(outcome.out, "[["));
  CHECK(place.run({"self-attention", "--brief", "--json"}).exit_code == 2);
}

TEST_CASE("help has the experiment's own flags, and names figures and arrays; --help-all has all") {
  const Workplace place;
  const std::string own = place.run({"vectors", "--help", "--lang", "en"}).out;
  const std::string all = place.run({"vectors", "--help-all", "--lang", "en"}).out;
  CHECK(contains(own, "--query-angle"));
  CHECK(contains(own, "--figure  arrows, bars, matrix, idea, long, queries, all"));
  CHECK(contains(own, "--range"));
  CHECK(!contains(own, "logarithmic colours"));
  CHECK(contains(all, "logarithmic colours"));
  CHECK(contains(all, "--figure  arrows, bars"));
  CHECK(lines_of(own).size() < lines_of(all).size() / 2);
  CHECK(place.run({"help", "vectors", "--lang", "en"}).out == own);
  CHECK(contains(place.run({"attend", "--help"}).out, "--save-output FILE"));
  CHECK(contains(place.run({"train", "reverse", "--help"}).out, "--film FILE"));
  CHECK(contains(place.run({"vectors", "--figure"}).err, "choose from arrows, bars"));
  CHECK(contains(place.run({"vectors", "--check"}).err, "the arrays are vectors, queries"));
}

TEST_CASE("decoder writes its steps") {
  const Workplace place;
  CHECK(place.run({"decoder", "--steps", "steps", "--quiet", "--format", "svg"}).exit_code == 0);
  const std::vector<std::string> files = place.files();
  CHECK(files.front() == "steps/01-embedded.svg");
  CHECK(files.back() == "steps/07-probabilities.svg");
}
