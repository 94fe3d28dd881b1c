// The command that a file records: what changes the numbers, and nothing else.
#include "attnlab/output/render.hpp"

#include <doctest/doctest.h>

using attnlab::command_of;
using attnlab::Report;

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
}
