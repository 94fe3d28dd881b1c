// A linear layer: x Wᵀ + b, with the weight as PyTorch and MLX store it.
#include "attention/linear.hpp"

#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

template <class T>
void require_layer_that_fits(const Linear<T>& layer, const Tensor<T>& x) {
  const Shape weight = shape_of(layer.weight);
  if (weight.size() != 2) {
    refuse_usage(
        text("線形層の重みの形状が {} です", "the weight of a linear layer has shape {}", printed(weight)),
        {"形状を (出力の次元, 入力の次元) にしてください", "give it the shape (out, in)"});
  }
  const Shape input = shape_of(x);
  if (input.empty() || input.back() != weight[1]) {
    refuse_usage(
        text("形状 {} の入力は、形状 {} の重みに合いません",
             "an input of shape {} does not fit a weight of shape {}", printed(input), printed(weight)),
        text("入力の最後の軸を {} にするか、重みを転置してください",
             "make its last axis {}, or transpose the weight", weight[1]));
  }
  if (layer.bias && shape_of(*layer.bias) != Shape{weight[0]}) {
    refuse_usage(text("バイアスの形状 {} が、形状 {} の重みに合いません",
                      "a bias of shape {} does not fit a weight of shape {}", printed(shape_of(*layer.bias)),
                      printed(weight)),
                 text("バイアスの形状を ({},) にしてください", "give the bias the shape ({},)", weight[0]));
  }
}

}  // namespace

template <class T>
Tensor<T> linear(const Linear<T>& layer, const Tensor<T>& x) {
  require_layer_that_fits(layer, x);
  Shape shape = shape_of(x);
  const std::size_t in = shape.back();
  shape.pop_back();
  const std::size_t rows = element_count(shape);  // all batch dimensions as one: one product does the work
  shape.push_back(layer.weight.shape()[0]);

  Tensor<T> matrix = x;
  matrix.reshape(Shape{rows, in});
  Tensor<T> result = matmul(matrix, transpose(layer.weight));  // x Wᵀ
  if (layer.bias) result += *layer.bias;                       // + b, to every row
  result.reshape(shape);
  return result;
}

template Tensor<float> linear(const Linear<float>&, const Tensor<float>&);
template Tensor<double> linear(const Linear<double>&, const Tensor<double>&);

}  // namespace attnlab
