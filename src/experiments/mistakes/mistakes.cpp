// Classic mistakes: the right result beside the wrong one, and the invariant that catches the mistake.

#include <algorithm>
#include <cmath>

#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/mistakes/mistake.hpp"
#include "results/check/difference_text.hpp"

namespace attnlab {

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> table = [] {
    std::vector<Mistake> all;
    for (const auto& family : {softmax_mistakes(), scaling_mistakes(), mask_mistakes(), head_mistakes(),
                               dropout_mistakes(), position_mistakes()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return table;
}

MistakeRun compared(Tensor<double> right, Tensor<double> wrong, double (*error)(const Tensor<double>&)) {
  const double right_error = error(right);
  const double wrong_error = error(wrong);
  return {std::move(right), std::move(wrong), right_error, wrong_error};
}

std::string mistake_error_text(double error) {
  return std::isinf(error) ? "NaN" : difference_text(error);
}

namespace {

constexpr const char* every_mistake = "all";

std::vector<Parameter> parameters() {
  std::vector<std::string> names{every_mistake};
  for (const Mistake& mistake : mistakes()) names.push_back(mistake.name);
  return {{"mistake",
           ChoiceKind{names},
           every_mistake,
           {"どの誤りか。名前だけ書いてもよい：attnlab mistakes wrong-axis",
            "which mistake; its name alone will do: attnlab mistakes wrong-axis"}},
          seed_parameter("0"),
          rng_parameter()};
}

/// "wrong-axis" as the beginning of an array's name.
std::string array_name(const Mistake& mistake) {
  std::string name = mistake.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

void add_numbers(Report& report, const Mistake& mistake, const MistakeRun& run) {
  const std::string name = array_name(mistake);
  for (const Stage& step : run.steps) {
    Stage& stage = report.stages.emplace_back(step);
    stage.name.insert(0, name + "_");
    for (std::string& operand : stage.derivation.operands) operand.insert(0, name + "_");
  }
  report.scalars.push_back({name + "_right_error", run.right_error});
  report.scalars.push_back({name + "_wrong_error", run.wrong_error});
  report.invariants.push_back(
      {name + "_" + mistake.invariant, mistake.statement, run.right_error, mistake.tolerance});
  report.invariants.push_back(invariant(name + "_is_caught", run.wrong_error > mistake.tolerance ? 0.0 : 1.0,
                                        0.0, "{}：検査で見つかる", "{}: the check finds it", mistake.title));
}

// --- One mistake, and the list of all

std::vector<Block> words_on_one(const Mistake& mistake, const MistakeRun& run) {
  return {Paragraph{Role::heading, mistake.title},
          Paragraph{Role::text, mistake.why},
          Table{{Text::none(), {"コード", "code"}},
                {{Text{"正", "right"}, mistake.right_line}, {Text{"誤", "wrong"}, mistake.wrong_line}}},
          Table{{{"見つける検査", "the check that finds it"},
                 {"正", "right"},
                 {"誤", "wrong"},
                 {"許容", "tolerance"}},
                {{mistake.statement, mistake_error_text(run.right_error), mistake_error_text(run.wrong_error),
                  mistake_error_text(mistake.tolerance)}}},
          Paragraph{Role::say, mistake.consequence},
          Paragraph::misunderstanding(
              "エラーが出ないことは、正しいことを意味しません。不変量を 1 つ検査してください：{}。",
              "That nothing raises an error does not make it right. Check one invariant: {}.",
              mistake.statement)};
}

std::vector<Block> words_on_all(const std::vector<MistakeRun>& runs) {
  Table table{{{"誤り", "mistake"}, {"何が違うか", "what goes wrong"}, {"正", "right"}, {"誤", "wrong"}}};
  Table checks{{{"誤り", "mistake"}, {"見つける検査", "the check that finds it"}}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Mistake& mistake = mistakes()[i];
    table.rows.push_back({mistake.name, mistake.title, mistake_error_text(runs[i].right_error),
                          mistake_error_text(runs[i].wrong_error)});
    checks.rows.push_back({mistake.name, mistake.statement});
  }
  return {
      Paragraph::heading("よくある誤りと、それを見つける検査",
                         "Classic mistakes, and the checks that find them"),
      std::move(table),
      std::move(checks),
      Paragraph::plain("`attnlab mistakes 名前` で、正しい図と誤った図を並べて描きます。",
                       "`attnlab mistakes NAME` draws right beside wrong."),
      Paragraph::say("どの誤りも、配列の形状は正しいままです。形状ではなく、成り立つべき性質を検査します。",
                     "Every one of these leaves all shapes right. Check what must hold, not the shapes."),
      Paragraph::misunderstanding(
          "損失が下がっても、実装が正しい証拠にはなりません。ほとんどの誤りでは損失は下がり続け、未来が"
          "漏れる誤りでは、正しい実装よりもよく下がります。",
          "A falling loss is no proof of a right implementation: it falls with most of these mistakes too, "
          "and falls even more where the future leaks.")};
}

Report run_mistakes(const Arguments& arguments, const Context&) {
  const std::string& chosen = arguments.text("mistake");
  Report report;
  std::vector<MistakeRun> runs;
  for (const Mistake& mistake : mistakes()) {
    if (chosen != every_mistake && chosen != mistake.name) continue;
    RandomStream random = random_stream(arguments);  // each mistake starts the stream anew
    runs.push_back(mistake.compute(random));
    add_numbers(report, mistake, runs.back());
    report.figures.push_back(mistake_figure(mistake, runs.back(), arguments.text("seed")));
    if (chosen == mistake.name) report.body = words_on_one(mistake, runs.back());
  }
  if (chosen == every_mistake) report.body = words_on_all(runs);
  return report;
}

}  // namespace

Experiment mistakes_experiment() {
  return {"mistakes",
          {"よくある誤りを、正しい結果と並べて見る", "classic mistakes beside the right result"},
          {"すべての文書のコード", "the code of all documents"},
          parameters(),
          run_mistakes,
          "mistake"};
}

}  // namespace attnlab
