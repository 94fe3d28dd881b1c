#include "experiments/framework/random_stream.hpp"

namespace attnlab {

Parameter rng_parameter() {
  return {"rng",
          ChoiceKind{{"numpy", "torch"}},
          "numpy",
          {"乱数列：np.random.RandomState か torch.manual_seed",
           "random numbers of np.random.RandomState or torch.manual_seed"}};
}

Tensor<double> RandomStream::randn(const std::vector<std::size_t>& shape) {
  if (auto* numpy = std::get_if<NumpyRandom>(&random_)) return numpy->randn(shape);
  return xt::cast<double>(std::get<TorchRandom>(random_).randn(shape));
}

TorchLinear RandomStream::linear(std::size_t in, std::size_t out) {
  if (auto* torch = std::get_if<TorchRandom>(&random_)) return torch->linear(in, out);
  throw std::logic_error("NumPy's stream has no nn.Linear");
}

RandomStream random_stream(const std::string& rng, std::uint32_t seed) {
  if (rng == "torch") return RandomStream(TorchRandom(seed));
  return RandomStream(NumpyRandom(seed));
}

Text seed_text(std::uint32_t seed, const std::string& rng) {
  const Text stream = rng == "torch" ? Text{"（PyTorch）", " (PyTorch)"} : Text::none();
  return text("乱数の種 {}{}", "Seed {}{}", seed, stream);
}

}  // namespace attnlab
