// What `decoder` says: the model's formulas, the next word, what each sub-layer adds, and who sees the
// future.
#include "experiments/decoder/decoder.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_ranked = 5;

/// The stages between the sub-layers; all of them stand in --json.
std::vector<Stage> milestones(const std::vector<Stage>& stages) {
  const std::set<std::string> names{"x", "logits", "probabilities", "weights", "final_norm"};
  std::vector<Stage> kept;
  for (const Stage& one : stages) {
    // layer_0_residual_1, layer_0_output, but neither layer_0_w_output nor layer_0_head_output
    const bool of_layer = one.name.rfind("layer_", 0) == 0;
    const std::string in_layer = of_layer ? one.name.substr(one.name.find('_', 6) + 1) : "";
    if (names.count(one.name) > 0 || in_layer == "residual_1" || in_layer == "output") kept.push_back(one);
  }
  return kept;
}

/// The most probable next words.
Table next_words(const DecoderRun& run) {
  Table table{{{"語", "word"}, {"ロジット", "logit"}, {"確率", "probability"}}};
  std::vector<std::size_t> words = ranking(run, run.last());
  words.resize(std::min(words.size(), most_ranked));
  for (const std::size_t word : words) {
    table.rows.push_back({word_text(run.vocabulary[word]),
                          fmt::format("{:.4f}", run.pass.logits(run.last(), word)),
                          fmt::format("{:.4f}", run.pass.probabilities(run.last(), word))});
  }
  return table;
}

/// How many weights each part has.
Table weight_table(const DecoderRun& run) {
  const WeightCounts& counts = run.counts;
  const auto in_layers = [&](std::size_t weights) { return fmt::format("{} × {}", counts.layers, weights); };
  return {{{"部分", "part"}, {"重みの個数", "weights"}},
          {{Text("埋め込み", "embedding"), std::to_string(counts.embedding)},
           {Text("アテンション（W_Q, W_K, W_V, W_O）", "attention (W_Q, W_K, W_V, W_O)"),
            in_layers(counts.attention)},
           {Text("MLP（W_1, W_2）", "MLP (W_1, W_2)"), in_layers(counts.mlp)},
           {Text("線形（W_vocab）", "linear (W_vocab)"), std::to_string(counts.vocabulary)},
           {Text("合計", "in all"), std::to_string(counts.all())}}};
}

Table stream_table(const DecoderRun& run) {
  const auto mean = [](const Tensor<double>& lengths, std::size_t row) {
    return fmt::format("{:.4f}", row_mean(lengths)(row));
  };
  Table table{{{"サブレイヤ", "sub-layer"}, {"足したもの", "adds"}, {"足した後", "stream after"}}};
  table.rows.push_back({Text("埋め込み＋位置", "embedding + position"), "", mean(run.stream_length, 0)});
  for (std::size_t i = 0; i < run.added_length.shape()[0]; ++i) {
    table.rows.push_back({sublayer_name(i), mean(run.added_length, i), mean(run.stream_length, i + 1)});
  }
  return table;
}

/// Of two words or more: what another last word changes, with the mask and without.
Paragraph leak_in_words(const DecoderRun& run) {
  const std::size_t last = run.last();
  const auto moved_before = [last](const Tensor<double>& reaction) {
    return largest(xt::view(reaction, xt::range(std::size_t{0}, last), last));
  };
  return Paragraph::plain(
      "最後の語「{}」を「{}」に変えると、最後の位置のロジットは {:.3f} 動きますが、それより前の位置は最大 {:.2g} です。マスクがなければ最大 {:.3f} 動きます。",
      "Replace the last word {} by {}: the logits of the last position move by {:.3f}, those of earlier positions by at most {:.2g}; without the mask by up to {:.3f}.",
      word_text(run.history[last]), word_text(run.replacement), run.reaction(last, last),
      moved_before(run.reaction), moved_before(run.reaction_without_mask));
}

