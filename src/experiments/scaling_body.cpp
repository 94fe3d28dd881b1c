// What `scaling` says: the four cases in a table, and the sentences for the lecture.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/scaling/scaling.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

Table comparison(const ScalingRun& run) {
  Table table{{{"次元", "d"},
               {"スケーリング", "scaling"},
               {"最大の注意度", "largest weight"},
               {"そのキー", "its key"},
               {"エントロピー（nat）", "entropy (nats)"}},
              {}};
  const auto add = [&](const ScalingCase& one, const std::string& scaling, const Tensor<double>& weights) {
    table.rows.push_back({std::to_string(one.dim), scaling, fmt::format("{:.4f}", largest(weights)),
                          std::to_string(largest_index(weights)), fmt::format("{:.4f}", entropy(weights)())});
  };
  for (const ScalingCase* one : {&run.low, &run.high}) {
    add(*one, "—", one->weights);  // cells read the same in both languages
    add(*one, "1/√d", one->scaled_weights);
  }
  return table;
}

Paragraph what_was_drawn(const ScalingRun& run) {
  const double even = std::log(static_cast<double>(run.keys));
  return {Role::text,
          {fmt::format(
               "クエリ 1 個とキー {} 個を、{} 次元と {} 次元でそれぞれ標準正規分布から生成しました"
               "（乱数の種 {}{}）。すべてのキーの注意度が等しければ、エントロピーは ln {} = {:.4f} です。",
               run.keys, run.low.dim, run.high.dim, run.seed, run.torch ? "、PyTorch" : "", run.keys, even),
           fmt::format(
               "One query and {} keys, drawn from the standard normal distribution in {} and in {} "
               "dimensions (seed {}{}). If all keys had equal weight, the entropy would be ln {} = {:.4f}.",
               run.keys, run.low.dim, run.high.dim, run.seed, run.torch ? ", PyTorch" : "", run.keys, even)}};
}

/// "20 個中 15 個のキーは 1% 未満です"; empty when no key is faint.
Text how_many_are_faint(const ScalingRun& run) {
  const std::size_t faint = faint_keys(run.high.weights);
  if (faint == 0) return Text::same("");
  const double limit = faint_percent(run.keys);
  return {fmt::format("、{} 個中 {} 個のキーは {:.2g}% 未満です", run.keys, faint, limit),
          fmt::format(", and {} of {} keys get less than {:.2g}%", faint, run.keys, limit)};
}

/// " 80% " between Japanese characters; words such as "ほぼ 100%" need a space behind them only.
std::string spaced(const std::string& percentage) {
  const bool is_number = percentage.find_first_not_of("0123456789%") == std::string::npos;
  return (is_number ? " " : "") + percentage + " ";
}

Paragraph to_say(const ScalingRun& run) {
  const ScalingCase& high = run.high;
  const double root = std::sqrt(static_cast<double>(high.dim));
  const Text unscaled = percent(largest(high.weights));
  const Text scaled = percent(largest(high.scaled_weights));
  const Text faint = how_many_are_faint(run);
  return {
      Role::say,
      {fmt::format("{} 次元では、スケーリングがないと 1 個のキーが注意度の{}を取り{}。スコアを √{} = {:.4g} "
                   "で割ると最大でも{}で、差が見えます。",
                   high.dim, spaced(unscaled.ja()), faint.ja().empty() ? "ます" : faint.ja(), high.dim, root,
                   spaced(scaled.ja())),
       fmt::format("In {} dimensions, unscaled, a single key takes {} of the attention{}. Divide the "
                   "scores by √{} = {:.4g}, and the largest share is {}: now the differences show.",
                   high.dim, unscaled.en(), faint.en(), high.dim, root, scaled.en())}};
}

Paragraph misunderstanding(const ScalingRun& run) {
  return {Role::misunderstanding,
          {fmt::format("d はキーの個数（{}）ではなく、クエリとキーのベクトルの次元（{}）です。また、割っても"
                       "大小の順は変わりません。最大はどちらもキー {} です。",
                       run.keys, run.high.dim, largest_index(run.high.weights)),
           fmt::format(
               "d is not the number of keys ({}) but the dimension of the query and of each key ({}). And "
               "scaling changes no order: key {} is the largest both times.",
               run.keys, run.high.dim, largest_index(run.high.weights))}};
}

}  // namespace

std::vector<Block> scaling_body(const ScalingRun& run, ScatterLimits limits) {
  std::vector<Block> blocks{
      Paragraph{Role::heading, {"なぜ √d で割るのか", "Why scores are divided by √d"}},
      Equation{formula::call("softmax", scaled_formula())},
      what_was_drawn(run),
      comparison(run),
      Values{{fmt::format("{} 次元の注意度、スケーリングなし", run.high.dim),
              fmt::format("weights for d = {}, unscaled", run.high.dim)},
             to_array(run.high.weights, {"keys"})},
      Values{{fmt::format("{} 次元の注意度、スケーリングあり", run.high.dim),
              fmt::format("weights for d = {}, scaled", run.high.dim)},
             to_array(run.high.scaled_weights, {"keys"})},
      to_say(run),
      misunderstanding(run),
  };
  if (run.low.dim == 1) {
    blocks.emplace_back(Paragraph{Role::note,
                                  {"d = 1 では √d = 1 なので、割っても変わりません。",
                                   "With d = 1, √d = 1: dividing changes nothing."}});
  }
  if (limits == ScatterLimits::shared) {
    blocks.emplace_back(Paragraph{Role::note,
                                  {"教科書の図 2.2.14 では左下だけ縦軸が違います。ここでは 4 "
                                   "枚とも同じです（--limits book で教科書どおり）。",
                                   "In the textbook's fig. 2.2.14 the lower left panel has a vertical "
                                   "axis of its own; here all four share "
                                   "one (--limits book draws the book's)."}});
  }
  return blocks;
}

}  // namespace attnlab
