// What must hold of every run of `recurrence`.
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {
namespace {

/// max |Q Qᵀ − 1|
double orthogonality_error(const Tensor<double>& q) {
  const Tensor<double> product = matmul(q, attnlab::transpose(q));
  return largest_difference(product, xt::eye<double>(q.shape()[0]));
}

/// How far the gradient rises above radius^distance, relative to it: |tanh'| ≤ 1, and W turns by the radius.
double excess_over_powers(const RecurrenceRun& run) {
  double most = 0.0;
  for (std::size_t i = 0; i < run.radius.size(); ++i) {
    for (std::size_t distance = 0; distance < run.tokens(); ++distance) {
      const double power = std::pow(run.radius(i), static_cast<double>(distance));
      most = worst(most, run.gradient(i, distance) / power - 1.0);
    }
  }
  return most;
}

/// The gradient over the whole sequence once more, a small change of the first state carried forwards: one
/// column of the Jacobian after the other. Relative to radius^distance.
double forwards_error(const RecurrenceRun& run) {
  const std::size_t width = run.width();
  const std::size_t last = run.tokens() - 1;
  return worst_of(run.radius.size(), [&](std::size_t i) {
    Tensor<double> change = xt::eye<double>(width);
    for (std::size_t t = 1; t <= last; ++t) {
      change = matmul(Tensor<double>(xt::view(run.recurrent, i)), change);
      for (std::size_t row = 0; row < width; ++row) {
        const double slope = 1.0 - run.states(i, t, row) * run.states(i, t, row);
        for (std::size_t column = 0; column < width; ++column) change(row, column) *= slope;
      }
    }
    const double power = std::pow(run.radius(i), static_cast<double>(last));
    return std::abs(run.gradient(i, last) - jacobian_size(change)) / power;
  });
}

/// The last token's output where token 0 is changed in one coordinate.
Tensor<double> output_with(const RecurrenceRun& run, std::size_t coordinate, double change) {
  Tensor<double> x = run.x;
  x(0, coordinate) += change;
  return scaled_dot_product_attention(run.query, matmul(x, run.w_key), matmul(x, run.w_value)).output;
}

/// The gradient from token 0 against central differences of the output.
double difference_error(const RecurrenceRun& run) {
  constexpr double small = 1e-5;
  const std::size_t width = run.width();
  Tensor<double> jacobian = Tensor<double>::from_shape({width, width});
  for (std::size_t in = 0; in < width; ++in) {
    const Tensor<double> slope = (output_with(run, in, small) - output_with(run, in, -small)) / (2.0 * small);
    for (std::size_t out = 0; out < width; ++out) jacobian(out, in) = slope(0, out);
  }
  return std::abs(run.attention_gradient(run.tokens() - 1) - jacobian_size(jacobian));
}

/// How far the ways of an RNN are from T − t + 1, and its steps from 1, 2, 3, ...
double chain_error(const RecurrenceRun& run) {
  double most = 0.0;
  for (std::size_t i = 0; i < run.tokens(); ++i) {
    most = worst(most, std::abs(run.rnn.steps(i) - static_cast<double>(i + 1)));
    for (std::size_t j = 0; j <= i; ++j) {
      most = worst(most, std::abs(run.rnn.paths(i, j) - static_cast<double>(i - j + 1)));
    }
  }
  return most;
}

double one_step_error(const RecurrenceRun& run) {
  const auto off = [](const Tensor<double>& values) {
    return worst_of(values.size(), [&](std::size_t i) { return std::abs(values.flat(i) - 1.0); });
  };
  return std::max(off(run.self_attention.steps), off(run.self_attention.paths));
}

}  // namespace

std::vector<Scalar> scalars(const RecurrenceRun& run) {
  return {{"rnn_steps_of_all", run.rnn.steps.back()},
          {"attention_steps_of_all", largest(run.self_attention.steps)},
          {"attention_change_per_step", run.attention_per_step}};
}

std::vector<Invariant> invariants(const RecurrenceRun& run) {
  const auto width = static_cast<double>(run.width());
  const double products = 1e-15 * width * static_cast<double>(run.tokens());  // width terms, tokens times
  return {
      invariant("rows_are_orthonormal", orthogonality_error(run.orthogonal), 1e-14 * width,
                "W の行は互いに直交し、長さは 1", "the rows of W are orthonormal"),
      invariant("gradient_within_powers_of_radius", excess_over_powers(run), products,
                "勾配はスペクトル半径の累乗を超えない", "no gradient exceeds the power of the radius"),
      invariant("gradient_forwards_as_backwards", forwards_error(run), 10.0 * products,
                "前から掛けても後ろから掛けても、勾配は同じ",
                "multiplied from the front or the back, the gradient is the same"),
      // central differences: the third derivative times 1e-10, and rounding over 1e-5
      invariant("attention_gradient_as_differences", difference_error(run),
                1e-7 * (1.0 + largest_magnitude(run.attention_gradient)),
                "アテンションの勾配は、入力を少し動かした差と一致する",
                "attention's gradient is what a small change of the input does"),
      invariant("weights_sum_to_one", row_sum_error(run.attention.weights),
                1e-14 * static_cast<double>(run.tokens()), "注意度の和は 1", "the weights sum to 1"),
      invariant("rnn_waits_for_every_token", chain_error(run), 0.0,
                "RNN では、トークン j から結果 t までの経路の長さは t − j + 1",
                "in the RNN the way from token j to result t takes t − j + 1 steps"),
      invariant("attention_takes_one_step", one_step_error(run), 0.0, "自己注意では、どの経路の長さも 1",
                "in self-attention every way takes one step"),
  };
}

}  // namespace attnlab