Text what_it_means(const DecoderRun& run) {
  const std::size_t best = ranking(run, run.last()).front();
  const double percentage = 100.0 * run.pass.probabilities(run.last(), best);
  if (run.tape.any_read()) {
    return text("ここでは「{}」が {:.0f}% です。", "Here {} gets {:.0f}%.", word_text(run.vocabulary[best]),
                percentage);
  }
  return text("この重みは乱数のままなので、「{0}」の {1:.0f}% に意味はありません。意味を与えるのが学習です。",
              "These weights are random, so the {1:.0f}% for {0} has no meaning yet; training gives it one.",
              word_text(run.vocabulary[best]), percentage);
}

Text what_was_drawn(const DecoderRun& run) {
  if (run.tape.any_read()) return text("入力：{}。", "Inputs: {}. ", run.tape.described());
  return text(
      "学習していない乱数の重みです（種 {}）。順に、埋め込み、層ごとに W_Q, W_K, W_V, W_O, W_1, W_2、最後に W_vocab。埋め込み以外は √(入力の次元) で割ります。",
      "Random, untrained weights (seed {}), in this order: embedding; per layer W_Q, W_K, W_V, W_O, W_1, W_2; W_vocab. All but the embedding are divided by √(inputs). ",
      run.tape.seed());
}

}  // namespace

std::vector<Block> body(const DecoderRun& run, const std::vector<Stage>& stages) {
  std::vector<Block> blocks{Paragraph::heading("デコーダー（復号器）だけの言語モデル（GPT）",
                                               "A decoder-only language model (GPT)")};
  if (run.is_gpt) {
    blocks.insert(blocks.end(), {Equation{formula::read("R_l = X_l + Attention(LN(X_l))")},
                                 Equation{formula::read("X_{l+1} = R_l + MLP(LN(R_l))")},
                                 Equation{formula::read("P = softmax(LN(X_L) W_vocab)")}});
  }
  blocks.insert(blocks.end(),
                {shape_trace(milestones(stages)), Paragraph::heading("重みの個数", "How many weights"),
                 weight_table(run),
                 Paragraph::heading("「{}」の次の語", "The word after {}", word_text(run.history.back())),
                 next_words(run),
                 Paragraph::heading("残差ストリーム（長さの平均）", "The residual stream (mean lengths)"),
                 stream_table(run)});
  if (run.prompt.size() > 1) {
    blocks.emplace_back(Paragraph::heading("未来の情報は漏れない", "No information leaks from the future"));
    blocks.emplace_back(leak_in_words(run));
  }
  blocks.insert(
      blocks.end(),
      {Paragraph::say(
           "GPT は、因果マスクつきの層を重ね、最後に線形変換と softmax（LSM）で次の語の確率を出します。どの層も残差ストリームに足していきます。{}",
           "GPT is a stack of causal layers that ends with a linear map and softmax (LSM), the probabilities of the next word. Each layer adds to the residual stream. {}",
           what_it_means(run)),
       Paragraph::misunderstanding(
           "出力は最後の位置の 1 個だけではありません。{0} 個の位置すべてが、それぞれの次の語を同時に予測します（確率の形は ({0}, {1})）。学習で一度に {0} 個の問題を解けるのは、因果マスクで答えが見えないからです。",
           "It is not only the last position that has an output: each of the {0} positions predicts its own next word, shape ({0}, {1}). Training learns from all {0} at once because the causal mask hides the answers.",
           run.prompt.size(), run.counts.words)});
  if (run.tape.comes_from_model()) return blocks;
  blocks.insert(
      blocks.end(),
      {Paragraph::note(
           "{}GPT-2 と同じ pre-norm と最後の LN。位置はスライドの正弦波です（GPT-2 では学習します）。",
           "{}Pre-norm and a last LN as in GPT-2; positions are the slides' sines (GPT-2 learns them).",
           what_was_drawn(run)),
       about_learned_weights("decoder")});
  return blocks;
}

}  // namespace attnlab
