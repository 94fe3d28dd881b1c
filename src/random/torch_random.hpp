// PyTorch's CPU generator: torch.manual_seed(s), torch.rand, torch.randn and nn.Linear's initialisation.
#pragma once

#include <optional>
#include <vector>

#include "core/tensor.hpp"
#include "random/mersenne_twister.hpp"

namespace attnlab {

/// The parameters of nn.Linear, in PyTorch's layout.
struct TorchLinear {
  Tensor<float> weight;  // (out, in)
  Tensor<float> bias;    // (out)
};

/// The stream after torch.manual_seed(seed), in float32. `rand` is exact; `randn` of 16 values or more lies
/// within 1e-6 of PyTorch, which uses vector approximations of log, cos and sin.
/// Source: PyTorch 1.13, aten/src/ATen/core/DistributionsHelper.h and native/cpu/DistributionTemplates.h.
class TorchRandom {
 public:
  explicit TorchRandom(std::uint32_t seed) : engine_(seed) {}

  /// torch.rand(*shape): 24 low bits of one output, over 2^24.
  Tensor<float> rand(const std::vector<std::size_t>& shape);

  /// torch.randn(*shape). Fewer than 16 values are drawn one by one, in pairs of which the second is kept; 16
  /// or more in blocks of 16.
  Tensor<float> randn(const std::vector<std::size_t>& shape);

  /// nn.Linear(in, out): weight, then bias, both uniform in ±1/√in.
  TorchLinear linear(std::size_t in, std::size_t out);

 private:
  float uniform();
  double uniform53();
  float normal();
  void fill_with_normals(float* values, std::size_t count);
  Tensor<float> uniform_between(const std::vector<std::size_t>& shape, double bound);

  MersenneTwister engine_;
  std::optional<double> kept_;
};

}  // namespace attnlab
