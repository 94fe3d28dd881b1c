// Positional encoding: sines and cosines that tell positions apart, and turn by the same angle for every
// step.
#include "experiments/positional/positional.hpp"

#include <xtensor/xbuilder.hpp>

#include "attention/positional.hpp"

namespace attnlab {
namespace {

// The uniqueness of positions compares every pair: positions² · width steps, a fifth of a second at most.
constexpr std::size_t most_numbers = 200'000;

PositionalSettings settings_of(const Arguments& arguments) {
  const PositionalSettings settings{arguments.count("positions"), arguments.count("width"),
                                    arguments.number("base"), arguments.count("offset")};
  const auto& [positions, width, base, offset] = settings;
  if (positions * width <= most_numbers) return settings;
  refuse_usage(text("位置 {} 個 × {} 次元は {} 個の数になり、上限の {} 個を超えます",
                    "{} positions of width {} are {} numbers, more than {}", positions, width,
                    positions * width, most_numbers),
               text("この次元では --positions を {} 以下にしてください",
                    "with this width choose --positions of at most {}", most_numbers / width));
}

// --- The first rows with numbers

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

// --- Lengths, distances, similarity

void measure_norms(PositionalRun& run) {
  const std::size_t positions = run.settings.positions;
  run.squared_norm = Tensor<double>::from_shape({positions});
  for (std::size_t n = 0; n < positions; ++n) {
    const double* numbers = &run.encoding(n, 0);
    run.squared_norm(n) = std::inner_product(numbers, numbers + run.even_width, numbers, 0.0);
  }
  run.tape.step("squared_norm", "r_n · r_n", run.squared_norm, {"positions"},
                derived::worked({"encoding"}, norm_lines(run),
                                fmt::format("np.sum(encoding[:, :{}]**2, axis=-1)", run.even_width)));
  run.squared_norm_error = largest_magnitude(run.squared_norm - run.half_width());
}

ClosestPair closest_pair(const Tensor<double>& encoding) {
  const std::size_t positions = encoding.shape()[0];
  const std::size_t width = encoding.shape()[1];
  ClosestPair closest{infinity, 0};
  for (std::size_t m = 0; m < positions; ++m) {
    for (std::size_t n = m + 1; n < positions; ++n) {
      double square = 0.0;  // of the difference itself: |a|² + |b|² - 2 a·b would cancel
      for (std::size_t i = 0; i < width; ++i) {
        const double difference = encoding.data()[m * width + i] - encoding.data()[n * width + i];
        square += difference * difference;
      }
      if (square < closest.distance) closest = {square, n - m};
    }
  }
  closest.distance = std::sqrt(closest.distance);
  return closest;
}

void measure_similarity(PositionalRun& run) {
  run.similarity = run.tape.product_with_transpose("similarity", "r_m · r_n", "encoding", "encoding",
                                                   {"positions", "positions"});
  for (std::size_t k = 0; k + 1 < run.settings.positions; ++k) {
    if (run.similarity(0, k + 1) > run.similarity(0, k)) run.rises.push_back(k);
    if (run.similarity(0, k + 1) < run.similarity(0, run.least_similar)) run.least_similar = k + 1;
  }
}

// --- The rotation between positions

/// max - min along a diagonal, the largest over all diagonals: 0 when entry (m, n) depends on m - n only.
double deviation_from_toeplitz(const Tensor<double>& matrix) {
  const std::size_t n = matrix.shape()[0];
  std::vector<double> low(2 * n - 1, infinity);
  std::vector<double> high(2 * n - 1, -infinity);
  double deviation = 0.0;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const std::size_t diagonal = row + n - 1 - column;
      low[diagonal] = std::min(low[diagonal], matrix(row, column));
      high[diagonal] = std::max(high[diagonal], matrix(row, column));
      deviation = std::max(deviation, high[diagonal] - low[diagonal]);
    }
  }
  return deviation;
}

