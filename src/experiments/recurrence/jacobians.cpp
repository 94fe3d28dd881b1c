// How a small change travels: through every state of an RNN, and through one layer of attention.
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {

double jacobian_size(const Tensor<double>& matrix) {
  const double squares = std::inner_product(matrix.begin(), matrix.end(), matrix.begin(), 0.0);
  return std::sqrt(squares / static_cast<double>(matrix.shape()[0]));
}

void each_state_jacobian(const Tensor<double>& w, const Tensor<double>& states,
                         const std::function<void(std::size_t distance, const Tensor<double>&)>& use) {
  const std::size_t tokens = states.shape()[0];
  const std::size_t width = w.shape()[0];
  Tensor<double> product = xt::eye<double>(width);
  use(0, product);
  for (std::size_t distance = 1; distance < tokens; ++distance) {
    Tensor<double> step = w;  // ∂h_t / ∂h_{t-1} = diag(1 − h_t²) W, as tanh' = 1 − tanh²
    for (std::size_t row = 0; row < width; ++row) {
      const double h = states(tokens - distance, row);
      for (std::size_t column = 0; column < width; ++column) step(row, column) *= 1.0 - h * h;
    }
    product = matmul(product, step);
    use(distance, product);
  }
}

Tensor<double> attention_gradients(const RecurrenceRun& run) {
  const std::size_t tokens = run.tokens();
  const std::size_t width = run.width();
  const double root = std::sqrt(static_cast<double>(width));
  const Tensor<double>& weights = run.attention.weights;  // (1, tokens)
  // ∂s_t / ∂x_t, of every token the same, and for the last token ∂s_t / ∂q by row t
  const Tensor<double> by_key = matmul(run.query, transpose(run.w_key)) / root;    // (1, width)
  const Tensor<double> by_query = matmul(run.key, transpose(run.w_query)) / root;  // (tokens, width)
  Tensor<double> sizes = Tensor<double>::from_shape({tokens});
  for (std::size_t distance = 0; distance < tokens; ++distance) {
    const std::size_t t = tokens - 1 - distance;
    Tensor<double> jacobian = Tensor<double>::from_shape({width, width});
    for (std::size_t out = 0; out < width; ++out) {
      for (std::size_t in = 0; in < width; ++in) {
        const auto moved = [&](std::size_t j) {  // weight j times how far value j lies off the output
          return weights(0, j) * (run.value(j, out) - run.attention.output(0, out));
        };
        double entry = weights(0, t) * run.w_value(in, out) + moved(t) * by_key(0, in);
        if (distance == 0) {
          for (std::size_t j = 0; j < tokens; ++j) entry += moved(j) * by_query(j, in);
        }
        jacobian(out, in) = entry;
      }
    }
    sizes(distance) = jacobian_size(jacobian);
  }
  return sizes;
}

}  // namespace attnlab
