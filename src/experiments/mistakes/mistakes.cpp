// Classic mistakes: the right result beside the wrong one, and the invariant that catches the mistake.
#include "experiments/mistakes/mistakes.hpp"

namespace attnlab {
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

/// Those of mistakes.toml, each with its computation.
std::vector<Mistake> read_mistakes() {
  ShownMistakes shown = mistakes_around_softmax();
  for (ShownMistakes more : {mistakes_of_masks(), mistakes_of_heads(), mistakes_of_positions()})
    shown.merge(more);
  std::vector<Mistake> all;
  for (Sentences& row : read_sentences(mistakes_files().front(), "mistake")) {
    Mistake& mistake = all.emplace_back(shown.at(row.at("name").en()));
    mistake.name = row.at("name").en();
    mistake.tolerance = std::stod(row.at("tolerance").en());
    mistake.words = std::move(row);
  }
  return all;
}

// --- One mistake, and the list of all

std::vector<Block> words_on_one(const MistakeRun& run) {
  const Mistake& mistake = *run.mistake;
  return {Paragraph{Role::heading, mistake.says("title")},
          Paragraph{Role::text, mistake.says("why")},
          Table{{Text::none(), {"コード", "code"}},
                {{Text{"正", "right"}, mistake.says("right").en()},
                 {Text{"誤", "wrong"}, mistake.says("wrong").en()}}},
          Table{{{"見つける検査", "the check that finds it"},
                 {"正", "right"},
                 {"誤", "wrong"},
                 {"許容", "tolerance"}},
                {{mistake.says("statement"), mistake_error_text(run.right_error),
                  mistake_error_text(run.wrong_error), mistake_error_text(mistake.tolerance)}}},
          Paragraph{Role::say, mistake.says("consequence")},
          Paragraph::misunderstanding(
              "エラーが出ないことは、正しいことを意味しません。不変量を 1 つ検査してください：{}。",
              "That nothing raises an error does not make the result right. Check one invariant: {}.",
              mistake.says("statement"))};
}

std::vector<Block> words_on_all(const std::vector<MistakeRun>& runs) {
  Table table{{{"誤り", "mistake"}, {"何が違うか", "what goes wrong"}, {"正", "right"}, {"誤", "wrong"}}};
  Table checks{{{"誤り", "mistake"}, {"見つける検査", "the check that finds it"}}};
  for (const MistakeRun& run : runs) {
    const Mistake& mistake = *run.mistake;
    table.rows.push_back({mistake.name, mistake.says("title"), mistake_error_text(run.right_error),
                          mistake_error_text(run.wrong_error)});
    checks.rows.push_back({mistake.name, mistake.says("statement")});
  }
  return {
      Paragraph::heading("よくある誤りと、それを見つける検査",
                         "Classic mistakes, and the checks that find them"),
      std::move(table),
      std::move(checks),
      Paragraph::plain("`attnlab mistakes 名前` で、正しい図と誤った図を並べて描きます。",
                       "`attnlab mistakes NAME` draws the right result beside the wrong one."),
      Paragraph::say("どの誤りも、配列の形状は正しいままです。形状ではなく、成り立つべき性質を検査します。",
                     "All of these leave the shapes right. Check what must hold, not the shapes."),
      Paragraph::misunderstanding(
          "損失が下がっても、実装が正しい証拠にはなりません。ほとんどの誤りでは損失は下がり続け、未来が漏れる誤りでは、正しい実装よりもよく下がります。",
          "A falling loss does not prove that the implementation is right: it falls with most of these mistakes too, and falls furthest where the future leaks."),
      Paragraph::note("学習で起きる誤り：`attnlab train mistakes`",
                      "Mistakes made in training: `attnlab train mistakes`")};
}

}  // namespace

std::string array_name(const Mistake& mistake) {
  std::string name = mistake.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> table = read_mistakes();
  return table;
}

HeatMap weights_picture() {
  return HeatMap{"weights"}.rows({"クエリ", "Query"}).columns({"キー", "Key"}).coloured(weight_colours());
}

MistakeRun compared(Tensor<double> right, Tensor<double> wrong, double (*error)(const Tensor<double>&)) {
  const double right_error = error(right);
  const double wrong_error = error(wrong);
  return {std::move(right), std::move(wrong), right_error, wrong_error};
}

std::string mistake_error_text(double error) { return std::isinf(error) ? "NaN" : difference_text(error); }

