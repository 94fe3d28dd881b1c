// `attnlab verify` as a user runs it, in an empty folder.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "program.hpp"
#include "verification/verify.hpp"

using attnlab::contains;
using attnlab::lines_of;
using attnlab::Outcome;
using attnlab::VerifyCheck;
using attnlab::Workplace;

namespace {

/// What the program would end with after these checks; 0 when it ends well.
int exit_code_after(const std::vector<VerifyCheck>& checks) {
  try {
    attnlab::conclude(checks, {});
  } catch (const attnlab::Error& error) {
    return static_cast<int>(error.kind());
  }
  return 0;
}

}  // namespace

TEST_CASE("verify passes in any folder and leaves nothing behind") {
  const Workplace place;
  const Outcome outcome = place.run({"verify", "--lang", "en"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(contains(lines_of(outcome.out).back(), "PASS  attnlab "));
  CHECK_FALSE(contains(outcome.out, "FAIL"));
  CHECK(contains(outcome.out, "PASS  self-attention  weights "));
  CHECK(contains(place.run({"verify", "--lang", "ja"}).out, "件すべて合格"));
  CHECK(place.files().empty());
}

TEST_CASE("a wrong expected value ends with FAIL and exit code 1") {
  attnlab::Evidence evidence = attnlab::built_in_evidence();
  evidence.files.clear();
  CHECK(exit_code_after(verify(evidence)) == 0);
  evidence.expected.front().values.front() += 1.0;
  const std::vector<VerifyCheck> checks = verify(evidence);
  CHECK(attnlab::summary_of(checks).failed == 1);
  CHECK(exit_code_after(checks) == 1);
}

TEST_CASE("verify prints JSON alone or nothing") {
  const Workplace place;
  const nlohmann::json json = nlohmann::json::parse(place.run({"verify", "--json"}).out);
  CHECK(json.at("summary").at("pass") == true);
  CHECK(json.at("summary").at("checks") == json.at("checks").size());
  CHECK(place.run({"verify", "--quiet"}).out.empty());
  CHECK(place.run({"verify", "--quiet", "--json"}).exit_code == 2);
}

TEST_CASE("verify takes a section and a name") {
  const Workplace place;
  const Outcome layers = place.run({"verify", "--section", "layers", "--only", "linear", "--lang", "en"});
  CHECK(layers.exit_code == 0);
  CHECK(contains(layers.out, "linear float32"));
  CHECK_FALSE(contains(layers.out, "multi_head"));
  const Outcome nothing = place.run({"verify", "--only", "alchemy", "--lang", "en"});
  CHECK(nothing.exit_code == 2);
  CHECK(contains(nothing.err, "alchemy"));
  CHECK(nothing.out.empty());
  CHECK(place.run({"verify", "--section", "alchemy"}).exit_code == 2);
}

TEST_CASE("verify is coloured on a terminal unless NO_COLOR forbids it") {
  const Workplace place;
  auto terminal = attnlab::on_terminal({"TERM=xterm"});
  CHECK(contains(place.run({"verify", "--only", "linear"}, terminal).out, "\x1b[32mPASS"));
  terminal.environment.push_back("NO_COLOR=1");
  CHECK_FALSE(contains(place.run({"verify", "--only", "linear"}, terminal).out, "\x1b[32mPASS"));
}