// M, its error over all positions, and W_Q = I, W_K = M: (r_m W_Q) · (r_n W_K) = r_m · r_(n+k) is largest
// where n = m - k, so every query looks k positions back.
void measure_rotation(PositionalRun& run) {
  const auto& [positions, width, base, offset] = run.settings;
  const std::size_t even = run.even_width;
  // base^(2i/width) = even_base^(2i/even): the frequencies of the full width, also where it is odd.
  const double even_base = std::pow(base, static_cast<double>(even) / static_cast<double>(width));
  const Axes projection{"width_in", "width_out"};
  Tape& tape = run.tape;
  run.shift = shift_matrix(static_cast<long long>(offset), even, even_base);
  tape.step("shift_matrix", "r_n M = r_{n + k}", run.shift, projection,
            derived::worked({}, shift_lines(run),
                            fmt::format("shift_by({}, {}, {}, {})", offset, even, width, python_repr(base))));

  const Tensor<double> beyond =
      corner(sinusoidal_encoding(positions + offset, width, base), positions + offset, even);
  const Tensor<double> moved = xt::view(beyond, xt::range(offset, positions + offset), xt::all());
  run.shift_error = largest_difference(matmul(corner(beyond, positions, even), run.shift), moved);

  run.w_query = xt::eye<double>({width, even});
  run.w_key = xt::zeros<double>({width, even});
  xt::view(run.w_key, xt::range(0, even), xt::all()) = run.shift;
  tape.step(
      "w_query", row({formula::read("W_Q"), sym(" = I")}), run.w_query, projection,
      derived::worked({}, projection_lines(run.w_query, "W_Q"), fmt::format("np.eye({}, {})", width, even)));
  tape.step(
      "w_key", row({formula::read("W_K"), sym(" = M")}), run.w_key, projection,
      derived::worked({"shift_matrix"}, projection_lines(run.w_key, "W_K"),
                      run.is_odd() ? fmt::format("np.concatenate((shift_matrix, np.zeros((1, {}))))", even)
                                   : "shift_matrix"));
  tape.product("relative_query", "r W_Q", "encoding", "w_query", {"queries", "width"});
  tape.product("relative_key", "r W_K", "encoding", "w_key", {"keys", "width"});
  run.relative_scores = tape.product_with_transpose("relative_scores", "r_m W_Q · r_n W_K", "relative_query",
                                                    "relative_key", {"queries", "keys"});
  run.relative_deviation = deviation_from_toeplitz(run.relative_scores);
  for (std::size_t m = offset; m < positions; ++m) {
    if (largest_in_row(run.relative_scores, m) == m - offset) ++run.peaks;
  }
}

// --- Rotary encoding

/// The vector turned to every position, (positions, width).
Tensor<double> turned(const Tensor<double>& vector, const PositionalSettings& settings,
                      RotaryPairing pairing) {
  Tensor<double> rows = Tensor<double>::from_shape({settings.positions, vector.size()});
  for (std::size_t p = 0; p < settings.positions; ++p) xt::view(rows, p, xt::all()) = vector;
  return rotary_encoding(rows, settings.base, pairing);
}

RotaryRun turn(const PositionalRun& run, RotaryPairing pairing) {
  RotaryRun rotary;
  rotary.queries = turned(run.rotary_query, run.settings, pairing);
  rotary.keys = turned(run.rotary_key, run.settings, pairing);
  const Tensor<double>& scores = rotary.scores = matmul(rotary.queries, attnlab::transpose(rotary.keys));
  rotary.deviation = deviation_from_toeplitz(scores);
  // One entry per diagonal, from m - n = -(n - 1) to n - 1: the first row backwards, then the first column.
  const std::size_t n = run.settings.positions;
  rotary.by_distance = Tensor<double>::from_shape({2 * n - 1});
  for (std::size_t i = 0; i < n; ++i) {
    rotary.by_distance(n - 1 - i) = scores(0, i);
    rotary.by_distance(n - 1 + i) = scores(i, 0);
  }
  return rotary;
}

constexpr std::size_t example_width = 8;  // wide enough to show which dimensions pair, small enough to read

/// For each dimension the number of the pair in which it turns, found by turning the unit vectors.
Tensor<double> pairs_found(double base, RotaryPairing pairing) {
  // each unit vector at positions 0 and 1
  Tensor<double> units = xt::zeros<double>({example_width, std::size_t{2}, example_width});
  for (std::size_t i = 0; i < example_width; ++i) units(i, 1, i) = 1.0;
  const Tensor<double> rotated = rotary_encoding(units, base, pairing);
  Tensor<double> pair({example_width}, -1.0);
  double next = 0.0;
  for (std::size_t i = 0; i < example_width; ++i) {
    if (pair(i) >= 0.0) continue;
    for (std::size_t j = 0; j < example_width; ++j) {
      if (rotated(i, 1, j) != 0.0) pair(j) = next;
    }
    next += 1.0;
  }
  return pair;
}

