// The words of `positional`: what was measured, and the two lessons of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/positional/positional.hpp"
#include "experiments/report_body.hpp"
#include "results/check/difference_text.hpp"

namespace attnlab {
namespace {

/// PE_(p, column) = wave(p / base^(2i/d)), the article's eq. 9 and 10.
Formula wave_formula(const char* wave, const char* column) {
  using formula::sym;
  const Formula power = formula::sup(sym("base"), formula::row({sym("2i"), sym("/"), sym("d")}));
  const Formula place = formula::row({sym("p"), sym(", "), sym(column)});
  return formula::row(
      {formula::sub(sym("PE"), place), sym(" = "), formula::call(wave, formula::fraction(sym("p"), power))});
}

bool is_odd(const PositionalRun& run) {
  return run.settings.width != run.even_width;
}

/// "r₀·r₁"
std::string product_with_0(std::size_t k) {
  const Formula later = formula::sub(formula::sym("r"), formula::sym(std::to_string(k)));
  return to_terminal(formula::sub(formula::sym("r"), formula::sym("0"))) + "·" + to_terminal(later);
}

Array first_values(const PositionalRun& run) {
  const std::size_t count = std::min<std::size_t>(4, run.settings.width);
  const double* row = run.encoding.data() + run.settings.width;
  return {{count}, {"width"}, {row, row + count}, DType::float64};
}

void add_encoding(std::vector<Block>& blocks, const PositionalRun& run) {
  const auto& [positions, width, base, offset, seed] = run.settings;
  add_heading(blocks, "位置エンコーディング", "Positional encoding");
  blocks.emplace_back(Equation{wave_formula("sin", "2i")});
  blocks.emplace_back(Equation{wave_formula("cos", "2i+1")});
  add_text(blocks, fmt::format("形状 ({}, {})、底 {:g}。", positions, width, base),
           fmt::format("Shape ({}, {}), base {:g}.", positions, width, base));
  blocks.emplace_back(Values{{"位置 1 の先頭の成分", "position 1, first components"}, first_values(run)});
}

void add_norm_and_uniqueness(std::vector<Block>& blocks, const PositionalRun& run) {
  const double square = static_cast<double>(run.even_width) / 2.0;
  const ClosestPair& closest = run.closest;
  const Text where =
      is_odd(run) ? Text{"最後の列を除けば、どの位置でも", "Without the last column, at every position"}
                  : Text{"どの位置でも", "At every position"};
  add_heading(blocks, "ノルムと一意性", "Norm and uniqueness");
  add_text(blocks,
           fmt::format("{} ‖r‖² = {:g}（誤差 {:.1e}）、したがって ‖r‖ = {:.4f} です。", where.ja(), square,
                       run.squared_norm_error, std::sqrt(square)),
           fmt::format("{} ‖r‖² = {:g} (error {:.1e}), so ‖r‖ = {:.4f}.", where.en(), square,
                       run.squared_norm_error, std::sqrt(square)));
  add_text(blocks,
           fmt::format("最も近い 2 つの位置（位置の差は {}）でも、ベクトルの距離は {:.6g} です。",
                       closest.offset, closest.distance),
           fmt::format("Even the closest two positions, {} apart, have vectors {:.6g} apart.", closest.offset,
                       closest.distance));
}

void add_similarity(std::vector<Block>& blocks, const PositionalRun& run) {
  const std::size_t steps = run.settings.positions - 1;
  const double next = run.similarity(0, 1);
  const double last = run.similarity(0, steps);
  const double least = run.similarity(0, run.least_similar);
  add_heading(blocks, "類似度", "Similarity");
  blocks.emplace_back(Equation{similarity_formula()});
  if (steps == 1) {
    add_text(blocks, fmt::format("{} = {:.4f} です。", product_with_0(1), next),
             fmt::format("{} = {:.4f}.", product_with_0(1), next));
    return;
  }
  add_text(blocks,
           fmt::format("{} = {:.4f}、{} = {:.4f}。最小は k = {} の {:.3f} です。", product_with_0(1), next,
                       product_with_0(steps), last, run.least_similar, least),
           fmt::format("{} = {:.4f}, {} = {:.4f}; the smallest is {:.3f} at k = {}.", product_with_0(1), next,
                       product_with_0(steps), last, least, run.least_similar));
  if (run.rises.empty()) {
    add_text(blocks, fmt::format("k を 1 増やす {} 回すべてで下がります。", steps),
             fmt::format("It falls at each of the {} steps.", steps));
    return;
  }
  const std::size_t first = run.rises.front();
  add_text(
      blocks,
      fmt::format("単調には下がらず、k を 1 増やす {} 回のうち {} 回で上がります（最初は k = {} から {}）。",
                  steps, run.rises.size(), first, first + 1),
      fmt::format("The fall is not monotone: it rises at {} of {} steps, first from k = {} to {}.",
                  run.rises.size(), steps, first, first + 1));
}

/// How many queries find the key `offset` positions back; empty when no query has one.
Text queries_that_look_back(const PositionalRun& run) {
  const auto& [positions, width, base, offset, seed] = run.settings;
  if (offset >= positions) return Text::same("");
  const std::size_t queries = positions - offset;
  return {fmt::format("{} 個のクエリのうち {} 個で、ちょうど {} 個前のキーのスコアが最大です。", queries,
                      run.peaks, offset),
          fmt::format(" For {} of {} queries the key exactly {} back has the largest score.", run.peaks,
                      queries, offset)};
}

void add_rotation(std::vector<Block>& blocks, const PositionalRun& run) {
  const auto& [positions, width, base, offset, seed] = run.settings;
  const Text found = queries_that_look_back(run);
  add_heading(blocks, "ずらすことは回転", "A shift is a rotation");
  blocks.emplace_back(Equation{shift_formula()});
  add_text(
      blocks,
      fmt::format("M ({0}, {0}) は周波数ごとの 2 × 2 の回転を並べた行列で、{1} 個の位置をすべて {2} だけ"
                  "進めます（最大誤差 {3}）。",
                  run.even_width, positions, offset, difference_text(run.shift_error)),
      fmt::format("M ({0}, {0}), a row of 2 × 2 rotations, one per frequency, moves all {1} positions on "
                  "by {2} (largest error {3}).",
                  run.even_width, positions, offset, difference_text(run.shift_error)));
  blocks.emplace_back(Equation{relative_formula()});
  add_text(
      blocks,
      fmt::format("W_Q = I、W_K = M とすると、スコアは m − n だけで決まります（同じ m − n での差の最大 "
                  "{}）。{}",
                  difference_text(run.relative_deviation), found.ja()),
      fmt::format("With W_Q = I and W_K = M the score depends on m − n alone (largest difference for one "
                  "m − n: {}).{}",
                  difference_text(run.relative_deviation), found.en()));
}

/// Which dimensions turn together, one row per pairing: equal numbers are a pair.
Table pairs_table(const PositionalRun& run) {
  const std::size_t width = run.rotary_pairs.shape().back();
  Table table{{{fmt::format("{} 次元での組", width), fmt::format("pairs for width {}", width)}},
              {{"interleaved"}, {"halves"}}};
  for (std::size_t i = 0; i < width; ++i) {
    table.header.push_back(Text::same(std::to_string(i)));
    for (std::size_t row = 0; row < 2; ++row) {
      table.rows[row].push_back(fmt::format("{:.0f}", run.rotary_pairs(row, i)));
    }
  }
  return table;
}

void add_rotary(std::vector<Block>& blocks, const PositionalRun& run) {
  add_heading(blocks, "回転位置エンコーディング（RoPE）", "Rotary encoding");
  add_text(
      blocks,
      fmt::format("足す代わりに、クエリとキーを位置に応じて回します。内積は m − n だけで決まります（差の"
                  "最大 {}）。interleaved は隣どうし、halves は前半と後半の次元を組にします。学習済みの"
                  "重みは、学習時と同じ組み方でしか使えません。",
                  difference_text(run.rotary_deviation)),
      fmt::format("Instead of adding, turn the query and the key by their positions: the dot product depends "
                  "on m − n alone (largest difference {}). Interleaved pairs neighbours, halves pairs i "
                  "with i + d/2; trained weights work only with the pairing they were trained with.",
                  difference_text(run.rotary_deviation)));
  blocks.emplace_back(pairs_table(run));
}

Text clock_hands(const PositionalRun& run) {
  if (run.even_width == 2) {
    return {"各位置は、1 本の時計の針の向きです。", "Each position is the direction of one clock hand."};
  }
  if (run.settings.base == 1.0) {
    return {"各位置は、同じ速さの時計の針を並べたものです。", "Each position is a row of equal clock hands."};
  }
  return {"各位置は、速さの違う時計の針を並べたものです。",
          "Each position is a row of clock hands of different speeds."};
}

Paragraph to_say(const PositionalRun& run) {
  const Text hands = clock_hands(run);
  return {Role::say,
          {fmt::format("{0}{1} 進むと、どの位置からでも針は同じ角度だけ回ります。だから線形変換だけで"
                       "「{1} 個前」を探せます。",
                       hands.ja(), run.settings.offset),
           fmt::format("{0} Moving on by {1} turns every hand by the same angle wherever you start; so a "
                       "linear map is enough to look \"{1} back\".",
                       hands.en(), run.settings.offset)}};
}

Paragraph misunderstanding(const PositionalRun& run) {
  const double square = static_cast<double>(run.even_width) / 2.0;
  std::string ja = fmt::format(
      "スライドの ‖r‖ = D/2 は、ノルムではなくその 2 乗です。ここでは ‖r‖² = {:g}、‖r‖ = {:.4f} で、両者が"
      "一致するのは D = 2 のときだけです。",
      square, std::sqrt(square));
  std::string en = fmt::format(
      "The slides' ‖r‖ = D/2 is not the norm but its square: here ‖r‖² = {:g} and ‖r‖ = {:.4f}. The two "
      "agree only at D = 2.",
      square, std::sqrt(square));
  if (is_odd(run)) {
    ja += fmt::format("（D = {0} は奇数なので、最後の列を除いた {1} 列で D = {1} として比べています）",
                      run.settings.width, run.even_width);
    en += fmt::format(" (D = {0} is odd: compared without the last column, as D = {1}.)", run.settings.width,
                      run.even_width);
  }
  if (run.even_width == 2) {
    ja += "この例の D = 2 では一致します。";
    en += " In this example D = 2, so they agree.";
  }
  return {Role::misunderstanding, {std::move(ja), std::move(en)}};
}

void add_lessons(std::vector<Block>& blocks, const PositionalRun& run) {
  const Paragraph counting{
      Role::note,
      {"スライドは位置を n = 1 から、次元を i = 1 から数えます。スライドの r_1 はここでは位置 1、i "
       "番目の成分は"
       "列 i − 1 で、位置 0 はスライドには現れません。",
       "The slides count positions from n = 1 and components from i = 1: their r_1 is position 1 here, "
       "component i is column i − 1, and position 0 does not occur."}};
  blocks.insert(blocks.end(), {to_say(run), misunderstanding(run), counting});
  if (!is_odd(run)) return;
  blocks.emplace_back(Paragraph{
      Role::note,
      {fmt::format(
           "次元 {} は奇数なので、最後の列は余弦のない正弦です。ノルムと回転は残りの {} 列で調べました。",
           run.settings.width, run.even_width),
       fmt::format(
           "The width {} is odd: the last column is a sine without its cosine. Norm and rotation were "
           "measured on the other {} columns.",
           run.settings.width, run.even_width)}});
}

}  // namespace

std::vector<Block> positional_body(const PositionalRun& run) {
  std::vector<Block> blocks;
  add_encoding(blocks, run);
  add_norm_and_uniqueness(blocks, run);
  add_similarity(blocks, run);
  add_rotation(blocks, run);
  add_rotary(blocks, run);
  add_lessons(blocks, run);
  return blocks;
}

}  // namespace attnlab
