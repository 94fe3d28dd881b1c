// What `decoder` says: the model's formulas, the next word, what each sub-layer adds, and who sees the
// future.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/decoder/decoder.hpp"
#include "experiments/report_body.hpp"
#include "experiments/framework/shape_trace.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::row;
using formula::sub;
using formula::sym;

constexpr std::size_t most_ranked = 5;

void add_formulas(std::vector<Block>& body) {
  const auto index = [](const char* letter, const char* number) { return sub(sym(letter), sym(number)); };
  const auto define = [&body](const Formula& symbol, const Formula& value) {
    body.emplace_back(Equation{row({symbol, sym("="), value})});
  };
  const Formula x = index("X", "l");
  const Formula r = index("R", "l");
  define(r, row({x, sym("+"), call("Attention", call("LN", x))}));
  define(index("X", "l+1"), row({r, sym("+"), call("MLP", call("LN", r))}));
  define(sym("P"), call("softmax", row({call("LN", index("X", "L")), sym(" "), index("W", "vocab")})));
}

/// The stages between the sub-layers; all of them stand in --json.
std::vector<Stage> milestones(const std::vector<Stage>& stages) {
  const auto is_milestone = [](const std::string& name) {
    const auto ends_with = [&name](const std::string& end) {
      return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    };
    return name == "x" || name == "logits" || name == "probabilities" || name == "weights" ||
           name == "final_norm" || ends_with("_residual_1") || ends_with("_output");
  };
  std::vector<Stage> kept;
  for (const Stage& one : stages) {
    if (is_milestone(one.name) && one.name.find("w_output") == std::string::npos &&
        one.name.find("head_output") == std::string::npos) {
      kept.push_back(one);
    }
  }
  return kept;
}

double mean_of_row(const Tensor<double>& values, std::size_t row) {
  double sum = 0.0;
  for (std::size_t i = 0; i < values.shape()[1]; ++i) sum += values(row, i);
  return sum / static_cast<double>(values.shape()[1]);
}

void add_prediction(std::vector<Block>& body, const DecoderRun& run) {
  const std::size_t last = run.prompt.size() - 1;
  add_heading(body, fmt::format("「{}」の次の語", run.history[last]),
              fmt::format("The word after {}", run.history[last]));
  Table table{{{"語", "word"}, {"ロジット", "logit"}, {"確率", "probability"}}, {}};
  const std::vector<std::size_t> words = ranking(run, last);
  for (std::size_t i = 0; i < std::min(words.size(), most_ranked); ++i) {
    table.rows.push_back({run.vocabulary[words[i]], fmt::format("{:.4f}", run.pass.logits(last, words[i])),
                          fmt::format("{:.4f}", run.pass.probabilities(last, words[i]))});
  }
  body.emplace_back(table);
}

void add_stream(std::vector<Block>& body, const DecoderRun& run) {
  add_heading(body, "残差ストリーム（長さの平均）", "The residual stream (mean lengths)");
  Table table{{{"サブレイヤ", "sub-layer"}, {"足したもの", "adds"}, {"足した後", "stream after"}}, {}};
  table.rows.push_back({Text("埋め込み＋位置", "embedding + position"), "",
                        fmt::format("{:.4f}", mean_of_row(run.stream_length, 0))});
  for (std::size_t i = 0; i < run.added_length.shape()[0]; ++i) {
    table.rows.push_back({sublayer_name(i), fmt::format("{:.4f}", mean_of_row(run.added_length, i)),
                          fmt::format("{:.4f}", mean_of_row(run.stream_length, i + 1))});
  }
  body.emplace_back(table);
}

