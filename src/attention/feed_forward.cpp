// The MLP of a Transformer layer: widen, cut off what is negative, narrow again, each token by itself.
#include "attention/feed_forward.hpp"

#include <algorithm>

namespace attnlab {

namespace {

/// max(0, x), element by element; NaN stays NaN, as in NumPy and PyTorch.
template <class T>
Tensor<T> relu(const Tensor<T>& x) {
  Tensor<T> result = Tensor<T>::from_shape(x.shape());
  std::transform(x.begin(), x.end(), result.begin(), [](T value) { return value < T(0) ? T(0) : value; });
  return result;
}

}  // namespace

template <class T>
FeedForwardStages<T> feed_forward(const FeedForward<T>& mlp, const Tensor<T>& x) {
  FeedForwardStages<T> stages;
  stages.hidden = linear(mlp.first, x);                  // x W_1ᵀ + b_1
  stages.activated = relu(stages.hidden);                // max(0, x W_1ᵀ + b_1)
  stages.output = linear(mlp.second, stages.activated);  // max(0, x W_1ᵀ + b_1) W_2ᵀ + b_2
  return stages;
}

template FeedForwardStages<float> feed_forward(const FeedForward<float>&, const Tensor<float>&);
template FeedForwardStages<double> feed_forward(const FeedForward<double>&, const Tensor<double>&);

}  // namespace attnlab
