// Multi-head attention: several small attentions read the same tokens, each in its own way.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/colour_range.hpp"
#include "experiments/entropy.hpp"
#include "experiments/heads_parts.hpp"
#include "experiments/parameter_syntax.hpp"
#include "experiments/shape_trace.hpp"
#include "experiments/tensor_array.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {
namespace {

std::vector<Parameter> parameters() {
  return {
      {"tokens", IntegerKind{{2, 128}}, "6", {"トークンの個数", "how many tokens"}},
      {"width", IntegerKind{{1, 1024}}, "16", {"モデルの次元 d_model", "width d_model of the tokens"}},
      {"heads",
       IntegerKind{{1, 16}},
       "4",
       {"ヘッドの個数（d_model の約数）", "how many heads; must divide the width"}},
      labels_parameter(),
      range_parameter("data"),
      seed_parameter("42"),
  };
}

// --- The computation
// ----------------------------------------------------------------------------------------

/// The article's class: a stream of its own, W_Q, W_K, W_V for all heads, then W_O, all times 0.1.
MultiHeadWeights<double> draw_weights(std::size_t d_model, std::size_t heads, std::uint32_t seed) {
  const std::size_t d_k = head_width(d_model, heads);
  NumpyRandom random(seed);
  MultiHeadWeights<double> weights;
  weights.query = random.randn({heads, d_model, d_k}) * 0.1;
  weights.key = random.randn({heads, d_model, d_k}) * 0.1;
  weights.value = random.randn({heads, d_model, d_k}) * 0.1;
  weights.output = random.randn({heads * d_k, d_model}) * 0.1;
  return weights;
}

HeadsRun compute(const Arguments& arguments) {
  HeadsRun run;
  run.tokens = arguments.count("tokens");
  run.heads = arguments.count("heads");
  run.labels = token_labels(arguments, run.tokens);
  run.labels_are_words = !arguments.text("labels").empty();
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  const std::size_t d_model = arguments.count("width");
  run.weights = draw_weights(d_model, run.heads, run.seed);
  run.x = NumpyRandom(run.seed).randn({run.tokens, d_model});
  run.stages = multi_head_attention(run.weights, run.x, run.x, run.x);
  run.data = data_range(run.stages.attention.weights);
  run.colours = parse_range(arguments.text("range")).value_or(run.data);
  return run;
}

/// How many numbers of W_Q, from its first on, are 0.1 times the numbers of X.
std::size_t shared_start(const HeadsRun& run) {
  const std::size_t length = std::min(run.x.size(), run.weights.query.size());
  std::size_t shared = 0;
  while (shared < length && run.weights.query.data()[shared] == run.x.data()[shared] * 0.1) ++shared;
  return shared;
}

// --- The trace
// ----------------------------------------------------------------------------------------------

/// W with the letter as an index and the head as an exponent, as in the article's eq. 8.
Formula projection(const char* letter) {
  const Formula matrix = formula::sub(formula::sym("W"), formula::sym(letter));
  return formula::row({formula::sym("X"), formula::sup(matrix, formula::sym("i"))});
}

Formula scores_formula() {
  using formula::sub;
  using formula::sym;
  const Formula product =
      formula::row({sub(sym("Q"), sym("i")), formula::sup(sub(sym("K"), sym("i")), sym("T"))});
  return formula::fraction(product, formula::root(sub(sym("d"), sym("k"))));
}

Formula head_formula() {
  return formula::row(
      {formula::call("softmax", scores_formula()), formula::sub(formula::sym("V"), formula::sym("i"))});
}

Formula concat_formula(const HeadsRun& run) {
  using formula::sub;
  using formula::sym;
  const Formula first = sub(sym("head"), sym("0"));
  if (run.heads == 1) return formula::call("Concat", first);
  const Formula last = sub(sym("head"), sym(std::to_string(run.heads - 1)));
  if (run.heads == 2) return formula::call("Concat", formula::row({first, sym(","), last}));
  return formula::call("Concat", formula::row({first, sym(","), sym("…"), sym(","), last}));
}

std::vector<Stage> trace(const HeadsRun& run) {
  using formula::row;
  using formula::sub;
  using formula::sym;
  const MultiHeadStages<double>& stages = run.stages;
  const Formula w_output = sub(sym("W"), sym("O"));
  const std::vector<std::string> projection_axes{"heads", "d_model", "width"};
  const std::vector<std::string> pair{"heads", "queries", "keys"};
  return {
      {"x", row({}), to_array(run.x, {"tokens", "d_model"})},
      {"w_query", row({}), to_array(run.weights.query, projection_axes)},
      {"w_key", row({}), to_array(run.weights.key, projection_axes)},
      {"w_value", row({}), to_array(run.weights.value, projection_axes)},
      {"w_output", row({}), to_array(run.weights.output, {"heads_width", "d_model"})},
      {"query", projection("Q"), to_array(stages.query, {"heads", "queries", "width"})},
      {"key", projection("K"), to_array(stages.key, {"heads", "keys", "width"})},
      {"value", projection("V"), to_array(stages.value, {"heads", "keys", "width"})},
      {"scores", scores_formula(), to_array(stages.attention.scores, pair)},
      {"weights", formula::call("softmax", scores_formula()), to_array(stages.attention.weights, pair)},
      {"head_output", head_formula(), to_array(stages.attention.output, {"heads", "queries", "width"})},
      {"concat", concat_formula(run), to_array(stages.concat, {"queries", "heads_width"})},
      {"output", row({sym("Concat"), sym(" "), w_output}), to_array(stages.output, {"queries", "d_model"})},
  };
}

std::vector<Scalar> scalars(const HeadsRun& run) {
  return {{"head_width", static_cast<double>(run.stages.query.shape().back())},
          {"smallest_weight", run.data.low},
          {"largest_weight", run.data.high},
          {"disagreements", static_cast<double>(disagreements(run))},
          {"shared_start", static_cast<double>(shared_start(run))}};
}

// --- The words
// ----------------------------------------------------------------------------------------------

constexpr std::size_t most_table_rows = 8;

Table heads_table(const HeadsRun& run) {
  Table table{
      {{"ヘッド", "head"},
       {"注意度の最小", "smallest weight"},
       {"最大", "largest weight"},
       {"平均エントロピー（nat）", "mean entropy (nats)"},
       {fmt::format("{} の注意度が最大のキー", run.labels[0]), fmt::format("top key of {}", run.labels[0])}},
      {}};
  const Tensor<double> spread = entropy(run.stages.attention.weights);  // (heads, queries)
  const std::size_t cells = run.tokens * run.tokens;
  for (std::size_t head = 0; head < std::min(run.heads, most_table_rows); ++head) {
    const double* first = run.stages.attention.weights.data() + head * cells;
    const auto [low, high] = std::minmax_element(first, first + cells);
    double sum = 0.0;
    for (std::size_t query = 0; query < run.tokens; ++query) sum += spread(head, query);
    table.rows.push_back({std::to_string(head), fmt::format("{:.4f}", *low), fmt::format("{:.4f}", *high),
                          fmt::format("{:.4f}", sum / static_cast<double>(run.tokens)),
                          run.labels[favourite_key(run, head, 0)]});
  }
  return table;
}

/// Empty when all heads agree on the top key of every query.
Text how_heads_differ(const HeadsRun& run) {
  const std::size_t different = disagreements(run);
  if (different == 0) return Text::same("");
  return {fmt::format("{} 個のクエリのうち {} 個で、注意度が最大のキーがヘッドごとに異なります。", run.tokens,
                      different),
          fmt::format(" For {} of {} queries the heads differ in the key with the largest weight.", different,
                      run.tokens)};
}

Paragraph to_say(const HeadsRun& run) {
  const std::size_t d_model = run.x.shape().back();
  if (run.heads == 1) {
    return {Role::say,
            {"ヘッドが 1 つなら、自己注意の後に W_O を掛けるだけです。",
             "With one head this is self-attention followed by W_O."}};
  }
  const Text difference = how_heads_differ(run);
  return {Role::say,
          {fmt::format(
               "{} 個のヘッドは同じトークンを入力としますが、射影行列が違うので注意度も違います。{}各ヘッドの"
               "結果（{} 次元）を並べ、W_O で混ぜて {} 次元に戻します。",
               run.heads, difference.ja(), d_model / run.heads, d_model),
           fmt::format("The {} heads read the same tokens through different projections, so their weights "
                       "differ.{} Their results, {} wide each, are joined and mixed by W_O into {} numbers "
                       "again.",
                       run.heads, difference.en(), d_model / run.heads, d_model)}};
}

Paragraph misunderstanding(const HeadsRun& run) {
  const std::size_t d_model = run.x.shape().back();
  return {Role::misunderstanding,
          {fmt::format(
               "ヘッドは入力の {0} 次元を {1} 次元ずつに切り分けるのではありません。どのヘッドの射影行列も "
               "({0}, {1}) で、{0} 次元すべてを読みます。",
               d_model, d_model / run.heads),
           fmt::format(
               "Heads do not cut the {0} numbers of a token into slices of {1}: each head's projection is "
               "({0}, {1}) and reads all {0}.",
               d_model, d_model / run.heads)}};
}

Paragraph remark_on_the_seed(const HeadsRun& run) {
  const std::size_t shared = shared_start(run);
  return {Role::note,
          {fmt::format(
               "記事と同じく X と重みを同じ種 {} から作るので、W_Q の先頭 {} 個の数は X の 0.1 倍に一致します"
               "（計算で確認済み）。独立な乱数が必要なら、種を別にしてください。",
               run.seed, shared),
           fmt::format(
               "As in the article, X and the weights are drawn from the same seed, here {}, so the first {} "
               "numbers of W_Q are 0.1 times those of X (checked by computation). Independent numbers need "
               "two different seeds.",
               run.seed, shared)}};
}

/// The row that the article's reader checks first: head 0, query 0.
Array first_row(const HeadsRun& run) {
  const double* weights = run.stages.attention.weights.data();
  return {{run.tokens}, {"keys"}, {weights, weights + run.tokens}, DType::float64};
}

std::vector<Block> body(const HeadsRun& run, const std::vector<Stage>& stages) {
  const Formula head = formula::sub(formula::sym("head"), formula::sym("i"));
  const Formula w_output = formula::sub(formula::sym("W"), formula::sym("O"));
  std::vector<Block> blocks{
      Paragraph{Role::heading, {"マルチヘッドアテンション", "Multi-head attention"}},
      Equation{formula::row({head, formula::sym(" = "), head_formula()})},
      Equation{formula::row({concat_formula(run), formula::sym(" "), w_output})},
      shape_trace(stages),
      heads_table(run),
      Values{{"ヘッド 0、クエリ 0 の注意度", "weights of head 0, query 0"}, first_row(run)},
      Values{{"出力", "output"}, to_array(run.stages.output, {"queries", "d_model"})},
      to_say(run),
  };
  if (run.heads > 1) blocks.emplace_back(misunderstanding(run));  // one head could not be cut
  blocks.emplace_back(remark_on_the_seed(run));
  if (run.heads > most_table_rows) {
    blocks.emplace_back(
        Paragraph{Role::note,
                  {fmt::format("表は最初の {} 個のヘッドだけです。", most_table_rows),
                   fmt::format("The table shows the first {} heads only.", most_table_rows)}});
  }
  if (const std::optional<Text> warning = range_warning(run.colours, run.stages.attention.weights)) {
    blocks.emplace_back(Paragraph{Role::note, *warning});
  }
  return blocks;
}

Report run_heads(const Arguments& arguments) {
  const HeadsRun run = compute(arguments);
  Report report;
  report.stages = trace(run);
  report.body = body(run, report.stages);
  report.scalars = scalars(run);
  report.figures = {heads_weights_figure(run), heads_output_figure(run)};
  return report;
}

}  // namespace

Experiment heads_experiment() {
  return {"heads",
          {"ヘッドごとに違う注意度を並べて見る", "the weights of every head, side by side"},
          {"記事 式 (7), (8)、ヘッドごとのヒートマップ", "article eq. 7 and 8 and its heat maps per head"},
          parameters(),
          run_heads};
}

}  // namespace attnlab
