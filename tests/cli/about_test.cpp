// `attnlab about`, and that it leaves nobody out.
#include "attnlab/documents/documents.hpp"
#include "attnlab/output/look_flags.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "attention/streaming/kernel/kernel.hpp"
#include "attnlab/citation.hpp"
#include "core/version.hpp"
#include "plotting/colour/palette.hpp"
#include "products/look.hpp"
#include "program.hpp"
#include "shell.hpp"
#include "source_dir.hpp"

using attnlab::contains;
using attnlab::Language;
using attnlab::Workplace;

namespace {

std::string source_text(const std::string& file) {
  std::ifstream stream(attnlab::source_dir() / file);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// "libcairo.so.2" and the like, from the program's own list.
std::vector<std::string> needed_libraries() {
  std::vector<std::string> names;
  std::istringstream words(attnlab::printed_by("objdump -p " + attnlab::shell_quoted(ATTNLAB_PROGRAM)));
  for (std::string word; words >> word;) {
    if (word == "NEEDED" && words >> word) names.push_back(word);
  }
  return names;
}

bool is_credited(const std::string& name) {
  const auto& libraries = attnlab::library_credits();
  return std::any_of(libraries.begin(), libraries.end(), [&](const attnlab::LibraryCredit& library) {
    return std::any_of(library.files.begin(), library.files.end(),
                       [&](const std::string& beginning) { return name.rfind(beginning, 0) == 0; });
  });
}

}  // namespace

TEST_CASE("about names the fonts, every palette and the sentence that ColorBrewer asks for") {
  for (const Language language : {Language::ja, Language::en}) {
    const std::string text = attnlab::about_text(language);
    CHECK(contains(text, "Inter"));
    CHECK(contains(text, "BIZ UDPGothic"));
    CHECK(contains(text, "OFL-1.1"));
    for (const std::string& palette : attnlab::palette_names()) {
      CAPTURE(palette);
      CHECK(contains(text, palette));
    }
    CHECK(contains(
        attnlab::on_one_line(text),
        "This product includes color specifications and designs developed by Cynthia Brewer (http://colorbrewer.org/)."));
  }
}

TEST_CASE("about --json is one object with the same facts") {
  const Workplace place;
  const attnlab::Outcome outcome = place.run({"about", "--json"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  const nlohmann::json about = nlohmann::json::parse(outcome.out);
  CHECK(about["version"] == attnlab::version);
  CHECK(about["licence"] == "MIT");
  CHECK(about["fonts"].size() == 3);
  CHECK(about["libraries"].size() == attnlab::library_credits().size());
  CHECK(about["documents"].size() == 5);
  CHECK(place.files().empty());
}

TEST_CASE("about --json names the commit that was built, where there is a repository") {
  const nlohmann::json about = nlohmann::json::parse(Workplace().run({"about", "--json"}).out);
  if (about.at("commit").is_null()) return;
  const auto commit = about.at("commit").get<std::string>();
  const std::string git = "git -C " + attnlab::shell_quoted(attnlab::source_dir().string());
  CHECK(commit.size() == 40);
  CHECK(attnlab::printed_by(git + " rev-list --max-count=1 " + commit) == commit + "\n");
}

TEST_CASE(
    "about names the library that multiplies matrices and its kernels, with a hint where they are old") {
  const Workplace place;
  const auto kernels = [&](const std::string& core) {
    attnlab::Circumstances chosen;
    chosen.environment = {"OPENBLAS_CORETYPE=" + core};
    return nlohmann::json::parse(place.run({"about", "--json"}, chosen).out).at("blas");
  };
  const nlohmann::json old = kernels("Prescott");
  CHECK(old["name"] == "OpenBLAS");
  CHECK(contains(old["configuration"].get<std::string>(), old["version"].get<std::string>()));
  if (old["core"] != "Prescott") return;  // an OpenBLAS that was built for one processor alone
  if (attnlab::can_run(attnlab::SimdTarget::avx2)) {
    CHECK(contains(old["hint"]["en"].get<std::string>(), "OPENBLAS_CORETYPE="));
    CHECK(kernels("Haswell")["hint"].is_null());
  } else {
    CHECK(old["hint"].is_null());
  }
}

TEST_CASE("every shared library that the program needs is credited") {
  const std::vector<std::string> names = needed_libraries();
  CHECK(names.size() > 5);
  for (const std::string& name : names) {
    const bool is_sanitizer = name.rfind("libasan", 0) == 0 || name.rfind("libubsan", 0) == 0;
    INFO("name it in apps/attnlab/documents/credits.cpp: ", name);
    CHECK((is_sanitizer || is_credited(name)));
  }
}

TEST_CASE("CITATION.cff is of this version, and about cites as it says") {
  const std::string citation = source_text("CITATION.cff");
  CHECK(contains(citation, "cff-version: 1.2.0\n"));
  CHECK(contains(citation, std::string("\nversion: ") + attnlab::version + "\n"));
  CHECK(contains(citation, std::string("\ntitle: \"") + attnlab::cited::title + "\"\n"));
  CHECK(contains(citation, std::string("\nlicense: ") + attnlab::cited::licence + "\n"));
  CHECK(contains(citation, std::string("  - name: ") + attnlab::cited::authors + "\n"));
  CHECK(contains(source_text("LICENSE"), std::string("\n") + attnlab::cited::copyright + "\n"));
  const std::string text = attnlab::on_one_line(attnlab::about_text(Language::en));
  CHECK(contains(text, std::string(attnlab::cited::authors) + " (" + attnlab::cited::year + "). " +
                           attnlab::cited::title));
}
