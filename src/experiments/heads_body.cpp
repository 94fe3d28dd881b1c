// What `heads` says: the formulas, the shapes, the heads side by side, and what the lecturer may add.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/heads/heads.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

Text heading(const HeadsRun& run) {
  switch (run.variant) {
    case HeadsVariant::article:
      return {"マルチヘッドアテンション", "Multi-head attention"};
    case HeadsVariant::parity:
      return {"マルチヘッドアテンション：PyTorch との比較", "Multi-head attention against PyTorch"};
    case HeadsVariant::book:
      return {"マルチヘッドアテンション（教科書 コード2.2.11）",
              "Multi-head attention, textbook code 2.2.11"};
    case HeadsVariant::course:
      return {"マルチヘッドアテンション（講座 Task 2）", "Multi-head attention, course task 2"};
    case HeadsVariant::notebook:
      return {"マルチヘッドアテンション（ノートブック）", "Multi-head attention of the notebook"};
  }
  return Text::same("");
}

// --- Sentences -------------------------------------------------------------------------------------------

Text whether_heads_agree(const HeadsRun& run) {
  const std::size_t different = disagreements(run);
  if (different == 0) {
    return {"ただし、注意度が最大のキーは、どのクエリでも全ヘッドで一致します。",
            "Here, though, all heads agree on the key with the largest weight, for every query."};
  }
  return {fmt::format("{} 個のクエリのうち {} 個では、注意度が最大のキーの違うヘッドがあります。",
                      run.queries, different),
          fmt::format("For {} of {} queries not all heads agree on the key with the largest weight.",
                      different, run.queries)};
}

Text say_many_heads(const HeadsRun& run) {
  const Text agreement = whether_heads_agree(run);
  return {fmt::format(
              "{} 個のヘッドは同じトークンを入力としますが、射影行列が違うので注意度も違います。{}各ヘッドの"
              "結果（{} 次元）を並べ、W_O で混ぜて {} 次元に戻します。",
              run.heads, agreement.ja(), run.d_model / run.heads, run.d_model),
          fmt::format("The {} heads read the same tokens through different projections, so their weights "
                      "differ. {} Their results, {} wide each, are joined and mixed by W_O into {} numbers "
                      "again.",
                      run.heads, agreement.en(), run.d_model / run.heads, run.d_model)};
}

Paragraph to_say(const HeadsRun& run) {
  if (run.variant == HeadsVariant::parity) {
    return {Role::say,
            {fmt::format("同じ重みを渡せば、式どおりの実装と nn.MultiheadAttention の出力は float32 の丸めの"
                         "範囲で一致します（差は最大 {:.1e}）。",
                         difference_from_pytorch(run.stages.output)),
             fmt::format("With the same weights, the formulas and nn.MultiheadAttention agree but for the "
                         "rounding of float32 (largest difference {:.1e}).",
                         difference_from_pytorch(run.stages.output))}};
  }
  if (run.variant == HeadsVariant::course) {
    return {
        Role::say,
        {"ヘッドの軸をバッチの隣に移すので、アテンション層はヘッドを知らないまま最後の 2 軸だけを計算します。"
         "終わったら逆の順に戻し、W_O で幅 E に直します。",
         "The head axis moves beside the batch, so the attention layer works on the last two axes and "
         "never knows of heads. The way back takes these steps in reverse, and W_O restores the width E."}};
  }
  if (run.heads == 1) {
    return {Role::say,
            {"ヘッドが 1 つなら、自己注意の後に W_O を掛けるだけです。",
             "With one head this is self-attention followed by W_O."}};
  }
  return {Role::say, say_many_heads(run)};
}

Paragraph misunderstanding(const HeadsRun& run) {
  const std::size_t width = run.d_model / run.heads;
  switch (run.variant) {
    case HeadsVariant::parity:
      return {
          Role::misunderstanding,
          {fmt::format("in_proj_weight は ({}, {}) の 1 つの行列ですが、中身は W_Q、W_K、W_V を転置して縦に"
                       "並べたものです。転置を忘れると、正方行列なのでエラーにならず、答えだけが違います。",
                       3 * run.d_model, run.d_model),
           fmt::format("in_proj_weight is one matrix, ({}, {}), but it holds W_Q, W_K and W_V, transposed, "
                       "one below the other. Forget to transpose and no error tells you: the matrices are "
                       "square.",
                       3 * run.d_model, run.d_model)}};
    case HeadsVariant::course:
      return {Role::misunderstanding,
              {fmt::format(
                   "N × L × E を N × H × L × D に直接 reshape してはいけません。(L, H, D) に分けてから"
                   "転置しないと、異なるトークンの数が 1 つのヘッドに混ざります。ここでは H = {}、D = {}。",
                   run.heads, width),
               fmt::format("Do not reshape N x L x E straight to N x H x L x D: without the transpose after "
                           "(L, H, D), numbers of different tokens end up in one head. Here H = {}, D = {}.",
                           run.heads, width)}};
    case HeadsVariant::book:
    case HeadsVariant::article:
    case HeadsVariant::notebook:
      return {
          Role::misunderstanding,
          {fmt::format(
               "ヘッドは入力の {0} 次元を {1} 次元ずつに切り分けるのではありません。どのヘッドの射影行列も "
               "({0}, {1}) で、{0} 次元すべてを読みます。",
               run.d_model, width),
           fmt::format(
               "Heads do not cut the {0} numbers of a token into slices of {1}: each head's projection is "
               "({0}, {1}) and reads all {0}.",
               run.d_model, width)}};
  }
  return {Role::misunderstanding, Text::same("")};
}

