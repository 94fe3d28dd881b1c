// A small report with everything that a file format could get wrong.
#pragma once

#include "core/constants.hpp"
#include "results/report/report.hpp"

namespace attnlab::test {

inline Report sample_report() {
  Report report;
  report.experiment = "softmax";
  report.parameters = {
      {"tokens", "4", true, 4LL},
      {"base", "1e4", false, 10000.0},
      {"scores", "2,-0.5", false, std::vector<double>{2.0, -0.5}},
      {"labels", "猫,\"a\"", false, std::vector<std::string>{"猫", "\"a\""}},
      {"range", "0:1", true, std::string("0:1")},
      {"long", "", true, {}},
  };
  report.stages = {
      {"weights",
       {},
       {{2, 3}, {"queries", "keys"}, {0.1, 1.0 / 3.0, 1e-300, -0.0, 5e-324, 1.7976931348623157e308}}},
      {"naive",
       {},
       {{4}, {"keys"}, {-not_a_number, infinity, -infinity, static_cast<double>(0.1F)}, DType::float32}},
      {"sum", {}, {{}, {}, {1.0}}},
      {"nothing", {}, {{0, 2}, {"rows", "columns"}, {}}},
  };
  report.scalars = {{"entropy", 0.7302}, {"gap", -infinity}};
  report.body = {
      Paragraph{Role::heading, {"見出し", "heading"}},
      Paragraph{Role::text, {"本文", "text"}},
      Paragraph{Role::say, {"和は 1", "they sum to 1"}},
      Paragraph{Role::misunderstanding, {"確率", "a probability"}},
      Paragraph{Role::note, {"注", "note"}},
  };
  return report;
}

}  // namespace attnlab::test
