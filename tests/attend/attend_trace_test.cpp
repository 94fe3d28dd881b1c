// What every report of `attend` promises: each stage follows from its operands, invariants hold, and every
// text is there in both languages.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "agreement.hpp"
#include "attend_cases.hpp"
#include "attention/shape.hpp"
#include "core/named.hpp"
#include "experiments/framework/traces.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

void check_written(const Text& text, const std::string& what) {
  INFO(what);
  CHECK(text.ja().empty() == text.en().empty());
}

void check_sentence(const Text& text, const std::string& what) {
  INFO(what);
  CHECK_FALSE(text.ja().empty());
  CHECK_FALSE(text.en().empty());
  CHECK(text.ja() != text.en());
  CHECK(text.en().find("  ") == std::string::npos);
}

}  // namespace

TEST_CASE("every invariant of attend holds whatever was given") {
  for (const AttendCase& one : attend_cases()) {
    INFO(one.name);
    if (one.name == "streamed") {
      CHECK(one.report.invariants.empty());
      continue;
    }
    check_invariants_hold(one.report);
  }
}

TEST_CASE("weights are declared to sum to 1 where every row of them does, or has no value") {
  std::size_t kept = 0;
  std::size_t without = 0;
  for (const AttendCase& one : attend_cases()) {
    const Stage* weights = find_named(one.report.stages, "weights");
    if (weights == nullptr) continue;
    INFO(one.name);
    const std::vector<double>& data = weights->array.data;
    bool do_sum = true;
    for (auto row = data.begin(); row != data.end();
         row += static_cast<std::ptrdiff_t>(weights->array.shape.back())) {
      const double sum =
          std::accumulate(row, row + static_cast<std::ptrdiff_t>(weights->array.shape.back()), 0.0);
      do_sum &= std::isnan(sum) || std::abs(sum - 1.0) < 1e-5;
    }
    CHECK(weights->derivation.rows_sum_to_one == do_sum);
    ++kept;
    without += do_sum ? 0 : 1;
  }
  CHECK(kept > 10);
  CHECK(without > 0);  // rows without a key that became zeros
}

TEST_CASE("every stage follows from the stages it names") {
  std::size_t recomputable = 0;
  for (const AttendCase& one : attend_cases()) {
    std::vector<std::string> earlier;
    for (const Stage& stage : one.report.stages) {
      INFO(one.name, ": ", stage.name);
      const Array& array = stage.array;
      CHECK(array.axes.size() == array.shape.size());
      CHECK(array.data.size() == element_count(array.shape));
      const bool is_input = stage.formula.kind == Formula::Kind::row && stage.formula.parts.empty();
      CHECK((stage.derivation.operation == Derivation::Operation::input) == is_input);
      for (const std::string& operand : stage.derivation.operands) {
        CHECK(std::find(earlier.begin(), earlier.end(), operand) != earlier.end());
      }
      CHECK(std::find(earlier.begin(), earlier.end(), stage.name) == earlier.end());
      earlier.push_back(stage.name);
      if (!is_recomputable(stage.derivation)) continue;
      ++recomputable;
      double largest = 0.0;
      std::size_t terms = 1;
      for (const Array* operand : operands_of(stage, one.report.stages)) {
        largest = std::max(largest, largest_magnitude(operand->data));
        if (!operand->shape.empty()) terms = std::max(terms, operand->shape.back());
      }
      const double rounding = array.dtype == DType::float32 ? rounding_of<float>(terms + 2, largest)
                                                            : rounding_of<double>(terms + 2, largest);
      const Array again = recomputed(stage, one.report.stages);
      CHECK(again.shape == array.shape);
      CHECK(disagreement(array.data, again.data, rounding) == "");
    }
  }
  CHECK(recomputable > 100);
}

TEST_CASE("axes have the same names in every stage of a report") {
  for (const AttendCase& one : attend_cases()) {
    std::vector<std::string> batches;
    for (const Stage& stage : one.report.stages) {
      if (stage.array.axes.empty() || stage.array.axes.front().find("batch") != 0) continue;
      INFO(one.name, ": ", stage.name);
      if (batches.empty()) batches.push_back(stage.array.axes.front());
      CHECK(stage.array.axes.front() == batches.front());
    }
  }
}

TEST_CASE("every text of attend is there in both languages") {
  for (const AttendCase& one : attend_cases()) {
    INFO(one.name);
    for (const Block& block : one.report.body) {
      if (const auto* paragraph = std::get_if<Paragraph>(&block))
        check_sentence(paragraph->text, "paragraph");
      if (const auto* values = std::get_if<Values>(&block)) check_sentence(values->label, "label");
      if (const auto* table = std::get_if<Table>(&block)) {
        for (const Text& header : table->header) check_sentence(header, "header");
        for (const auto& row : table->rows) CHECK(row.size() == table->header.size());
      }
    }
    for (const Text& warning : one.report.warnings) check_sentence(warning, "warning");
    for (const Invariant& invariant : one.report.invariants)
      check_sentence(invariant.statement, invariant.name);
    for (const Figure& figure : one.report.figures) {
      check_sentence(figure.title, "title");
      check_sentence(figure.description, "description");
      check_sentence(figure.caption, "caption");
      for (const Panel& panel : figure.panels) check_written(panel.title, "panel");
    }
  }
}

}  // namespace attnlab
