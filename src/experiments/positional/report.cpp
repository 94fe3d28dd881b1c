// The words of `positional`: what was measured, the two lessons of it, and what must hold.
#include "experiments/positional/positional.hpp"

namespace attnlab {
namespace {

/// PE_(p, column) = wave(p / base^(2i/d)), the article's eq. 9 and 10.
Formula wave_formula(const char* column, const std::string& wave) {
  using formula::sym;
  return formula::row({formula::sub(sym("PE"), formula::row({sym("p"), sym(","), sym(column)})),
                       formula::read("= " + wave + "(\\frac{p}{base^{2i / d}})")});
}

/// "r₀·r₁"
std::string product_with_0(std::size_t k) {
  return to_terminal(formula::read("r_0")) + "·" + to_terminal(formula::read(fmt::format("r_{}", k)));
}

void add_encoding(std::vector<Block>& blocks, const PositionalRun& run) {
  const auto& [positions, width, base, offset] = run.settings;
  const std::size_t count = std::min<std::size_t>(4, width);
  const double* second = run.encoding.data() + width;
  blocks.emplace_back(Paragraph::heading("位置エンコーディング", "Positional encoding"));
  blocks.emplace_back(Equation{wave_formula("2i", "sin")});
  blocks.emplace_back(Equation{wave_formula("2i+1", "cos")});
  blocks.emplace_back(
      Paragraph::plain("形状 ({}, {})、底 {:g}。", "Shape ({}, {}), base {:g}.", positions, width, base));
  blocks.emplace_back(Values{{"位置 1 の先頭の成分", "position 1, first components"},
                             {{count}, {"width"}, {second, second + count}}});
}

void add_norm_and_uniqueness(std::vector<Block>& blocks, const PositionalRun& run) {
  const Text where =
      run.is_odd() ? Text{"最後の列を除けば、どの位置でも", "Without the last column, at every position"}
                   : Text{"どの位置でも", "At every position"};
  blocks.emplace_back(Paragraph::heading("ノルムと一意性", "Norm and uniqueness"));
  blocks.emplace_back(Paragraph::plain("{} ‖r‖² = {:g}（誤差 {:.1e}）、したがって ‖r‖ = {:.4f} です。",
                                       "{} ‖r‖² = {:g} (error {:.1e}), so ‖r‖ = {:.4f}.", where,
                                       run.half_width(), run.squared_norm_error,
                                       std::sqrt(run.half_width())));
  blocks.emplace_back(
      Paragraph::plain("最も近い 2 つの位置（位置の差は {}）でも、ベクトルの距離は {:.6g} です。",
                       "Even the closest two positions, {} apart, have vectors {:.6g} apart.",
                       run.closest.offset, run.closest.distance));
}

void add_similarity(std::vector<Block>& blocks, const PositionalRun& run) {
  const std::size_t steps = run.settings.positions - 1;
  const double next = run.similarity(0, 1);
  blocks.emplace_back(Paragraph::heading("類似度", "Similarity"));
  blocks.emplace_back(Equation{formula::read("r_m · r_n")});
  if (steps == 1) {
    blocks.emplace_back(Paragraph::plain("{} = {:.4f} です。", "{} = {:.4f}.", product_with_0(1), next));
    return;
  }
  blocks.emplace_back(Paragraph::plain("{} = {:.4f}、{} = {:.4f}。最小は k = {} の {:.3f} です。",
                                       "{0} = {1:.4f}, {2} = {3:.4f}; the smallest is {5:.3f} at k = {4}.",
                                       product_with_0(1), next, product_with_0(steps),
                                       run.similarity(0, steps), run.least_similar,
                                       run.similarity(0, run.least_similar)));
  if (run.rises.empty()) {
    blocks.emplace_back(Paragraph::plain("k を 1 増やす {} 回すべてで下がります。",
                                         "It falls at each of the {} steps.", steps));
    return;
  }
  const std::size_t first = run.rises.front();
  blocks.emplace_back(Paragraph::plain(
      "単調には下がらず、k を 1 増やす {0} 回のうち {1} 回で上がります（最初は k = {2} から {3}）。",
      "The fall is not monotone: it rises at {1} of {0} steps, first from k = {2} to {3}.", steps,
      run.rises.size(), first, first + 1));
}

/// How many queries find the key `offset` positions back; empty when no query has one.
Text queries_that_look_back(const PositionalRun& run) {
  const auto& [positions, width, base, offset] = run.settings;
  if (offset >= positions) return Text::none();
  return text("クエリ {0} 個のうち {1} 個で、ちょうど {2} 個前のキーのスコアが最大です。",
              " For {1} of {0} queries the key exactly {2} back has the largest score.", positions - offset,
              run.peaks, offset);
}

void add_rotation(std::vector<Block>& blocks, const PositionalRun& run) {
  const auto& [positions, width, base, offset] = run.settings;
  blocks.emplace_back(Paragraph::heading("ずらすことは回転", "A shift is a rotation"));
  blocks.emplace_back(Equation{formula::read("r_n M = r_{n + k}")});
  blocks.emplace_back(Paragraph::plain(
      "M ({0}, {0}) は周波数ごとの 2 × 2 の回転を並べた行列で、{1} 個の位置をすべて {2} だけ進めます（最大誤差 {3}）。",
      "M ({0}, {0}), a row of 2 × 2 rotations, one per frequency, moves all {1} positions on by {2} (largest error {3}).",
      run.even_width, positions, offset, difference_text(run.shift_error)));
  blocks.emplace_back(Equation{formula::read("r_m W_Q · r_n W_K")});
  blocks.emplace_back(Paragraph::plain(
      "W_Q = I、W_K = M とすると、スコアは m − n だけで決まります（同じ m − n での差の最大 {}）。{}",
      "With W_Q = I and W_K = M the score depends on m − n alone (largest difference for one m − n: {}).{}",
      difference_text(run.relative_deviation), queries_that_look_back(run)));
}

/// Which dimensions turn together, one row per pairing: equal numbers are a pair.
Table pairs_table(const PositionalRun& run) {
  const std::size_t width = run.rotary_pairs.shape().back();
  Table table{{text("{} 次元での組", "pairs for width {}", width)}, {{"interleaved"}, {"halves"}}};
  for (std::size_t i = 0; i < width; ++i) {
    table.header.push_back(Text::same(std::to_string(i)));
    for (std::size_t row = 0; row < 2; ++row) {
      table.rows[row].push_back(fmt::format("{:.0f}", run.rotary_pairs(row, i)));
    }
  }
  return table;
}

void add_rotary(std::vector<Block>& blocks, const PositionalRun& run) {
  blocks.emplace_back(Paragraph::heading("回転位置エンコーディング（RoPE）", "Rotary encoding"));
  blocks.emplace_back(Paragraph::plain(
      "足す代わりに、クエリとキーを位置に応じて回します。内積は m − n だけで決まります（差の最大 {}）。interleaved は隣どうし、halves は前半と後半の次元を組にします。学習済みの重みは、学習時と同じ組み方でしか使えません。",
      "Instead of adding, turn the query and the key by their positions: the dot product depends on m − n alone (largest difference {}). Interleaved pairs neighbours, halves pairs i with i + d/2; trained weights work only with the pairing they were trained with.",
      difference_text(run.rotary_deviation())));
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

Paragraph note_on_norm(const PositionalRun& run) {
  const Text odd =
      run.is_odd() ? text("（D = {0} は奇数なので、最後の列を除いた {1} 列で D = {1} として比べています）",
                          " (D = {0} is odd: compared without the last column, as D = {1}.)",
                          run.settings.width, run.even_width)
                   : Text::none();
  const Text agree = run.even_width == 2
                         ? Text{"この例の D = 2 では一致します。", " In this example D = 2, so they agree."}
                         : Text::none();
  return Paragraph::note(
      "スライドの ‖r‖ = D/2 は、ノルムではなくその 2 乗です。ここでは ‖r‖² = {:g}、‖r‖ = {:.4f} で、両者が一致するのは D = 2 のときだけです。{}{}",
      "The slides' ‖r‖ = D/2 is not the norm but its square: here ‖r‖² = {:g} and ‖r‖ = {:.4f}. The two agree only at D = 2.{}{}",
      run.half_width(), std::sqrt(run.half_width()), odd, agree);
}

void add_lessons(std::vector<Block>& blocks, const PositionalRun& run) {
  blocks.emplace_back(Paragraph::say(
      "{0}{1} 進むと、どの位置からでも針は同じ角度だけ回ります。だから線形変換だけで「{1} 個前」を参照できます。",
      "{0} Moving on by {1} turns every hand by the same angle from any position, so a linear map is enough to attend to \"{1} back\".",
      clock_hands(run), run.settings.offset));
  blocks.emplace_back(Paragraph::misunderstanding(
      "位置は、単語のベクトルの後ろに別の成分として付くのではありません。同じ {} 個の成分に足されます。区別できるのは、位置ごとにベクトルが違うからです。",
      "Positions are not appended to a token's vector as further components: the encoding is added to the same {} components. They can be told apart because every position has a vector of its own.",
      run.settings.width));
  blocks.emplace_back(note_on_norm(run));
  blocks.emplace_back(Paragraph::note(
      "スライドは位置を n = 1 から、次元を i = 1 から数えます。スライドの r_1 はここでは位置 1、i 番目の成分は列 i − 1 で、位置 0 はスライドには現れません。",
      "The slides count positions from n = 1 and components from i = 1: their r_1 is position 1 here, component i is column i − 1, and position 0 does not occur."));
  if (!run.is_odd()) return;
  blocks.emplace_back(Paragraph::note(
      "次元 {} は奇数なので、最後の列は余弦のない正弦です。ノルムと回転は残りの {} 列で調べました。",
      "The width {} is odd: the last column is a sine without its cosine. Norm and rotation were measured on the other {} columns.",
      run.settings.width, run.even_width));
}

double length_of(const Tensor<double>& vector) {
  return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

/// The slides' r_ni, counting positions n and components i from 1: sin(n / L^((i-1)/D)) for odd i,
/// cos(n / L^((i-2)/D)) for even i.
double slides_component(double n, std::size_t i, double width, double base) {
  const bool odd = i % 2 == 1;
  const auto shift = static_cast<double>(i - (odd ? 1 : 2));
  const double angle = n / std::pow(base, shift / width);
  return odd ? std::sin(angle) : std::cos(angle);
}

/// max |r_ni of the slides - encoding[n, i - 1]| over the positions from n = 1 on.
double distance_from_slides(const PositionalRun& run) {
  const auto width = static_cast<double>(run.settings.width);
  Tensor<double> slides = run.encoding;  // position 0, which the slides do not have, does not count
  for (std::size_t n = 1; n < run.settings.positions; ++n) {
    for (std::size_t i = 1; i <= run.settings.width; ++i) {
      slides(n, i - 1) = slides_component(static_cast<double>(n), i, width, run.settings.base);
    }
  }
  return largest_difference(slides, run.encoding);
}

}  // namespace

std::vector<Scalar> scalars(const PositionalRun& run) {
  std::vector<Scalar> result{
      {"squared_norm", run.half_width()},
      {"squared_norm_error", run.squared_norm_error},
      {"closest_distance", run.closest.distance},
      {"closest_offset", static_cast<double>(run.closest.offset)},
      {"similarity_rises", static_cast<double>(run.rises.size())},
      {"similarity_minimum", run.similarity(0, run.least_similar)},
      {"similarity_minimum_at", static_cast<double>(run.least_similar)},
      {"shift_error", run.shift_error},
      {"relative_deviation", run.relative_deviation},
      {"relative_peaks", static_cast<double>(run.peaks)},
      {"rotary_deviation", run.rotary_deviation()},
  };
  if (!run.rises.empty()) result.push_back({"first_rise", static_cast<double>(run.rises.front())});
  return result;
}

std::vector<Invariant> invariants(const PositionalRun& run) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const auto width = static_cast<double>(run.even_width);
  // A sum of `width` terms up to 1: each addition rounds once, each sine and cosine a few times.
  const double sum = eps * (width + 8.0) * width / 2.0;
  // An angle of up to positions + offset radians is itself rounded, by as much as the sine then moves.
  const double angle = eps * (static_cast<double>(run.settings.positions + run.settings.offset) + 8.0);
  const double products = angle * width + sum;
  const double lengths = length_of(run.rotary_query) * length_of(run.rotary_key);
  constexpr double gap = 1e-12;  // nearer than this two positions could not be told from rounding
  return {
      invariant("squared_norm_is_half_width", run.squared_norm_error, sum,
                "‖r‖² は次元の半分（奇数なら最後の列を除く）",
                "the squared norm is half the width, without the last column of an odd one"),
      invariant("positions_unique", std::max(0.0, gap - run.closest.distance), 0.0,
                "同じベクトルになる位置はない", "no two positions have the same vector"),
      invariant("shift_is_one_rotation", run.shift_error, 4.0 * angle,
                "同じ行列が、すべての位置を k だけ進める", "one matrix moves every position on by k"),
      invariant("relative_scores_by_distance", run.relative_deviation, 4.0 * products,
                "W_Q = I、W_K = M のスコアは m − n だけで決まる",
                "with W_Q = I and W_K = M the score depends on m − n alone"),
      invariant("rotary_scores_by_distance", run.rotary_deviation(), 4.0 * (angle + eps * width) * lengths,
                "回したクエリとキーの内積は m − n だけで決まる",
                "the dot product of turned query and key depends on m − n alone"),
      invariant("slides_count_from_one", distance_from_slides(run), 4.0 * angle,
                "スライドの r_n の i 番目の成分は、位置 n の列 i − 1",
                "component i of the slides' r_n is column i − 1 of position n"),
  };
}

std::vector<Block> body(const PositionalRun& run, const std::vector<Stage>& /*stages*/) {
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
