// PyTorch's stream: MT19937, uniform floats of 24 bits, and normals by the Box-Muller transform.
#include "random/torch_random.hpp"

#include <cmath>

#include "core/constants.hpp"

namespace attnlab {
namespace {

constexpr std::size_t block = 16;

/// Box and Muller: of 16 uniform numbers, the first eight make radii and the last eight make angles.
void make_normal(float* values) {
  for (std::size_t j = 0; j < block / 2; ++j) {
    const float radius = std::sqrt(-2.0F * std::log(1.0F - values[j]));
    const float angle = 2.0F * static_cast<float>(pi) * values[j + block / 2];
    values[j] = radius * std::cos(angle);
    values[j + block / 2] = radius * std::sin(angle);
  }
}

}  // namespace

float TorchRandom::uniform() {
  return static_cast<float>(engine_() & 0xFFFFFFU) / 16777216.0F;  // 2^24
}

double TorchRandom::uniform53() {
  const std::uint64_t high = engine_();
  const std::uint64_t low = engine_();
  const std::uint64_t bits = ((high << 32U) | low) & ((std::uint64_t{1} << 53U) - 1U);
  return static_cast<double>(bits) / 9007199254740992.0;  // 2^53
}

float TorchRandom::normal() {
  if (kept_) {
    const double sine = *kept_;
    kept_.reset();
    return static_cast<float>(sine);
  }
  const double turn = uniform53();
  const double distance = uniform53();
  const double radius = std::sqrt(-2.0 * std::log1p(-distance));
  kept_ = radius * std::sin(2.0 * pi * turn);
  return static_cast<float>(radius * std::cos(2.0 * pi * turn));
}

void TorchRandom::fill_with_normals(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = uniform();
  for (std::size_t start = 0; start + block <= count; start += block) make_normal(values + start);
  if (count % block == 0) return;
  float* last = values + count - block;  // what no whole block covers is drawn anew, with its neighbours
  for (std::size_t i = 0; i < block; ++i) last[i] = uniform();
  make_normal(last);
}

Tensor<float> TorchRandom::rand(const std::vector<std::size_t>& shape) {
  Tensor<float> values = Tensor<float>::from_shape(shape);
  for (float& value : values) value = uniform();
  return values;
}

Tensor<float> TorchRandom::randn(const std::vector<std::size_t>& shape) {
  Tensor<float> values = Tensor<float>::from_shape(shape);
  if (values.size() >= block) {
    fill_with_normals(values.data(), values.size());
  } else {
    for (float& value : values) value = normal();
  }
  return values;
}

Tensor<float> TorchRandom::uniform_between(const std::vector<std::size_t>& shape, double bound) {
  const auto low = static_cast<float>(-bound);
  const auto high = static_cast<float>(bound);
  Tensor<float> values = Tensor<float>::from_shape(shape);
  for (float& value : values) value = uniform() * (high - low) + low;
  return values;
}

TorchLinear TorchRandom::linear(std::size_t in, std::size_t out) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  TorchLinear layer;
  layer.weight = uniform_between({out, in}, bound);
  layer.bias = uniform_between({out}, bound);
  return layer;
}

}  // namespace attnlab