void add_leak(std::vector<Block>& body, const DecoderRun& run) {
  if (run.prompt.size() < 2) return;
  const std::size_t last = run.prompt.size() - 1;
  const std::string& before = run.history[last];
  const std::string& after = run.vocabulary[(run.prompt[last] + 1) % run.vocabulary.size()];
  double earlier = 0.0;
  double earlier_without = 0.0;
  for (std::size_t i = 0; i < last; ++i) {
    earlier = std::max(earlier, run.reaction(i, last));
    earlier_without = std::max(earlier_without, run.reaction_without_mask(i, last));
  }
  add_heading(body, "未来は漏れない", "Nothing leaks from the future");
  add_text(
      body,
      fmt::format("最後の語「{}」を「{}」に変えると、最後の位置のロジットは {:.3f} 動きますが、それより前の"
                  "位置は最大 {:.2g} です。マスクがなければ最大 {:.3f} 動きます。",
                  before, after, run.reaction(last, last), earlier, earlier_without),
      fmt::format("Replace the last word {} by {}: the logits of the last position move by {:.3f}, those "
                  "of earlier positions by at most {:.2g}; without the mask by up to {:.3f}.",
                  before, after, run.reaction(last, last), earlier, earlier_without));
}

Paragraph to_say(const DecoderRun& run) {
  const std::size_t last = run.prompt.size() - 1;
  const std::size_t best = ranking(run, last).front();
  const double probability = 100.0 * run.pass.probabilities(last, best);
  return {
      Role::say,
      {fmt::format(
           "GPT は、因果マスクつきの層を重ね、最後に線形変換と softmax（LSM）で次の語の確率を出します。"
           "層は残差ストリームに足すだけです。この重みは乱数のままなので、「{}」の {:.0f}% に意味は"
           "ありません。意味を与えるのが学習です。",
           run.vocabulary[best], probability),
       fmt::format("GPT stacks causal layers and ends with a linear map and softmax (LSM): probabilities of "
                   "the next word. Each layer only adds to the residual stream. These weights are random, "
                   "so the {:.0f}% for {} has no meaning yet; training gives it one.",
                   probability, run.vocabulary[best])}};
}

Paragraph misunderstanding(const DecoderRun& run) {
  const std::size_t tokens = run.prompt.size();
  return {
      Role::misunderstanding,
      {fmt::format("出力は最後の位置の 1 個だけではありません。{0} 個の位置すべてが、それぞれの次の語を同時に"
                   "予測します（確率の形は ({0}, {1})）。学習で一度に {0} 個の問題を解けるのは、因果マスクが"
                   "答えを隠すからです。",
                   tokens, run.vocabulary.size()),
       fmt::format("Not only the last position has an output: each of the {0} positions predicts its own "
                   "next word, shape ({0}, {1}). Training learns from all {0} at once because the causal "
                   "mask hides the answers.",
                   tokens, run.vocabulary.size())}};
}

Paragraph how_it_was_drawn(const DecoderRun& run) {
  return {
      Role::note,
      {fmt::format("学習していない乱数の重みです（種 {}）。順に、埋め込み、層ごとに W_Q, W_K, W_V, W_O, W_1, "
                   "W_2、最後に W_vocab。埋め込み以外は √(入力の次元) で割ります。GPT-2 と同じ pre-norm と"
                   "最後の LN。位置はスライドの正弦波です（GPT-2 では学習します）。",
                   run.seed),
       fmt::format("Random, untrained weights (seed {}), in this order: embedding; per layer W_Q, W_K, W_V, "
                   "W_O, W_1, W_2; W_vocab. All but the embedding are divided by √(inputs). "
                   "Pre-norm and a last LN as in GPT-2; positions are the slides' sines (GPT-2 learns "
                   "them).",
                   run.seed)}};
}

}  // namespace

std::vector<Block> decoder_body(const DecoderRun& run, const std::vector<Stage>& stages) {
  std::vector<Block> body;
  add_heading(body, "デコーダー（復号器）だけの言語モデル（GPT）", "A decoder-only language model (GPT)");
  add_formulas(body);
  body.emplace_back(shape_trace(milestones(stages)));
  add_prediction(body, run);
  add_stream(body, run);
  add_leak(body, run);
  body.emplace_back(to_say(run));
  body.emplace_back(misunderstanding(run));
  body.emplace_back(how_it_was_drawn(run));
  return body;
}

}  // namespace attnlab
