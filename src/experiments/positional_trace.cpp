// The trace of `positional`: every array with its formula, and its first rows with numbers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "attention/positional.hpp"
#include "core/formula.hpp"
#include "experiments/positional/positional.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sub;
using formula::sym;
using worked::most_lines;

Formula numbered(const char* letter, std::size_t index) {
  return sub(sym(letter), sym(std::to_string(index)));
}

/// r_n = sin(n / base^(2i/d)), cos(n / base^(2i/d)): two columns for every i.
Formula sine_and_cosine() {
  const Formula power = formula::sup(sym("base"), row({sym("2i"), sym("/"), sym("d")}));
  const Formula angle = formula::fraction(sym("n"), power);
  return row({formula::call("sin", angle), sym(", "), formula::call("cos", angle)});
}

// --- Lines with this run's numbers ------------------------------------------------------------------------

std::vector<Chain> encoding_lines(const PositionalRun& run) {
  const auto& [positions, width, base, offset, seed] = run.settings;
  std::vector<Chain> lines;
  for (std::size_t p = 0; p < std::min(positions, most_lines); ++p) {
    lines.push_back(worked::sinusoids(p, &run.encoding(p, 0), width, base));
  }
  return lines;
}

/// r₃ · r₃ ≈ 0.1411 · 0.1411 + ⋯ ≈ 32
std::vector<Chain> norm_lines(const PositionalRun& run) {
  std::vector<Chain> lines;
  for (std::size_t p = 0; p < std::min(run.settings.positions, most_lines); ++p) {
    const double* vector = run.encoding.data() + p * run.settings.width;
    lines.push_back(worked::equation(
        row({numbered("r", p), sym("·"), numbered("r", p)}),
        {written_products(vector, vector, run.even_width), worked::number(run.squared_norm(p))}));
  }
  return lines;
}

/// (M[0, 0], M[0, 1]) ≈ (cos(5 / 1), −sin(5 / 1)) ≈ (0.2837, 0.9589); the rest of the row is 0.
std::vector<Chain> shift_lines(const PositionalRun& run) {
  const auto& [positions, width, base, offset, seed] = run.settings;
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(run.even_width, most_lines); ++i) {
    const std::size_t pair = i - i % 2;
    const Written divisor =
        worked::number(std::pow(base, static_cast<double>(pair) / static_cast<double>(width)));
    const Formula angle = formula::fraction(sym(std::to_string(offset)), divisor.formula);
    const Formula cosine = formula::call("cos", angle);
    const Formula sine = formula::call("sin", angle);
    const Formula first = i % 2 == 0 ? cosine : sine;
    const Formula second = i % 2 == 0 ? row({sym("−"), sine}) : cosine;
    lines.push_back(worked::equation(
        row({sym("("), worked::entry("M", {i, pair}), sym(","), worked::entry("M", {i, pair + 1}), sym(")")}),
        {{row({sym("("), first, sym(","), second, sym(")")}), divisor.exact},
         worked::numbers(&run.shift(i, pair), 2)}));
  }
  return lines;
}

/// The identity's and the shift's rows as projections.
std::vector<Chain> projection_lines(const Tensor<double>& matrix, const char* letter) {
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(matrix.shape()[0], most_lines); ++i) {
    const Formula left = row({sub(sym("W"), sym(letter)), sym("["), sym(std::to_string(i)), sym("]")});
    lines.push_back(worked::equation(left, {worked::numbers(&matrix(i, 0), matrix.shape()[1])}));
  }
  return lines;
}

/// The vector turned to every position, (positions, width).
Tensor<double> turned_everywhere(const Tensor<double>& vector, const PositionalRun& run,
                                 RotaryPairing pairing) {
  const std::size_t positions = run.settings.positions;
  Tensor<double> rows = Tensor<double>::from_shape({positions, vector.size()});
  for (std::size_t p = 0; p < positions; ++p) {
    std::copy(vector.begin(), vector.end(), rows.data() + p * vector.size());
  }
  return rotary_encoding(rows, run.settings.base, pairing);
}

