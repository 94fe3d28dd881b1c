// Turns the trace into steps: inputs together, then one step per stage.
#include "results/explain/explanation.hpp"

#include "core/error.hpp"
#include "results/derivation/recompute.hpp"
#include "results/operations/operation.hpp"

namespace attnlab {
namespace {

bool is_input(const Stage& stage) {
  return !stage.derivation.is_computed() && to_terminal(stage.formula).empty();
}

bool is_reduction(const Stage& stage) { return stage.derivation.operation == Operation::row_entropy; }

/// How many different rows can be asked for.
std::size_t rows_in(const Stage& stage) {
  if (stage.derivation.operation == Operation::worked) {
    return std::max(rows_of(stage.array), stage.derivation.worked.size());
  }
  if (is_reduction(stage)) return stage.array.shape.empty() ? 1 : stage.array.shape.back();
  return rows_of(stage.array);
}

void check_row(const Report& report, std::size_t row) {
  std::size_t rows = 1;
  for (const Stage& stage : report.stages) {
    if (!is_input(stage)) rows = std::max(rows, rows_in(stage));
  }
  if (row < rows) return;
  if (rows == 1) {
    refuse_usage(text("--row {}：{} には行が 1 つしかありません", "--row {}: {} has only one row here", row,
                      report.experiment),
                 {"--row 0 とするか、--row を外してください", "write --row 0 or leave it out"});
  }
  refuse_usage(text("--row {}：{} の行は 0 から {} までです", "--row {}: {} has rows 0 to {} here", row,
                    report.experiment, rows - 1),
               text("0 から {} の整数を指定してください", "choose a whole number from 0 to {}", rows - 1));
}

Text introduction(const Report& report, std::size_t row) {
  const bool has_batches = std::any_of(report.stages.begin(), report.stages.end(),
                                       [](const Stage& stage) { return stage.array.shape.size() > 2; });
  const Text batch = has_batches ? Text{"行列より前の軸（バッチやヘッド）は番号 0 を書きます。",
                                        " Of the axes before the matrix (batch, heads) index 0 is shown."}
                                 : Text::same("");
  return attnlab::text(
      "行 {} を書き出します（番号は 0 から）。行の少ない配列では最後の行です。{}≈ は表示のために丸めたことを表し、計算はすべての桁で行っています。",
      "Row {} is written out (counted from 0; the last row where an array has fewer).{} A sign ≈ means that digits were rounded for display; the computation uses all of them.",
      row, batch);
}

std::size_t row_within(const Stage& stage, std::size_t row) {
  return std::min(row, std::max<std::size_t>(rows_in(stage), 1) - 1);
}

void add_worked_line(ExplanationStep& step, const Stage& stage, std::size_t row) {
  const std::vector<Chain>& worked = stage.derivation.worked;
  if (row < worked.size()) {
    step.lines.emplace_back(worked[row]);
  } else if (!worked.empty()) {
    step.lines.emplace_back(attnlab::text("行 {} までだけ書き出してあります。",
                                          "Only rows up to {} are written out.", worked.size() - 1));
  }
}

/// The lines of a stage that an operation gives; none of an empty one.
ExplanationLines explained_operation(const Stage& stage, const std::vector<Stage>& trace, std::size_t row) {
  const Scene scene{stage, operands_of(stage, trace), row};
  const bool is_empty =
      stage.array.data.empty() || std::any_of(scene.operands.begin(), scene.operands.end(),
                                              [](const Array* operand) { return operand->data.empty(); });
  const OperationKind* kind = kind_of(stage.derivation.operation);
  return is_empty || kind == nullptr ? ExplanationLines{} : kind->explained(scene);
}

ExplanationStep explained(const Stage& stage, const std::vector<Stage>& trace, std::size_t requested) {
  ExplanationStep step{Text::same(headline_of(stage)), {}};
  const std::size_t row = row_within(stage, requested);
  if (!to_terminal(stage.formula).empty()) {
    step.lines.emplace_back(Chain{formula::sym(stage.name), {{"=", stage.formula}}});
  }
  if (stage.derivation.operation == Operation::worked) {
    add_worked_line(step, stage, row);
  } else {
    for (std::variant<Text, Chain>& line : explained_operation(stage, trace, row)) {
      step.lines.push_back(std::move(line));
    }
  }
  // A worked line of a larger array ends with its own row, of the first axis.
  if (stage.derivation.operation == Operation::worked && stage.array.shape.size() > 2) return step;
  // What is left of a reduction is one vector per batch.
  const std::size_t last_row = std::max<std::size_t>(rows_of(stage.array), 1) - 1;
  step.lines.emplace_back(row_of_stage(stage, is_reduction(stage) ? 0 : std::min(row, last_row)));
  return step;
}

ExplanationStep inputs_of(const Report& report, std::size_t row) {
  ExplanationStep step{{"入力", "Inputs"}, {}};
  for (const Stage& stage : report.stages) {
    if (!is_input(stage)) continue;
    step.lines.emplace_back(Text::same(headline_of(stage)));
    step.lines.emplace_back(row_of_stage(stage, row_within(stage, row)));
  }
  return step;
}

}  // namespace

Explanation explain(const Report& report, const Text& title, std::size_t row) {
  check_row(report, row);
  Explanation explanation{
      attnlab::text("{} の計算（{}）", "The computation of {} ({})", report.experiment, title),
      introduction(report, row),
      {}};
  ExplanationStep inputs = inputs_of(report, row);
  if (!inputs.lines.empty()) explanation.steps.push_back(std::move(inputs));
  for (const Stage& stage : report.stages) {
    if (!is_input(stage)) explanation.steps.push_back(explained(stage, report.stages, row));
  }
  return explanation;
}

}  // namespace attnlab
