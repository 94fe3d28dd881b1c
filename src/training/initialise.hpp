// The numbers that a model begins with.
#pragma once

#include "random/numpy_random.hpp"
#include "random/torch_random.hpp"
#include "training/model.hpp"

namespace attnlab {

/// As PyTorch makes its modules, parameter after parameter in the order of ModelPlaces: embeddings standard
/// normal (nn.Embedding), weights and biases uniform in ±1/√in (nn.Linear), norms 1 and 0. Of NumPy's stream
/// with the same distributions.
template <class T>
void initialise(Model<T>& model, NumpyRandom random);
template <class T>
void initialise(Model<T>& model, TorchRandom random);

}  // namespace attnlab
