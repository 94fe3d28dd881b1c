// The lines of `attnlab verify`: aligned, narrow enough, one per stage, the failures named.
#include "verification/verify.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "core/terminal_width.hpp"
#include "core/version.hpp"

namespace attnlab {
namespace {

VerifyCheck check(Section section, const std::string& subject, const std::string& stage, double error) {
  return {{error, error, 0.5, error <= 0.5}, section, subject, stage, {"例", "case"}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("cases of one stage share a line with the worst of them and failures keep their own") {
  const std::vector<VerifyCheck> lines = summarised(
      {check(Section::layers, "linear", "output", 0.1), check(Section::layers, "linear", "output", 0.4),
       check(Section::layers, "linear", "output", 0.2), check(Section::layers, "linear", "output", 0.6),
       check(Section::layers, "linear", "hidden", 0.3)});
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].absolute == 0.4);
  CHECK(lines[0].detail.en() == "3 cases");
  CHECK_FALSE(lines[1].agrees);
  CHECK(lines[2].detail.en() == "case");
}

TEST_CASE("columns stand under each other and no line is wider than 120 columns") {
  VerifyCheck wide = check(Section::expected, "self-attention", "weights", 0.0);
  wide.detail = {std::string(300, 'x') + "長い説明", std::string(300, 'x')};
  const std::vector<VerifyCheck> checks{check(Section::expected, "heads", "w", 1e-300), wide,
                                        check(Section::expected, "x", "a_long_name_of_a_stage", 0.25)};
  for (const Language language : {Language::ja, Language::en}) {
    const std::vector<std::string> lines =
        lines_of(verification_text(checks, 0.1, language, Colouring::plain));
    REQUIRE(lines.size() == 6);  // heading, three checks, blank, summary
    for (const std::string& line : lines) CHECK(display_width(line) <= 120);
    const std::size_t column = lines[3].find("a_long_name");
    CHECK(lines[1].find(" w ") + 1 == column);
    CHECK(lines[2].find("weights") == column);
  }
}

TEST_CASE("the summary counts every case and says FAIL when one fails") {
  const std::vector<VerifyCheck> good{check(Section::layers, "a", "x", 0.1),
                                      check(Section::layers, "a", "x", 0.2)};
  CHECK(lines_of(verification_text(good, 0.12, Language::en, Colouring::plain)).back() ==
        fmt::format("PASS  attnlab {}: all 2 checks pass (0.12 s)", version));
  std::vector<VerifyCheck> bad = good;
  bad.push_back(check(Section::runs, "b", "y", 2.0));
  CHECK(lines_of(verification_text(bad, 0.12, Language::en, Colouring::plain)).back() ==
        fmt::format("FAIL  attnlab {}: 1 of 3 checks fail (0.12 s)", version));
  CHECK(lines_of(verification_text(bad, 0.12, Language::ja, Colouring::plain)).back() ==
        fmt::format("FAIL  attnlab {}：3 件中 1 件が不合格（0.12 秒）", version));
}

TEST_CASE("colours appear only when asked for") {
  const std::vector<VerifyCheck> checks{check(Section::runs, "a", "x", 0.1),
                                        check(Section::runs, "a", "y", 2.0)};
  CHECK(count(verification_text(checks, 0.1, Language::en, Colouring::plain), "\x1b") == 0);
  CHECK(count(verification_text(checks, 0.1, Language::en, Colouring::ansi), "\x1b[1;31mFAIL\x1b[0m") == 2);
}

TEST_CASE("the JSON holds every check and numbers that JSON does not have as strings") {
  const std::vector<VerifyCheck> checks{check(Section::layers, "a", "x", 0.1),
                                        check(Section::layers, "a", "x", 0.2),
                                        check(Section::functions, "b", "y", infinity)};
  const nlohmann::json json = nlohmann::json::parse(verification_json(checks));
  CHECK(json.at("checks").size() == 3);
  CHECK(json.at("checks").at(0).at("section") == "layers");
  CHECK(json.at("checks").at(1).at("absolute_error") == 0.2);
  CHECK(json.at("checks").at(2).at("absolute_error") == "inf");
  CHECK(json.at("checks").at(2).at("pass") == false);
  CHECK(json.at("summary") ==
        nlohmann::json{{"checks", 3}, {"failed", 1}, {"printed", 0}, {"computed", 0}, {"pass", false}});
}

TEST_CASE("numbers that a document prints are told from those computed from its code") {
  std::vector<VerifyCheck> checks(4, check(Section::expected, "a", "x", 0.1));
  checks[0].origin = checks[1].origin = checks[3].origin = NumberSource::computed;
  checks[2].origin = NumberSource::printed;
  const std::string text = verification_text(checks, 0.1, Language::en, Colouring::plain);
  CHECK(
      lines_of(text).back() ==
      fmt::format(
          "PASS  attnlab {}: all 4 checks pass (0.10 s); of the documents' numbers 1 are printed in them, 3 computed by NumPy or PyTorch from their formulas and code",
          version));
  CHECK(count(text, "case (printed)") == 1);
  CHECK(count(verification_text(checks, 0.1, Language::ja, Colouring::plain),
              "1 件は文書に載っている値、3 件は文書の式とコードから") == 1);
  const nlohmann::json json = nlohmann::json::parse(verification_json(checks));
  CHECK(json.at("checks").at(2).at("origin") == "printed");
  CHECK(json.at("checks").at(3).at("origin") == "computed");
  CHECK(json.at("summary").at("printed") == 1);
  CHECK(json.at("summary").at("computed") == 3);
}

}  // namespace attnlab
