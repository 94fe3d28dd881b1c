// Rotary encoding in `positional`: the score against the relative position, for both pairings.
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/positional/positional.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

std::vector<double> values_of(const Tensor<double>& tensor) {
  return {tensor.begin(), tensor.end()};
}

/// A matrix without a colour bar: the numbers only say which dimensions belong together.
MatrixEquation pairs_matrix(const PositionalRun& run) {
  const Interval range = data_range(run.rotary_pairs);
  std::vector<ShortText> dimensions;
  for (std::size_t i = 0; i < run.rotary_pairs.shape().back(); ++i)
    dimensions.emplace_back(std::to_string(i));
  return {{MatrixTerm{"rotary_pairs",
                      to_matrix(run.rotary_pairs),
                      formula::row({}),
                      "",
                      {Palette::blues, range.low, range.high, Text::same("")},
                      0,
                      {"interleaved", "halves"},
                      dimensions}}};
}

}  // namespace

Figure positional_rotary_figure(const PositionalRun& run) {
  const Chart chart{linear_axis({"相対位置 m − n", "Relative position m − n"}),
                    linear_axis({"内積", "Dot product"}),
                    {Curve{"rotary_interleaved", values_of(run.rotary_distance),
                           values_of(run.rotary_interleaved), series_ink(0), Text::same("interleaved")},
                     Curve{"rotary_halves", values_of(run.rotary_distance), values_of(run.rotary_halves),
                           series_ink(1), Text::same("halves"), true}}};
  return {
      "rotary",
      {"回転位置エンコーディング：内積は相対位置 m − n だけで決まる",
       "Rotary encoding: the score depends only on the relative position"},
      {"1 枚目は、位置 m まで回したクエリと位置 n まで回したキーの内積を相対位置 m − n に対して描いた 2 本の"
       "曲線。組み方によって曲線は違うが、どちらも相対位置だけで決まる。2 枚目は 8 次元の例で、同じ番号の 2 "
       "つの"
       "次元が一緒に回る。interleaved は隣どうし、halves は前半と後半。",
       "First: the dot product of a query turned to position m and a key turned to position n, against the "
       "relative position m − n, for both pairings: two different curves, each a function of the relative "
       "position alone. Second: an example of width 8; two dimensions with the same number turn together: "
       "neighbours when interleaved, i and i + 4 in halves."},
      {fmt::format(
           "クエリとキーは乱数（種 {}）。8 次元の例で、interleaved は隣どうし、halves は前半と後半が組。",
           run.settings.seed),
       fmt::format(
           "Random query and key, seed {}. Width 8: interleaved pairs neighbours, halves i and i + 4.",
           run.settings.seed)},
      {{{"回したクエリとキーの内積", "Query · key after turning"}, chart},
       {{"一緒に回る次元（同じ番号が組）", "Which dimensions pair (equal numbers)"}, pairs_matrix(run)}},
      0,
      {},
      {14.0, 6.0}};
}

}  // namespace attnlab
