#include "training/initialise.hpp"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

Tensor<double> normals(NumpyRandom& random, const std::vector<std::size_t>& shape) {
  return random.randn(shape);
}

Tensor<double> normals(TorchRandom& random, const std::vector<std::size_t>& shape) {
  return xt::cast<double>(random.randn(shape));
}

/// weight (out, in) and then bias (out), one behind the other.
template <class T>
void fill_linear(NumpyRandom& random, std::size_t in, T* weight, std::size_t count) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  std::generate_n(weight, count, [&] { return static_cast<T>(bound * (2.0 * random.uniform() - 1.0)); });
}

template <class T>
void fill_linear(TorchRandom& random, std::size_t in, T* weight, std::size_t count) {
  const TorchLinear layer = random.linear(in, count / (in + 1));
  const auto to_number = [](float x) { return static_cast<T>(x); };
  std::transform(layer.weight.begin(), layer.weight.end(), weight, to_number);
  std::transform(layer.bias.begin(), layer.bias.end(), weight + layer.weight.size(), to_number);
}

bool is_named(const ParameterPlace& place, const std::string& part) {
  return place.name.find(part) != std::string::npos;
}

template <class T, class Random>
void fill(Model<T>& model, Random& random) {
  for (const ParameterPlace& place : model.places.parameters) {
    T* numbers = model.parameters.data() + place.begin;
    const bool is_matrix = place.shape.size() == 2;
    const bool is_score = is_named(place, "score");
    if (is_score || is_named(place, "wte") || is_named(place, "wpe")) {
      const double length = is_score ? std::sqrt(static_cast<double>(place.shape[1])) : 1.0;
      const Tensor<double> drawn = normals(random, place.shape);
      std::transform(drawn.begin(), drawn.end(), numbers,
                     [&](double x) { return static_cast<T>(x / length); });
    } else if (is_matrix) {  // its bias stands behind it
      fill_linear(random, place.shape[1], numbers, place.size + place.shape[0]);
    } else if (is_named(place, "ln_")) {
      std::fill_n(numbers, place.size, is_named(place, "weight") ? T(1) : T(0));
    }
  }
}

}  // namespace

template <class T>
void initialise(Model<T>& model, NumpyRandom random) {
  fill(model, random);
}

template <class T>
void initialise(Model<T>& model, TorchRandom random) {
  fill(model, random);
}

template void initialise(Model<float>&, NumpyRandom);
template void initialise(Model<double>&, NumpyRandom);
template void initialise(Model<float>&, TorchRandom);
template void initialise(Model<double>&, TorchRandom);

}  // namespace attnlab