/// R(0)q · R(49)k ≈ 1.7641 · (−0.2) + ⋯ ≈ −3.1: one line per relative position.
std::vector<Chain> rotary_lines(const PositionalRun& run, const Tensor<double>& scores,
                                RotaryPairing pairing) {
  const std::size_t zero = run.settings.positions - 1;  // the index of relative position 0
  const Tensor<double> queries = turned_everywhere(run.rotary_query, run, pairing);
  const Tensor<double> keys = turned_everywhere(run.rotary_key, run, pairing);
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(scores.size(), most_lines); ++i) {
    const std::size_t m = i > zero ? i - zero : 0;
    const std::size_t n = i < zero ? zero - i : 0;
    const auto turned = [](std::size_t position, const char* letter) {
      return row({formula::call("R", sym(std::to_string(position))), sym(letter)});
    };
    const Formula left = row({turned(m, "q"), sym("·"), turned(n, "k")});
    const double* query = queries.data() + m * run.even_width;
    const double* key = keys.data() + n * run.even_width;
    lines.push_back(
        worked::equation(left, {written_products(query, key, run.even_width), worked::number(scores(i))}));
  }
  return lines;
}

}  // namespace

std::vector<Stage> positional_trace(const PositionalRun& run) {
  const Formula squared_norm = row({sub(sym("r"), sym("n")), sym(" · "), sub(sym("r"), sym("n"))});
  const Formula rotated =
      row({formula::call("R", sym("m")), sym("q"), sym(" · "), formula::call("R", sym("n")), sym("k")});
  const auto projected = [](const char* letter) { return row({sym("r"), sub(sym("W"), sym(letter))}); };
  const std::vector<std::string> rotary_operands{"rotary_query", "rotary_key", "rotary_distance"};
  const std::vector<std::string> projection_axes{"width_in", "width_out"};
  return {
      {"encoding", sine_and_cosine(), to_array(run.encoding, {"positions", "width"}),
       derived::worked({}, encoding_lines(run))},
      {"squared_norm", squared_norm, to_array(run.squared_norm, {"positions"}),
       derived::worked({"encoding"}, norm_lines(run))},
      {"similarity", similarity_formula(), to_array(run.similarity, {"positions", "positions"}),
       derived::product_with_transpose("encoding", "encoding")},
      {"shift_matrix", shift_formula(), to_array(run.shift, projection_axes),
       derived::worked({}, shift_lines(run))},
      {"w_query", row({sub(sym("W"), sym("Q")), sym(" = I")}), to_array(run.w_query, projection_axes),
       derived::worked({}, projection_lines(run.w_query, "Q"))},
      {"w_key", row({sub(sym("W"), sym("K")), sym(" = M")}), to_array(run.w_key, projection_axes),
       derived::worked({"shift_matrix"}, projection_lines(run.w_key, "K"))},
      {"relative_query", projected("Q"), to_array(run.relative_query, {"queries", "width"}),
       derived::product("encoding", "w_query")},
      {"relative_key", projected("K"), to_array(run.relative_key, {"keys", "width"}),
       derived::product("encoding", "w_key")},
      {"relative_scores", relative_formula(), to_array(run.relative_scores, {"queries", "keys"}),
       derived::product_with_transpose("relative_query", "relative_key")},
      {"rotary_query", row({}), to_array(run.rotary_query, {"width"})},
      {"rotary_key", row({}), to_array(run.rotary_key, {"width"})},
      {"rotary_distance", row({}), to_array(run.rotary_distance, {"distances"})},
      {"rotary_interleaved", rotated, to_array(run.rotary_interleaved, {"distances"}),
       derived::worked(rotary_operands,
                       rotary_lines(run, run.rotary_interleaved, RotaryPairing::interleaved))},
      {"rotary_halves", rotated, to_array(run.rotary_halves, {"distances"}),
       derived::worked(rotary_operands, rotary_lines(run, run.rotary_halves, RotaryPairing::halves))},
      {"rotary_pairs", row({}), to_array(run.rotary_pairs, {"pairings", "dimensions"})},
  };
}

std::vector<Scalar> positional_scalars(const PositionalRun& run) {
  std::vector<Scalar> result{
      {"squared_norm", static_cast<double>(run.even_width) / 2.0},
      {"squared_norm_error", run.squared_norm_error},
      {"closest_distance", run.closest.distance},
      {"closest_offset", static_cast<double>(run.closest.offset)},
      {"similarity_rises", static_cast<double>(run.rises.size())},
      {"similarity_minimum", run.similarity(0, run.least_similar)},
      {"similarity_minimum_at", static_cast<double>(run.least_similar)},
      {"shift_error", run.shift_error},
      {"relative_deviation", run.relative_deviation},
      {"relative_peaks", static_cast<double>(run.peaks)},
      {"rotary_deviation", run.rotary_deviation},
  };
  if (!run.rises.empty()) result.push_back({"first_rise", static_cast<double>(run.rises.front())});
  return result;
}

}  // namespace attnlab
