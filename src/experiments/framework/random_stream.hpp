// The random numbers of an experiment: NumPy's stream or PyTorch's, chosen by --rng.
#pragma once

#include "experiments/framework/parameter.hpp"
#include "random/numpy_random.hpp"
#include "random/torch_random.hpp"

namespace attnlab {

/// `--rng numpy|torch`, to be declared beside seed_parameter().
Parameter rng_parameter();

class RandomStream {
 public:
  explicit RandomStream(NumpyRandom random) : random_(random) {}
  explicit RandomStream(TorchRandom random) : random_(random) {}

  /// Standard normals in row-major order. PyTorch's are float32 numbers.
  Tensor<double> randn(const std::vector<std::size_t>& shape);

  /// nn.Linear(in, out)'s weight (out, in) and bias (out), of PyTorch's stream. Throws std::logic_error for
  /// NumPy's.
  TorchLinear linear(std::size_t in, std::size_t out);

 private:
  std::variant<NumpyRandom, TorchRandom> random_;
};

/// The stream of that name ("numpy" or "torch"), started at `seed`.
RandomStream random_stream(const std::string& rng, std::uint32_t seed);

/// "乱数の種 0" / "Seed 0", and "（PyTorch）" / " (PyTorch)" behind it for PyTorch's numbers: how captions
/// begin.
Text seed_text(std::uint32_t seed, const std::string& rng);

}  // namespace attnlab
