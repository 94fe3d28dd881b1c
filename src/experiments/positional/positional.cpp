// What can be measured about encoded positions: lengths, distances, similarity, and the rotation between
// them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <vector>

#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "experiments/positional/positional.hpp"

namespace attnlab {
namespace {

constexpr std::size_t example_width = 8;  // wide enough to show which dimensions pair, small enough to read

/// The first rows and columns of a matrix as a new array, (rows, columns).
Tensor<double> corner(const Tensor<double>& matrix, std::size_t rows, std::size_t columns) {
  Tensor<double> part = Tensor<double>::from_shape({rows, columns});
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) part(row, column) = matrix(row, column);
  }
  return part;
}

/// max - min along a diagonal, the largest over all diagonals: 0 when entry (m, n) depends on m - n only.
double deviation_from_toeplitz(const Tensor<double>& matrix) {
  const std::size_t n = matrix.shape()[0];
  std::vector<double> low(2 * n - 1, std::numeric_limits<double>::infinity());
  std::vector<double> high(2 * n - 1, -std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const std::size_t diagonal = row + n - 1 - column;
      low[diagonal] = std::min(low[diagonal], matrix(row, column));
      high[diagonal] = std::max(high[diagonal], matrix(row, column));
    }
  }
  double deviation = 0.0;
  for (std::size_t diagonal = 0; diagonal < low.size(); ++diagonal) {
    deviation = std::max(deviation, high[diagonal] - low[diagonal]);
  }
  return deviation;
}

