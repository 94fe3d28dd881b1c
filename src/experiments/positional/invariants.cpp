// What `positional` measures, and what must hold: half the width, unique, one rotation, relative scores, and
// the slides' own formula.
#include "experiments/positional/positional.hpp"

namespace attnlab {
namespace {

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
  constexpr double apart = 1e-12;  // nearer than this two positions could not be told from rounding
  return {
      invariant("squared_norm_is_half_width", run.squared_norm_error, sum,
                "‖r‖² は次元の半分（奇数なら最後の列を除く）",
                "the squared norm is half the width, without the last column of an odd one"),
      invariant("positions_unique", std::max(0.0, apart - run.closest.distance), 0.0,
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

}  // namespace attnlab