Text seed_of_article(const HeadsRun& run) {
  const std::size_t shared = shared_start(run);
  return {fmt::format(
              "記事と同じく X と重みを同じ種 {} から作るので、W_Q の先頭 {} 個の数は X の 0.1 倍に一致します"
              "（計算で確認済み）。独立な乱数が必要なら、種を別にしてください。",
              run.seed, shared),
          fmt::format(
              "As in the article, X and the weights are drawn from the same seed, here {}, so the first {} "
              "numbers of W_Q are 0.1 times those of X (checked by computation). Independent numbers need "
              "two different seeds.",
              run.seed, shared)};
}

/// Where the random numbers come from, and what differs from the document's code.
Paragraph remark(const HeadsRun& run) {
  const std::size_t joined = run.d_model;
  switch (run.variant) {
    case HeadsVariant::article:
      return {Role::note, seed_of_article(run)};
    case HeadsVariant::parity:
      return {
          Role::note,
          {"X は RandomState(42) を float32 に丸めたもの、重みは RandomState(0)。PyTorch 1.13 "
           "の出力は保存済み"
           "の値です（data/reference/make_heads_reference.py）。",
           "X is RandomState(42) rounded to float32, the weights RandomState(0). PyTorch 1.13's output is "
           "stored (data/reference/make_heads_reference.py)."}};
    case HeadsVariant::book:
      return {
          Role::note,
          {fmt::format("torch.manual_seed({}) の後、モデル、query、key、value の順に乱数を使います。出力層の"
                       "入力は n_heads * d_v = {} 次元です（n_heads * d_model ではありません）。",
                       run.seed, joined),
           fmt::format("After torch.manual_seed({}) the model is drawn first, then query, key and value. The "
                       "output layer has n_heads * d_v = {} inputs (not n_heads * d_model).",
                       run.seed, joined)}};
    case HeadsVariant::course:
      return {
          Role::note,
          {fmt::format(
               "講座には値がないので、種 {} で x、W_Q、W_K、W_V、W_O の順に作りました（重みは √E で割る）。"
               "マスク (1, H, L, L) はヘッドごとに違い、ヘッド h は h + 1 個前まで読みます。",
               run.seed),
           fmt::format("The course gives no values: seed {}, x, W_Q, W_K, W_V, W_O, the weights over √E. The "
                       "mask (1, H, L, L) differs by head: head h reads back h + 1 tokens.",
                       run.seed)}};
    case HeadsVariant::notebook:
      return {
          Role::note,
          {fmt::format("torch.manual_seed({}) の後、x、W_q、W_k、W_v、W_o の順に乱数を使います。", run.seed),
           fmt::format("After torch.manual_seed({}) x is drawn first, then W_q, W_k, W_v and W_o.",
                       run.seed)}};
  }
  return {Role::note, Text::same("")};
}

// --- The whole -------------------------------------------------------------------------------------------

/// The row that the reader checks first: head 0, query 0.
Array first_row(const HeadsRun& run) {
  const double* weights = run.stages.attention.weights.data();
  return {{run.keys}, {"keys"}, {weights, weights + run.keys}, run.dtype};
}

/// The output, or its first numbers where there are too many for a terminal.
Values output_values(const HeadsRun& run, const std::vector<Stage>& stages) {
  constexpr std::size_t most_numbers = 128;
  const auto found =
      std::find_if(stages.begin(), stages.end(), [](const Stage& s) { return s.name == "output"; });
  const Array& output = found->array;
  if (output.data.size() <= most_numbers) return {{"出力", "output"}, output};
  const std::size_t shown = std::min<std::size_t>(6, run.d_model);
  const std::string place = fmt::format("output[{}0, :{}]", is_batched(run) ? "0, " : "", shown);
  return {{"出力 " + place, place},
          {{shown},
           {"d_model"},
           {output.data.begin(), output.data.begin() + static_cast<std::ptrdiff_t>(shown)},
           run.dtype}};
}

}  // namespace

std::vector<Block> heads_body(const HeadsRun& run, const std::vector<Stage>& stages) {
  const Formula head = formula::sub(formula::sym("head"), formula::sym("i"));
  const Formula w_output = formula::sub(formula::sym("W"), formula::sym("O"));
  std::vector<Block> blocks{
      Paragraph{Role::heading, heading(run)},
      Equation{formula::row({head, formula::sym(" = "), head_formula(run)})},
      Equation{formula::row({concat_formula(run), formula::sym(" "), w_output})},
      heads_shape_trace(stages),
  };
  if (run.variant == HeadsVariant::course) {
    for (const Table& table : course_tables(run)) blocks.emplace_back(table);
  }
  blocks.emplace_back(heads_table(run));
  blocks.emplace_back(Values{{"ヘッド 0、クエリ 0 の注意度", "weights of head 0, query 0"}, first_row(run)});
  blocks.emplace_back(output_values(run, stages));
  if (run.variant == HeadsVariant::parity) blocks.emplace_back(parity_table(run));
  blocks.emplace_back(to_say(run));
  const bool about_cutting = run.variant != HeadsVariant::parity && run.variant != HeadsVariant::course;
  if (run.heads > 1 || !about_cutting) blocks.emplace_back(misunderstanding(run));  // one head is not cut
  blocks.emplace_back(remark(run));
  if (run.heads > most_heads_in_table) {
    blocks.emplace_back(
        Paragraph{Role::note,
                  {fmt::format("表は最初の {} 個のヘッドだけです。", most_heads_in_table),
                   fmt::format("The table shows the first {} heads only.", most_heads_in_table)}});
  }
  return blocks;
}

}  // namespace attnlab
