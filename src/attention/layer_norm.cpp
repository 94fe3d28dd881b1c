// Layer normalisation: subtract the token's own mean, divide by its own standard deviation, row by row.
// RMS normalisation: divide by the root of the mean square.
#include "attention/layer_norm.hpp"

#include "attention/shape.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

void require_width(const Shape& shape) {
  if (!shape.empty() && shape.back() > 0) return;
  refuse_usage(text("レイヤ正規化には次元 1 以上のトークンが必要ですが、形状は {} です",
                    "layer norm needs tokens of width 1 or more, got {}", printed(shape)),
               {"最後の軸をトークンの次元にしてください", "make the last axis the width of a token"});
}

/// γ and β have one number for each component of a token.
template <class T>
void require_one_per_component(const std::optional<Tensor<T>>& numbers, std::size_t width,
                               const std::string& letter) {
  if (!numbers || shape_of(*numbers) == Shape{width}) return;
  refuse_usage(text("レイヤ正規化の {} の形状は {} で、トークンの次元 {} に合いません",
                    "the layer norm's {} of shape {} does not fit tokens of width {}", letter,
                    printed(shape_of(*numbers)), width),
               text("{} の形状を {} にしてください", "give {} the shape {}", letter, printed(Shape{width})));
}

template <class T>
T mean_of(const T* x, std::size_t width) {
  T sum = 0;
  for (std::size_t i = 0; i < width; ++i) sum += x[i];
  return sum / static_cast<T>(width);
}

/// σ² = Σ (x_i - μ)² / D. The second pass over x costs time, but loses no digits where μ is far above σ.
template <class T>
T variance_of(const T* x, T mean, std::size_t width) {
  T sum = 0;
  for (std::size_t i = 0; i < width; ++i) sum += (x[i] - mean) * (x[i] - mean);
  return sum / static_cast<T>(width);
}

/// √(σ² + eps), or the slides' √(σ + eps).
template <class T>
T divisor_of(const LayerNorm<T>& norm, T variance) {
  if (norm.divisor == NormDivisor::variance) return std::sqrt(variance + norm.eps);
  return std::sqrt(std::sqrt(variance) + norm.eps);
}

}  // namespace

template <class T>
Tensor<T> layer_norm(const LayerNorm<T>& norm, const Tensor<T>& x) {
  const Shape shape = shape_of(x);
  require_width(shape);
  const std::size_t width = shape.back();
  require_one_per_component(norm.gain, width, "γ");
  require_one_per_component(norm.bias, width, "β");

  Tensor<T> normalised = Tensor<T>::from_shape(shape);
  for (std::size_t start = 0; start < x.size(); start += width) {
    const T* token = x.data() + start;
    T* result = normalised.data() + start;
    const T mean = mean_of(token, width);
    const T divisor = divisor_of(norm, variance_of(token, mean, width));
    for (std::size_t i = 0; i < width; ++i) {
      result[i] = (token[i] - mean) / divisor;
      if (norm.gain) result[i] *= norm.gain->flat(i);
      if (norm.bias) result[i] += norm.bias->flat(i);
    }
  }
  return normalised;
}

template <class T>
Tensor<T> rms_norm(const Tensor<T>& x, const Tensor<T>& gain, T eps) {
  const Shape shape = shape_of(x);
  const std::size_t width = gain.size();
  if (shape.empty() || gain.dimension() != 1 || width == 0 || shape.back() % width != 0) {
    refuse_usage(text("RMS 正規化の γ の形状 {} は、形状 {} の配列に合いません",
                      "the RMS norm's γ of shape {} does not fit an array of shape {}",
                      printed(shape_of(gain)), printed(shape)),
                 {"γ の長さを、最後の軸の長さかその約数（1 ヘッドの幅）にしてください",
                  "make γ as long as the last axis, or as one head of it"});
  }
  Tensor<T> normalised = Tensor<T>::from_shape(shape);
  for (std::size_t start = 0; start < x.size(); start += width) {
    const T* from = x.data() + start;
    T* result = normalised.data() + start;
    T squares = 0;
    for (std::size_t i = 0; i < width; ++i) squares += from[i] * from[i];
    const T divisor = std::sqrt(squares / static_cast<T>(width) + eps);
    for (std::size_t i = 0; i < width; ++i) result[i] = from[i] / divisor * gain.flat(i);
  }
  return normalised;
}

template Tensor<float> layer_norm(const LayerNorm<float>&, const Tensor<float>&);
template Tensor<double> layer_norm(const LayerNorm<double>&, const Tensor<double>&);
template Tensor<float> rms_norm(const Tensor<float>&, const Tensor<float>&, float);
template Tensor<double> rms_norm(const Tensor<double>&, const Tensor<double>&, double);

}  // namespace attnlab
