// Positions as rotations: sines and cosines of falling frequency, the matrix that shifts them, and rotary
// pairs.
#include "attention/positional.hpp"

#include "attention/shape.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

/// base^(2i/width): the wavelength of pair i is 2π times this. Throws Error (usage) unless 0 < base < inf.
double wavelength(std::size_t pair, std::size_t width, double base) {
  if (!(base > 0.0) || std::isinf(base)) {
    refuse_usage(text("位置エンコーディングの底 {:f} は正の有限な数ではありません",
                      "the base {:f} of the positional encoding is not positive and finite", base),
                 {"たとえば 10000 にしてください", "take 10000, for example"});
  }
  return std::pow(base, static_cast<double>(2 * pair) / static_cast<double>(width));
}

}  // namespace

void require_pairs(std::size_t width) {
  if (width % 2 == 0) return;
  refuse_usage(text("次元 {} は奇数なので、すべての座標を 2 個ずつの組にできません",
                    "an odd width {} cannot be split into pairs that rotate", width),
               {"次元を偶数にしてください", "choose an even width"});
}

Tensor<double> sinusoidal_encoding(std::size_t positions, std::size_t width, double base) {
  Tensor<double> encoding = Tensor<double>::from_shape({positions, width});
  for (std::size_t column = 0; column < width; column += 2) {
    const double divisor = wavelength(column / 2, width, base);
    for (std::size_t p = 0; p < positions; ++p) {
      const double angle = static_cast<double>(p) / divisor;
      encoding(p, column) = std::sin(angle);
      if (column + 1 < width) encoding(p, column + 1) = std::cos(angle);
    }
  }
  return encoding;
}

Tensor<double> shift_matrix(long long offset, std::size_t width, double base) {
  require_pairs(width);
  Tensor<double> shift = Tensor<double>::from_shape({width, width});
  shift.fill(0.0);
  for (std::size_t column = 0; column < width; column += 2) {
    // (sin a, cos a) becomes (sin(a + turn), cos(a + turn)) by the addition theorems.
    const double turn = static_cast<double>(offset) / wavelength(column / 2, width, base);
    shift(column, column) = std::cos(turn);
    shift(column + 1, column) = std::sin(turn);
    shift(column, column + 1) = -std::sin(turn);
    shift(column + 1, column + 1) = std::cos(turn);
  }
  return shift;
}

Tensor<double> rotary_angles(long long first, std::size_t positions, std::size_t width, double base) {
  require_pairs(width);
  Tensor<double> angles = Tensor<double>::from_shape({positions, width / 2});
  for (std::size_t pair = 0; pair < width / 2; ++pair) {
    const double divisor = wavelength(pair, width, base);
    for (std::size_t p = 0; p < positions; ++p) {
      angles(p, pair) = static_cast<double>(first + static_cast<long long>(p)) / divisor;
    }
  }
  return angles;
}

Tensor<double> rotary_angles(long long first, std::size_t positions, const std::vector<double>& frequencies) {
  Tensor<double> angles = Tensor<double>::from_shape({positions, frequencies.size()});
  for (std::size_t p = 0; p < positions; ++p) {
    for (std::size_t pair = 0; pair < frequencies.size(); ++pair)
      angles(p, pair) = static_cast<double>(first + static_cast<long long>(p)) * frequencies[pair];
  }
  return angles;
}

template <class T>
Tensor<T> rotated(Tensor<T> x, const Tensor<double>& angles, RotaryPairing pairing, double factor) {
  const Shape shape = shape_of(x);
  const std::size_t positions = angles.shape()[0];
  const std::size_t pairs = angles.shape()[1];
  if (shape.size() < 2 || shape[shape.size() - 2] != positions || shape.back() < 2 * pairs) {
    refuse_usage(text("形状 {} の配列は、{} 個の位置の {} 組の角度では回せません",
                      "an array of shape {} cannot be turned by angles of {} positions and {} pairs",
                      printed(shape), positions, pairs),
                 {"最後の 2 軸を (位置, 次元) にし、回す幅を次元以下にしてください",
                  "make the last two axes (positions, width), and turn no more than the width"});
  }
  const std::size_t width = shape.back();
  const std::size_t rows = element_count(batch_of(shape)) * positions;
  const bool interleaved = pairing == RotaryPairing::interleaved;

  for (std::size_t p = 0; p < positions; ++p) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const std::size_t first = interleaved ? 2 * pair : pair;
      const std::size_t second = interleaved ? first + 1 : pair + pairs;
      const T cosine = static_cast<T>(factor * std::cos(angles(p, pair)));
      const T sine = static_cast<T>(factor * std::sin(angles(p, pair)));
      for (std::size_t row = p; row < rows; row += positions) {
        T* values = x.data() + row * width;
        const T before = values[first];
        values[first] = before * cosine - values[second] * sine;
        values[second] = before * sine + values[second] * cosine;
      }
    }
  }
  return x;
}

Tensor<double> rotary_encoding(const Tensor<double>& x, double base, RotaryPairing pairing) {
  const Shape shape = shape_of(x);
  if (shape.size() < 2) {
    refuse_usage(text("回転位置エンコーディングには 2 次元以上の配列が必要ですが、形状は {} です",
                      "rotary encoding needs two or more dimensions, got {}", printed(shape)),
                 {"最後の 2 軸を (位置, 次元) にしてください", "make the last two axes (positions, width)"});
  }
  return rotated(x, rotary_angles(0, shape[shape.size() - 2], shape.back(), base), pairing);
}

template Tensor<float> rotated(Tensor<float>, const Tensor<double>&, RotaryPairing, double);
template Tensor<double> rotated(Tensor<double>, const Tensor<double>&, RotaryPairing, double);

}  // namespace attnlab