void measure_rotary(PositionalRun& run) {
  const auto last = static_cast<double>(run.settings.positions - 1);
  Tape& tape = run.tape;
  run.rotary_query = tape.normal("rotary_query", {run.even_width}, {"width"});
  run.rotary_key = tape.normal("rotary_key", {run.even_width}, {"width"});
  tape.step("rotary_distance", Formula{}, xt::arange<double>(-last, last + 1.0), {"distances"},
            derived::input(fmt::format("np.arange(-{}.0, {}.0)", last, last + 1.0)));
  const auto turn_all = [&](const char* name, RotaryPairing pairing, const char* interleaved) {
    RotaryRun rotary = turn(run, pairing);
    tape.step(name, "R(m) q · R(n) k", rotary.by_distance, {"distances"},
              derived::worked({"rotary_query", "rotary_key", "rotary_distance"}, rotary_lines(run, rotary),
                              rotary_code(run, interleaved)));
    return rotary;
  };
  run.interleaved = turn_all("rotary_interleaved", RotaryPairing::interleaved, "True");
  run.halves = turn_all("rotary_halves", RotaryPairing::halves, "False");
  run.rotary_pairs = Tensor<double>::from_shape({2, example_width});
  xt::view(run.rotary_pairs, 0, xt::all()) = pairs_found(run.settings.base, RotaryPairing::interleaved);
  xt::view(run.rotary_pairs, 1, xt::all()) = pairs_found(run.settings.base, RotaryPairing::halves);
  tape.step("rotary_pairs", Formula{}, run.rotary_pairs, {"pairings", "dimensions"},
            derived::input("np.stack((np.arange(8) // 2, np.arange(8) % 4))"));
}

}  // namespace

/// Source: article eq. 9 and 10; slides, "properties of the position representation".
PositionalRun PositionalRun::compute(const Arguments& arguments, const Context& /*context*/) {
  PositionalRun run;
  run.settings = settings_of(arguments);
  run.even_width = run.settings.width - run.settings.width % 2;
  run.tape = Tape(arguments);
  const auto& [positions, width, base, offset] = run.settings;
  run.encoding = sinusoidal_encoding(positions, width, base);
  run.tape.step("encoding", "sin(\\frac{n}{base^{2i / d}}), cos(\\frac{n}{base^{2i / d}})", run.encoding,
                {"positions", "width"},  // two columns for every i
                derived::worked({}, encoding_lines(run),
                                fmt::format("sinusoidal_encoding(np.arange({}.0), {}, {})", positions, width,
                                            python_repr(base))));
  run.closest = closest_pair(run.encoding);
  measure_norms(run);
  measure_similarity(run);
  measure_rotation(run);
  measure_rotary(run);
  return run;
}

Tensor<double> corner(const Tensor<double>& matrix, std::size_t rows, std::size_t columns) {
  return xt::view(matrix, xt::range(0, rows), xt::range(0, columns));
}

Experiment positional_experiment() {
  return Experiment{
      "positional",
      {"正弦波で位置を表す：一意性、類似度、回転", "sines that distinguish positions and rotate with them"},
      {"記事 式 (9), (10)、スライド「位置の表現」", "article eq. 9 and 10; slides, position representation"},
      {{"positions", IntegerKind{{2, 1000}}, "50", {"位置の個数", "number of positions"}},
       {"width", IntegerKind{{2, 1024}}, "64", {"次元 d", "width d of the encoding"}},
       {"base", NumberKind{{1.0, 1e12}}, "10000", {"波長を決める底", "base of the wavelengths"}},
       {"offset", IntegerKind{{1, 1000}}, "5", {"位置をずらす数 k", "positions k to shift by"}},
       {"seed",
        IntegerKind{{0, 4294967295}},
        "0",
        {"回転位置エンコーディングに使うクエリとキーの乱数の種",
         "seed of the random query and key for the rotary encoding"}},
       rng_parameter()},
      report_of<PositionalRun>}
      .with_inputs({{"rotary_query", {"width, if odd less 1"}}, {"rotary_key", {"width, if odd less 1"}}})
      .with_sliders({{"base=10:1e5:log:25"}});
}

}  // namespace attnlab