MistakesRun MistakesRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::string& chosen = arguments.text("mistake");
  MistakesRun run;
  run.tape = Tape(arguments, "");
  for (const Mistake& mistake : mistakes()) {
    if (chosen != every_mistake && chosen != mistake.name) continue;
    run.tape.prefix_names(array_name(mistake) + "_");
    if (mistake.inputs != InputKind::fixed) {  // each starts the stream anew
      run.tape.start(arguments.text("rng"), static_cast<std::uint32_t>(arguments.integer("seed")));
    }
    run.runs.push_back(mistake.compute(run.tape));
    run.runs.back().mistake = &mistake;
  }
  return run;
}

std::vector<Scalar> scalars(const MistakesRun& run) {
  std::vector<Scalar> all;
  for (const MistakeRun& one : run.runs) {
    all.push_back({array_name(*one.mistake) + "_right_error", one.right_error});
    all.push_back({array_name(*one.mistake) + "_wrong_error", one.wrong_error});
  }
  return all;
}

std::vector<Invariant> invariants(const MistakesRun& run) {
  std::vector<Invariant> all;
  for (const MistakeRun& one : run.runs) {
    const Mistake& mistake = *one.mistake;
    if (mistake.inputs == InputKind::normal && run.tape.any_read()) continue;
    const std::string name = array_name(mistake);
    all.push_back({name + "_" + mistake.says("check").en(), mistake.says("statement"), one.right_error,
                   mistake.tolerance});
    if (run.tape.any_read()) continue;  // nor need a mistake show in any array
    all.push_back(invariant(name + "_is_caught", one.wrong_error > mistake.tolerance ? 0.0 : 1.0, 0.0,
                            "{}：検査で見つかる", "{}: the check finds it", mistake.says("title")));
  }
  return all;
}

std::vector<Block> body(const MistakesRun& run, const std::vector<Stage>& /*stages*/) {
  return run.runs.size() == 1 ? words_on_one(run.runs.front()) : words_on_all(run.runs);
}

Experiment mistakes_experiment() {
  return Experiment{"mistakes",
                    {"よくある誤りを、正しい結果と並べて見る", "classic mistakes beside the right result"},
                    {"すべての文書のコード", "the code of all documents"},
                    parameters(),
                    report_of<MistakesRun>}
      .with_positionals({"mistake"})
      .with_inputs({{"wrong_axis_query", {"6", "8"}},
                    {"wrong_axis_key", {"6", "8"}},
                    {"wrong_sqrt_query", {"16", "16"}},
                    {"wrong_sqrt_key", {"16", "16"}},
                    {"no_scaling_query", {"16", "16"}},
                    {"no_scaling_key", {"16", "16"}},
                    {"small_mask_query", {"6", "8"}},
                    {"small_mask_key", {"6", "8"}},
                    {"inverted_mask_query", {"6", "8"}},
                    {"inverted_mask_key", {"6", "8"}},
                    {"boolean_mask_query", {"6", "8"}},
                    {"boolean_mask_key", {"6", "8"}},
                    {"reshaped_heads_x", {"6", "16"}},
                    {"no_output_projection_x", {"6", "16"}},
                    {"no_output_projection_w_query", {"4", "16", "4"}},
                    {"no_output_projection_w_key", {"4", "16", "4"}},
                    {"no_output_projection_w_value", {"4", "16", "4"}},
                    {"no_output_projection_w_output", {"16", "16"}},
                    {"dropout_query", {"6", "8"}},
                    {"dropout_key", {"6", "8"}},
                    {"dropout_chance", {"6", "6"}}})
      .with_sliders({{"seed=0:19"}});
}

void draw_queries_and_keys(Tape& tape, const std::vector<std::size_t>& shape) {
  tape.normal("query", shape, {"queries", "width"});
  tape.normal("key", shape, {"keys", "width"});
}

Tensor<double> record_scores(Tape& tape, const std::string& query, const std::string& key,
                             const std::string& prefix) {
  const Tensor<double> raw =
      tape.product_with_transpose(prefix + "raw_scores", "Q K^T", query, key, pair_axes);
  return tape.scaled(prefix + "scores", "\\frac{Q K^T}{\\sqrt{d_k}}", prefix + "raw_scores",
                     over_root(tape.numbers_of(query).shape().back()));
}

}  // namespace attnlab