ClosestPair closest_pair(const Tensor<double>& encoding) {
  const std::size_t positions = encoding.shape()[0];
  const std::size_t width = encoding.shape()[1];
  ClosestPair closest{std::numeric_limits<double>::infinity(), 0};
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

void measure_norms(PositionalRun& run) {
  const std::size_t positions = run.settings.positions;
  run.squared_norm = Tensor<double>::from_shape({positions});
  for (std::size_t n = 0; n < positions; ++n) {
    double square = 0.0;
    for (std::size_t i = 0; i < run.even_width; ++i) square += run.encoding(n, i) * run.encoding(n, i);
    run.squared_norm(n) = square;
    const double error = std::abs(square - static_cast<double>(run.even_width) / 2.0);
    run.squared_norm_error = std::max(run.squared_norm_error, error);
  }
}

void measure_similarity(PositionalRun& run) {
  // Unqualified, transpose of a non-const tensor would be xt::transpose, a lazy view.
  run.similarity = matmul(run.encoding, attnlab::transpose(run.encoding));
  for (std::size_t k = 0; k + 1 < run.settings.positions; ++k) {
    if (run.similarity(0, k + 1) > run.similarity(0, k)) run.rises.push_back(k);
    if (run.similarity(0, k + 1) < run.similarity(0, run.least_similar)) run.least_similar = k + 1;
  }
}

Tensor<double> unit_matrix(std::size_t size) {
  Tensor<double> unit = Tensor<double>::from_shape({size, size});
  unit.fill(0.0);
  for (std::size_t i = 0; i < size; ++i) unit(i, i) = 1.0;
  return unit;
}

/// A square matrix as a projection of vectors of `width`: an odd width's last component goes nowhere.
Tensor<double> projection(const Tensor<double>& square, std::size_t width) {
  const std::size_t size = square.shape()[0];
  Tensor<double> matrix = Tensor<double>::from_shape({width, size});
  matrix.fill(0.0);
  std::copy(square.begin(), square.end(), matrix.data());
  return matrix;
}

// M, its error over all positions, and W_Q = I, W_K = M: (r_m W_Q) · (r_n W_K) = r_m · r_(n+k) is largest
// where n = m - k, so every query looks k positions back.
void measure_rotation(PositionalRun& run) {
  const auto& [positions, width, base, offset, seed] = run.settings;
  const std::size_t even = run.even_width;
  // base^(2i/width) = even_base^(2i/even): the frequencies of the full width, also where it is odd.
  const double even_base = std::pow(base, static_cast<double>(even) / static_cast<double>(width));
  run.shift = shift_matrix(static_cast<long long>(offset), even, even_base);

  const Tensor<double> beyond = sinusoidal_encoding(positions + offset, width, base);
  const Tensor<double> encoding = corner(beyond, positions, even);
  const Tensor<double> shifted = matmul(encoding, run.shift);
  for (std::size_t n = 0; n < positions; ++n) {
    for (std::size_t i = 0; i < even; ++i) {
      run.shift_error = std::max(run.shift_error, std::abs(shifted(n, i) - beyond(n + offset, i)));
    }
  }

  run.w_query = projection(unit_matrix(even), width);
  run.w_key = projection(run.shift, width);
  run.relative_query = matmul(run.encoding, run.w_query);
  run.relative_key = matmul(run.encoding, run.w_key);
  run.relative_scores = matmul(run.relative_query, attnlab::transpose(run.relative_key));
  run.relative_deviation = deviation_from_toeplitz(run.relative_scores);
  for (std::size_t m = offset; m < positions; ++m) {
    const double* row = run.relative_scores.data() + m * positions;
    if (std::distance(row, std::max_element(row, row + positions)) ==
        static_cast<std::ptrdiff_t>(m - offset)) {
      ++run.peaks;
    }
  }
}

/// The same vector at every position, (positions, width).
Tensor<double> repeated(const Tensor<double>& vector, std::size_t positions) {
  Tensor<double> rows = Tensor<double>::from_shape({positions, vector.size()});
  for (std::size_t p = 0; p < positions; ++p) {
    std::copy(vector.begin(), vector.end(), rows.data() + p * vector.size());
  }
  return rows;
}

/// Entry (m, n) = (q turned to position m) · (k turned to position n).
Tensor<double> rotary_scores(const Tensor<double>& query, const Tensor<double>& key, double base,
                             RotaryPairing pairing) {
  return matmul(rotary_encoding(query, base, pairing),
                attnlab::transpose(rotary_encoding(key, base, pairing)));
}

/// One entry per diagonal of (n, n), from m - n = -(n - 1) to n - 1: the first row backwards, then the first
/// column.
Tensor<double> by_distance(const Tensor<double>& scores) {
  const std::size_t n = scores.shape()[0];
  Tensor<double> curve = Tensor<double>::from_shape({2 * n - 1});
  for (std::size_t i = 0; i < n; ++i) {
    curve(n - 1 - i) = scores(0, i);
    curve(n - 1 + i) = scores(i, 0);
  }
  return curve;
}

/// For each dimension the number of the pair in which it turns, found by turning the unit vectors.
std::vector<double> pairs_found(double base, RotaryPairing pairing) {
  Tensor<double> units =
      Tensor<double>::from_shape({example_width, 2, example_width});  // each at positions 0, 1
  units.fill(0.0);
  for (std::size_t i = 0; i < example_width; ++i) units(i, 1, i) = 1.0;
  const Tensor<double> turned = rotary_encoding(units, base, pairing);
  std::vector<double> pair(example_width, -1.0);
  double next = 0.0;
  for (std::size_t i = 0; i < example_width; ++i) {
    if (pair[i] >= 0.0) continue;
    for (std::size_t j = 0; j < example_width; ++j) {
      if (turned(i, 1, j) != 0.0) pair[j] = next;
    }
    next += 1.0;
  }
  return pair;
}

void measure_rotary(PositionalRun& run, RandomStream random) {
  const std::size_t positions = run.settings.positions;
  const double base = run.settings.base;
  run.rotary_query = random.randn({run.even_width});
  run.rotary_key = random.randn({run.even_width});
  const Tensor<double> query = repeated(run.rotary_query, positions);
  const Tensor<double> key = repeated(run.rotary_key, positions);
  const Tensor<double> interleaved = rotary_scores(query, key, base, RotaryPairing::interleaved);
  const Tensor<double> halves = rotary_scores(query, key, base, RotaryPairing::halves);
  run.rotary_deviation = std::max(deviation_from_toeplitz(interleaved), deviation_from_toeplitz(halves));
  run.rotary_interleaved = by_distance(interleaved);
  run.rotary_halves = by_distance(halves);
  run.rotary_distance = Tensor<double>::from_shape({2 * positions - 1});
  for (std::size_t i = 0; i < run.rotary_distance.size(); ++i) {
    run.rotary_distance(i) = static_cast<double>(i) - static_cast<double>(positions - 1);
  }
  run.rotary_pairs = Tensor<double>::from_shape({2, example_width});
  const std::vector<double> neighbours = pairs_found(base, RotaryPairing::interleaved);
  const std::vector<double> across = pairs_found(base, RotaryPairing::halves);
  std::copy(neighbours.begin(), neighbours.end(), run.rotary_pairs.data());
  std::copy(across.begin(), across.end(), run.rotary_pairs.data() + example_width);
}

}  // namespace

PositionalRun measure_positions(const PositionalSettings& settings, RandomStream random) {
  PositionalRun run;
  run.settings = settings;
  run.even_width = settings.width - settings.width % 2;
  run.encoding = sinusoidal_encoding(settings.positions, settings.width, settings.base);
  run.closest = closest_pair(run.encoding);
  measure_norms(run);
  measure_similarity(run);
  measure_rotation(run);
  measure_rotary(run, random);
  return run;
}

}  // namespace attnlab
