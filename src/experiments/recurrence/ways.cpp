// What must be there before what, the steps that no number of processors can save; and how a small change
// travels, through every state of an RNN and through one layer of attention.
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {
namespace {

/// What a result needs; results are numbered in an order in which they can be computed.
struct Needs {
  std::vector<std::size_t> tokens;
  std::vector<std::size_t> results;  // earlier ones
};

Dependencies dependencies_of(const std::vector<Needs>& all) {
  const std::size_t count = all.size();
  Dependencies found{Tensor<double>::from_shape({count}), Tensor<double>::from_shape({count, count})};
  found.paths.fill(infinity);
  for (std::size_t i = 0; i < count; ++i) {
    double ready = 0.0;
    for (const std::size_t token : all[i].tokens) found.paths(i, token) = 1.0;
    for (const std::size_t earlier : all[i].results) {
      ready = std::max(ready, found.steps(earlier));
      for (std::size_t token = 0; token < count; ++token) {
        found.paths(i, token) = std::min(found.paths(i, token), found.paths(earlier, token) + 1.0);
      }
    }
    found.steps(i) = ready + 1.0;
  }
  return found;
}

}  // namespace

Dependencies rnn_dependencies(std::size_t tokens) {
  std::vector<Needs> all;
  for (std::size_t i = 0; i < tokens; ++i) {
    all.push_back({{i}, i == 0 ? std::vector<std::size_t>{} : std::vector<std::size_t>{i - 1}});
  }
  return dependencies_of(all);
}

Dependencies attention_dependencies(std::size_t tokens) {
  std::vector<std::size_t> every(tokens);
  std::iota(every.begin(), every.end(), std::size_t{0});
  return dependencies_of(std::vector<Needs>(tokens, Needs{every, {}}));
}

Dependencies generation_dependencies(std::size_t tokens) {
  std::vector<Needs> all;
  for (std::size_t i = 0; i < tokens; ++i) {
    std::vector<std::size_t> written(i);
    std::iota(written.begin(), written.end(), std::size_t{0});
    all.push_back({{0}, written});
  }
  return dependencies_of(all);
}

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
    // ∂h_t / ∂h_{t-1} = diag(1 − h_t²) W, as tanh' = 1 − tanh²
    const Tensor<double> slope = 1.0 - xt::square(xt::view(states, tokens - distance));
    product = matmul(product, Tensor<double>(w * xt::view(slope, xt::all(), xt::newaxis())));
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
