// The words of `recurrence`, and what must hold of every run.
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {
namespace {

Table step_table(const RecurrenceRun& run) {
  const std::size_t n = run.tokens();
  Table table{{text("n = {}", "n = {}", n),
               {"順に行うステップ", "steps, one after the other"},
               {"最初の入力から最後の結果まで", "from the first input to the last result"}}};
  const auto add = [&](const Text& name, const Dependencies& one) {
    table.rows.push_back(
        {name, fmt::format("{:g}", largest(one.steps)), fmt::format("{:g}", one.paths(n - 1, 0))});
  };
  add({"RNN", "RNN"}, run.rnn);
  add({"自己注意", "self-attention"}, run.self_attention);
  return table;
}

Table gradient_table(const RecurrenceRun& run) {
  const std::size_t farthest = run.tokens() - 1;
  Table table{{{"勾配", "gradient"},
               {"1 つ前から", "from 1 before"},
               text("{} 個前から", "from {} before", farthest),
               {"1 ステップごとに", "per step"}}};
  for (std::size_t i = 0; i < run.radius.size(); ++i) {
    table.rows.push_back(
        {text("RNN、半径 {:g}", "RNN, radius {:g}", run.radius(i)), fmt::format("{:.3g}", run.gradient(i, 1)),
         fmt::format("{:.3g}", run.gradient(i, farthest)), fmt::format("× {:.3f}", run.per_step(i))});
  }
  table.rows.push_back({Text{"自己注意", "self-attention"}, fmt::format("{:.3g}", run.attention_gradient(1)),
                        fmt::format("{:.3g}", run.attention_gradient(farthest)),
                        fmt::format("× {:.3f}", run.attention_per_step)});
  return table;
}

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
      const Tensor<double> slope = 1.0 - xt::square(xt::view(run.states, i, t));
      change *= xt::view(slope, xt::all(), xt::newaxis());
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

bool has_trend(const RecurrenceRun& run) { return std::abs(run.attention_per_step - 1.0) > 0.05; }

Text gradients_of_all(const RecurrenceRun& run) {
  std::vector<Text> all;
  for (std::size_t i = 0; i < run.radius.size(); ++i)
    all.push_back(text("半径 {:g} で {:.3g}", "{1:.3g} at radius {0:g}", run.radius(i),
                       run.gradient(i, run.tokens() - 1)));
  return listed(all);
}

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
                "in the RNN the path from token j to result t has t − j + 1 steps"),
      invariant("attention_takes_one_step", one_step_error(run), 0.0, "自己注意では、どの経路の長さも 1",
                "in self-attention every path has one step"),
  };
}

std::vector<Block> body(const RecurrenceRun& run, const std::vector<Stage>& /*stages*/) {
  return {
      Paragraph::heading("順に処理する RNN、一度に処理する自己注意",
                         "An RNN works in sequence, self-attention in parallel"),
      Equation{formula::read("h_t = tanh(W h_{t−1} + U x_t)")},
      step_table(run),
      Paragraph::heading("遠くの入力からの勾配", "The gradient from far away"),
      Equation{formula::read("∂ h_T / ∂ h_t = Π diag(1 − h^2) W")},
      gradient_table(run),
      Paragraph::say(
          "RNN の状態は 1 つ前の状態を待つので、{} トークンに {:g} ステップかかり、勾配には 1 ステップごとに W と tanh の傾きが掛かります。{} ステップ前からの勾配は、{} です。自己注意では、どの経路も {:g} ステップで、勾配{}（1 ステップあたり × {:.3f}）。",
          "A state of the RNN waits for the state before it: {} tokens take {:g} steps, and each multiplies the gradient by W and the slope of tanh. From {} steps before it is {}. In self-attention every path has {:g} step, and the gradient {} (× {:.3f} per step).",
          run.tokens(), run.rnn.steps.back(), run.tokens() - 1, gradients_of_all(run),
          largest(run.self_attention.paths),
          has_trend(run) && run.attention_per_step < 1.0
              ? Text{"がここでは距離とともに小さくなります", "here falls with the distance"}
              : Text{"は距離とともに消えません", "does not fade with the distance"},
          run.attention_per_step),
      Paragraph::misunderstanding(
          "{}勾配が大きいという意味ではありません。{} 個のトークンが注意度を分け合うので、平均は {:.3g} です。また、1 ステップで済むのは系列全体が手もとにあるときです。文を 1 語ずつ生成するときは、自己注意でも前の語を待ちます。",
          "{} does not make it large. {} tokens share the weight: {:.3g} each on average. And one step is enough only if the whole sequence is available: generating text word by word, attention waits for the previous word as well.",
          has_trend(run) ? Text{"1 ステップで届くからといって、", "One step to every token"}
                         : Text{"消えないのは距離に対してで、", "It does not fade with distance; that"},
          run.tokens(), 1.0 / static_cast<double>(run.tokens())),
      Paragraph::note(
          "W は直交行列の ρ 倍で、固有値の絶対値はすべてスペクトル半径 ρ です。tanh の傾きは 1 以下なので、勾配は ρ の累乗を超えず、状態が大きく tanh が飽和すると小さくなります。ノルムはフロベニウスノルムを √d で割ったもので、単位行列で 1 です。自己注意のステップは、1 層を 1 つと数えます。",
          "W is ρ times an orthogonal matrix: every eigenvalue has the size ρ, the spectral radius. The slope of tanh is at most 1, so no gradient exceeds the power of ρ; large states saturate tanh and lower it. Norm: Frobenius over √d, 1 for the identity. A layer of self-attention counts as one step."),
  };
}

}  // namespace attnlab
