// All that attnlab says about itself holds, and what is wrong on purpose is found.
#include "verification/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "source_dir.hpp"
#include "verification/stored_array.hpp"

namespace attnlab {
namespace {

std::vector<VerifyCheck> failed_lines(const std::vector<VerifyCheck>& checks) {
  std::vector<VerifyCheck> failed;
  std::copy_if(checks.begin(), checks.end(), std::back_inserter(failed),
               [](const VerifyCheck& check) { return !check.agrees; });
  return failed;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// data/reference/FOLDER/NAME.json on the disk, by "FOLDER/NAME.json".
std::map<std::string, std::string> files_on_disk() {
  const std::filesystem::path root = source_dir() / "data" / "reference";
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".json") continue;
    files[entry.path().lexically_relative(root).generic_string()] = content_of(entry.path());
  }
  return files;
}

/// Only what is named, so that a test takes no longer than its own part.
Evidence with_rows(const std::vector<ExpectedValue>& rows) {
  Evidence evidence = built_in_evidence();
  evidence.expected = rows;
  evidence.files.clear();
  return evidence;
}

}  // namespace

TEST_CASE("every check that is built in passes") {
  for (const VerifyCheck& check : failed_lines(verify(built_in_evidence()))) {
    FAIL_CHECK(name_of(check.section), ": ", check.subject, " ", check.stage, " ", check.detail.en(), ": ",
               check.absolute, " against ", check.allowed);
  }
}

TEST_CASE("every section has checks and every experiment is in them") {
  std::map<Section, std::set<std::string>> subjects;
  for (const VerifyCheck& check : verify(built_in_evidence())) subjects[check.section].insert(check.subject);
  for (const Section section : {Section::expected, Section::invariants, Section::attend, Section::layers,
                                Section::runs, Section::functions}) {
    INFO(name_of(section));
    CHECK_FALSE(subjects[section].empty());
  }
  for (const Experiment& experiment : experiments()) {
    INFO(experiment.name);
    CHECK(subjects[Section::expected].count(experiment.name) +
              subjects[Section::runs].count(experiment.name) >
          0);
  }
}

TEST_CASE("the reference inside the program is the one on the disk") {
  std::map<std::string, std::string> embedded;
  for (const EmbeddedFile& file : reference_files()) embedded[std::string(file.path)] = file.text;
  CHECK(embedded.size() >= 27);
  CHECK(embedded == files_on_disk());
}

TEST_CASE("a wrong expected value fails alone") {
  std::vector<ExpectedValue> rows = expected_values();
  const auto changed = std::find_if(rows.begin(), rows.end(), [](const ExpectedValue& row) {
    return row.experiment == "self-attention" && row.quantity == "weights";
  });
  REQUIRE(changed != rows.end());
  changed->values[0] += 0.001;
  const std::vector<VerifyCheck> failed = failed_lines(verify(with_rows(rows), {Section::expected, ""}));
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].subject == "self-attention");
  CHECK(failed[0].stage == "weights");
  CHECK(failed[0].absolute > failed[0].allowed);
}

TEST_CASE("a row for an experiment or a quantity that does not exist fails and names it") {
  ExpectedValue row = expected_values().front();
  row.experiment = "alchemy";
  std::vector<VerifyCheck> failed = failed_lines(verify(with_rows({row}), {Section::expected, ""}));
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].detail.en().find("alchemy") != std::string::npos);
  row = expected_values().front();
  row.quantity = "phlogiston";
  failed = failed_lines(verify(with_rows({row}), {Section::expected, ""}));
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].detail.en().find("phlogiston") != std::string::npos);
}

TEST_CASE("a wrong number in a stored run fails") {
  for (const EmbeddedFile& file : reference_files()) {
    if (file.path != "self-attention/default.json") continue;
    Evidence evidence = built_in_evidence();
    evidence.files = {file};
    CHECK(failed_lines(verify(evidence, {Section::runs, ""})).empty());
    Json json = Json::parse(file.text);
    json["arrays"]["output"]["data"][5] = json["arrays"]["output"]["data"][5].get<double>() + 1e-9;
    const std::string text = json.dump();
    evidence.files = {{file.path, text}};
    const std::vector<VerifyCheck> failed = failed_lines(verify(evidence, {Section::runs, ""}));
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].stage == "output");
    return;
  }
  FAIL("no stored run of self-attention");
}

TEST_CASE("attend is verified in every type, kept and streamed, and a wrong number of its reference fails") {
  Evidence evidence = built_in_evidence();
  evidence.files = {{"attend/tiny.json", R"({"cases": [{
      "name": "one key", "seed": 1, "inputs": {"query": [1, 2], "key": [1, 2], "value": [1, 1]},
      "terms": 5, "largest_score": 2,
      "stages": {"output": {"shape": [1, 1], "data": [0.8654076293246785]}}}]})"}};  // RandomState(1)'s fifth
  const Selection attend{Section::attend, "attend"};
  std::set<std::string> ways;
  for (const VerifyCheck& check : verify(evidence, attend)) {
    ways.insert(check.subject);
    CHECK(check.agrees);
  }
  CHECK(ways == std::set<std::string>{"attend float32", "attend float32 streamed", "attend float64",
                                      "attend float64 streamed"});
  std::string text(evidence.files.front().text);
  text.replace(text.find("0.8654"), 6, "0.8655");
  evidence.files = {{"attend/tiny.json", text}};
  CHECK(failed_lines(verify(evidence, attend)).size() == 4);  // the output in each way
}

TEST_CASE("a file that nobody reads fails and so does one that is no JSON") {
  Evidence evidence = built_in_evidence();
  evidence.files = {{"attention/unheard_of.json", "{}"}};
  CHECK(failed_lines(verify(evidence, {Section::functions, ""})).size() == 1);
  for (const char* path :
       {"layers/linear.json", "heads/default.json", "attention/softmax.json", "attend/masks.json"}) {
    INFO(path);
    evidence.files = {{path, "{\"cases\": ["}};
    const std::vector<VerifyCheck> checks = verify(evidence);
    CHECK(std::count_if(checks.begin(), checks.end(), [](const VerifyCheck& check) {
            return !check.agrees && check.section != Section::expected;
          }) == 1);
  }
}

TEST_CASE("a selection leaves out the rest") {
  for (const VerifyCheck& check : verify(built_in_evidence(), {Section::layers, ""})) {
    CHECK(check.section == Section::layers);
  }
  const std::vector<VerifyCheck> heads = verify(built_in_evidence(), {std::nullopt, "heads"});
  CHECK_FALSE(heads.empty());
  for (const VerifyCheck& check : heads) CHECK(check.subject == "heads");
  CHECK(verify(built_in_evidence(), {std::nullopt, "alchemy"}).empty());
}

}  // namespace attnlab
