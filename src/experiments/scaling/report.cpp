// What `scaling` says: the four cases in a table, and the sentences for the lecture.
#include <cmath>

#include "experiments/scaling/scaling.hpp"

namespace attnlab {
namespace {

Table comparison(const ScalingRun& run) {
  Table table{{{"次元", "d"},
               {"スケーリング", "scaling"},
               {"最大の注意度", "largest weight"},
               {"そのキー", "its key"},
               {"エントロピー（nat）", "entropy (nats)"}}};
  const auto add = [&](std::size_t dim, const char* scaling, const Tensor<double>& weights) {
    table.rows.push_back({std::to_string(dim), scaling, fmt::format("{:.4f}", largest(weights)),
                          std::to_string(largest_index(weights)), fmt::format("{:.4f}", entropy(weights)())});
  };
  for (const ScalingCase* one : run.cases()) {
    add(one->dim, "—", one->weights);
    add(one->dim, "1/√d", one->scaled_weights);
  }
  return table;
}

/// "、20 個中 15 個のキーは 1% 未満です": how the sentence about the largest key goes on.
Text how_many_are_faint(const ScalingRun& run) {
  const std::size_t faint = faint_keys(run.high.weights);
  if (faint == 0) return {"ます", ""};
  return text("、{0} 個中 {1} 個のキーは {2:.2g}% 未満です", ", and {1} of {0} keys get less than {2:.2g}%",
              run.keys, faint, faint_percent(run.keys));
}

/// " 80% " between Japanese characters; the words "ほぼ 100%" need a space behind them only.
Text share(double weight) {
  const Text words = percent(weight);
  return {(words.ja() == words.en() ? " " : "") + words.ja() + " ", words.en()};
}

Paragraph to_say(const ScalingRun& run) {
  const ScalingCase& high = run.high;
  return Paragraph::say(
      "{0} 次元では、スケーリングがないと 1 個のキーが注意度の{1}を取り{2}。スコアを √{0} = {3:.4g} で割ると"
      "最大でも{4}で、差が見えます。",
      "In {0} dimensions, unscaled, a single key takes {1} of the attention{2}. Divide the scores by "
      "√{0} = {3:.4g}, and the largest share is {4}: now the differences show.",
      high.dim, share(largest(high.weights)), how_many_are_faint(run),
      std::sqrt(static_cast<double>(high.dim)), share(largest(high.scaled_weights)));
}

}  // namespace

std::vector<Block> body(const ScalingRun& run, const std::vector<Stage>& /*stages*/) {
  const ScalingCase& high = run.high;
  std::vector<Block> blocks{
      Paragraph::heading("なぜ √d で割るのか", "Why scores are divided by √d"),
      Equation{formula::read("softmax(frac{q · k}{√{d}})")},
      Paragraph::plain(
          "クエリ 1 個とキー {0} 個を、{1} 次元と {2} 次元でそれぞれ標準正規分布から生成しました（乱数の種 "
          "{3}{4}）。すべてのキーの注意度が等しければ、エントロピーは ln {0} = {5:.4f} です。",
          "One query and {0} keys, drawn from the standard normal distribution in {1} and in {2} dimensions "
          "(seed {3}{4}). If all keys had equal weight, the entropy would be ln {0} = {5:.4f}.",
          run.keys, run.low.dim, high.dim, run.seed,
          run.rng == "torch" ? Text{"、PyTorch", ", PyTorch"} : Text::none(),
          std::log(static_cast<double>(run.keys))),
      comparison(run),
      Values{text("{} 次元の注意度、スケーリングなし", "weights for d = {}, unscaled", high.dim),
             to_array(high.weights, {"keys"})},
      Values{text("{} 次元の注意度、スケーリングあり", "weights for d = {}, scaled", high.dim),
             to_array(high.scaled_weights, {"keys"})},
      to_say(run),
      Paragraph::misunderstanding(
          "d はキーの個数（{}）ではなく、クエリとキーのベクトルの次元（{}）です。また、割っても大小の順は"
          "変わりません。最大はどちらもキー {} です。",
          "d is not the number of keys ({}) but the dimension of the query and of each key ({}). And scaling "
          "changes no order: key {} is the largest both times.",
          run.keys, high.dim, largest_index(high.weights)),
  };
  if (run.low.dim == 1) {
    blocks.emplace_back(Paragraph::note("d = 1 では √d = 1 なので、割っても変わりません。",
                                        "With d = 1, √d = 1: dividing changes nothing."));
  }
  if (run.limits == ScatterLimits::shared) {
    blocks.emplace_back(Paragraph::note(
        "教科書の図 2.2.14 では左下だけ縦軸が違います。ここでは 4 枚とも同じです（--limits book で教科書"
        "どおり）。",
        "In the textbook's fig. 2.2.14 the lower left panel has a vertical axis of its own; here all four "
        "share one (--limits book draws the book's)."));
  }
  return blocks;
}

}  // namespace attnlab
