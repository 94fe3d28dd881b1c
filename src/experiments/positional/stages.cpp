// The trace of `positional`: every array with its formula, and its first rows with numbers; and what must
// hold: half the width, unique, one rotation, relative scores, and the slides' own formula.
#include "experiments/positional/positional.hpp"

namespace attnlab {
namespace {

using namespace worked;
using formula::row;
using formula::sym;

std::vector<Chain> encoding_lines(const PositionalRun& run) {
  return lines(run.settings.positions, [&](std::size_t p) {
    return sinusoids(p, &run.encoding(p, 0), run.settings.width, run.settings.base);
  });
}

/// The sum over r of one turned query times one turned key, for every relative position.
std::string rotary_code(const PositionalRun& run, const char* interleaved) {
  const std::string base = python_repr(run.settings.base);
  return fmt::format(
      "np.sum(turned_to(relu(rotary_distance), rotary_query, {0}, {1}) * turned_to(relu(-rotary_distance), rotary_key, {0}, {1}), axis=-1)",
      base, interleaved);
}

/// r₃ · r₃ ≈ 0.1411 · 0.1411 + ⋯ ≈ 32
std::vector<Chain> norm_lines(const PositionalRun& run) {
  return lines(run.settings.positions, [&](std::size_t p) {
    const double* vector = &run.encoding(p, 0);
    return equation(row({indexed("r", p), sym("·"), indexed("r", p)}),
                    {written_products(vector, vector, run.even_width), run.squared_norm(p)});
  });
}

/// (M[0, 0], M[0, 1]) ≈ (cos(5 / 1), −sin(5 / 1)) ≈ (0.2837, 0.9589); the rest of the row is 0.
std::vector<Chain> shift_lines(const PositionalRun& run) {
  const auto width = static_cast<double>(run.settings.width);
  const Formula offset = sym(std::to_string(run.settings.offset));
  return lines(run.even_width, [&](std::size_t i) {
    const std::size_t pair = i - i % 2;
    const double divisor = std::pow(run.settings.base, static_cast<double>(pair) / width);
    const Written angle = quotient(offset, divisor);
    const Written cosine = call("cos", angle);
    const Written sine = call("sin", angle);
    const Written first = i % 2 == 0 ? cosine : sine;
    const Written second = i % 2 == 0 ? together({"−", sine}) : cosine;
    return equation(row({sym("("), entry("M", {i, pair}), sym(","), entry("M", {i, pair + 1}), sym(")")}),
                    {together({"(", first, ",", second, ")"}), numbers(&run.shift(i, pair), 2)});
  });
}

/// The identity's and the shift's rows as projections.
std::vector<Chain> projection_lines(const Tensor<double>& matrix, const std::string& name) {
  return lines(matrix.shape()[0], [&](std::size_t i) {
    return equation(row({formula::read(name), sym("["), sym(std::to_string(i)), sym("]")}),
                    {numbers(&matrix(i, 0), matrix.shape()[1])});
  });
}

/// R(0)q · R(49)k ≈ 1.7641 · (−0.2) + ⋯ ≈ −3.1: one line per relative position.
std::vector<Chain> rotary_lines(const PositionalRun& run, const RotaryRun& rotary) {
  const std::size_t zero = run.settings.positions - 1;  // the index of relative position 0
  const auto turned_to = [](std::size_t position, const char* letter) {
    return row({formula::call("R", sym(std::to_string(position))), sym(letter)});
  };
  return lines(rotary.by_distance.size(), [&](std::size_t i) {
    const std::size_t m = i > zero ? i - zero : 0;
    const std::size_t n = i < zero ? zero - i : 0;
    return equation(
        row({turned_to(m, "q"), sym("·"), turned_to(n, "k")}),
        {written_products(&rotary.queries(m, 0), &rotary.keys(n, 0), run.even_width), rotary.by_distance(i)});
  });
}

// --- What must hold of every encoding

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

std::vector<Stage> stages(const PositionalRun& run) {
  const auto& [positions, width, base, offset, seed] = run.settings;
  const std::size_t even = run.even_width;
  const std::string rotated = "R(m) q · R(n) k";
  const std::vector<std::string> rotary_operands{"rotary_query", "rotary_key", "rotary_distance"};
  const std::vector<std::string> projection_axes{"width_in", "width_out"};
  return {
      // two columns for every i
      step("encoding", "sin(\\frac{n}{base^{2i / d}}), cos(\\frac{n}{base^{2i / d}})", run.encoding,
           {"positions", "width"},
           derived::worked({}, encoding_lines(run),
                           fmt::format("sinusoidal_encoding(np.arange({}.0), {}, {})", positions, width,
                                       python_repr(base)))),
      step("squared_norm", "r_n · r_n", run.squared_norm, {"positions"},
           derived::worked({"encoding"}, norm_lines(run),
                           fmt::format("np.sum(encoding[:, :{}]**2, axis=-1)", even))),
      step("similarity", "r_m · r_n", run.similarity, {"positions", "positions"},
           derived::product_with_transpose("encoding", "encoding")),
      step("shift_matrix", "r_n M = r_{n + k}", run.shift, projection_axes,
           derived::worked({}, shift_lines(run),
                           fmt::format("shift_by({}, {}, {}, {})", offset, even, width, python_repr(base)))),
      step("w_query", row({formula::read("W_Q"), sym(" = I")}), run.w_query, projection_axes,
           derived::worked({}, projection_lines(run.w_query, "W_Q"),
                           fmt::format("np.eye({}, {})", width, even))),
      step("w_key", row({formula::read("W_K"), sym(" = M")}), run.w_key, projection_axes,
           derived::worked({"shift_matrix"}, projection_lines(run.w_key, "W_K"),
                           run.is_odd()
                               ? fmt::format("np.concatenate((shift_matrix, np.zeros((1, {}))))", even)
                               : "shift_matrix")),
      step("relative_query", "r W_Q", run.relative_query, {"queries", "width"},
           derived::product("encoding", "w_query")),
      step("relative_key", "r W_K", run.relative_key, {"keys", "width"},
           derived::product("encoding", "w_key")),
      step("relative_scores", "r_m W_Q · r_n W_K", run.relative_scores, {"queries", "keys"},
           derived::product_with_transpose("relative_query", "relative_key")),
      input("rotary_query", run.rotary_query, {"width"}),
      input("rotary_key", run.rotary_key, {"width"}),
      step("rotary_distance", Formula{}, run.rotary_distance, {"distances"},
           derived::given(fmt::format("np.arange(-{}.0, {}.0)", positions - 1, positions))),
      step("rotary_interleaved", rotated, run.interleaved.by_distance, {"distances"},
           derived::worked(rotary_operands, rotary_lines(run, run.interleaved), rotary_code(run, "True"))),
      step("rotary_halves", rotated, run.halves.by_distance, {"distances"},
           derived::worked(rotary_operands, rotary_lines(run, run.halves), rotary_code(run, "False"))),
      step("rotary_pairs", Formula{}, run.rotary_pairs, {"pairings", "dimensions"},
           derived::given("np.stack((np.arange(8) // 2, np.arange(8) % 4))")),
  };
}

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
