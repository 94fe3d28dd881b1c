// An RNN and a layer of self-attention over the same tokens: what waits for what, and how much of a token
// arrives at the last one.
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {
namespace {

/// The rows made orthogonal one after the other and of length 1 (Gram-Schmidt, twice against rounding).
/// Throws Error (usage) for rows that depend on one another.
Tensor<double> orthonormal_rows(Tensor<double> rows) {
  const std::size_t width = rows.shape()[0];
  const auto begin = [&rows](std::size_t row) { return &rows(row, 0); };
  for (std::size_t row = 0; row < width; ++row) {
    const double before = std::sqrt(std::inner_product(begin(row), begin(row) + width, begin(row), 0.0));
    for (std::size_t earlier = 0; earlier < 2 * row; ++earlier) {
      const double* other = begin(earlier % row);
      const double along = std::inner_product(begin(row), begin(row) + width, other, 0.0);
      std::transform(begin(row), begin(row) + width, other, begin(row),
                     [along](double mine, double others) { return mine - along * others; });
    }
    const double length = std::sqrt(std::inner_product(begin(row), begin(row) + width, begin(row), 0.0));
    if (!(length > 1e-10 * before)) {
      refuse_usage(text("w_random の行 {} は、それより前の行から作れます",
                        "row {} of w_random follows from the rows before it", row),
                   {"1 次独立な行を与えてください", "give rows that are linearly independent"});
    }
    std::transform(begin(row), begin(row) + width, begin(row),
                   [length](double value) { return value / length; });
  }
  return rows;
}

/// h_t = tanh(W h_{t-1} + U x_t) from h = 0, for every W.
Tensor<double> recurrent_states(const Tensor<double>& recurrent, const Tensor<double>& driven) {
  const std::size_t radii = recurrent.shape()[0];
  const std::size_t tokens = driven.shape()[0];
  const std::size_t width = driven.shape()[1];
  Tensor<double> states = Tensor<double>::from_shape({radii, tokens, width});
  const std::vector<double> none(width, 0.0);
  for (std::size_t i = 0; i < radii; ++i) {
    for (std::size_t t = 0; t < tokens; ++t) {
      const double* before = t == 0 ? none.data() : &states(i, t - 1, 0);
      for (std::size_t row = 0; row < width; ++row) {
        const double* w = &recurrent(i, row, 0);
        states(i, t, row) = std::tanh(std::inner_product(w, w + width, before, 0.0) + driven(t, row));
      }
    }
  }
  return states;
}

Tensor<double> state_gradients(const RecurrenceRun& run) {
  Tensor<double> sizes = Tensor<double>::from_shape({run.radius.size(), run.tokens()});
  for (std::size_t i = 0; i < run.radius.size(); ++i) {
    each_state_jacobian(
        xt::view(run.recurrent, i), xt::view(run.states, i),
        [&](std::size_t distance, const Tensor<double>& j) { sizes(i, distance) = jacobian_size(j); });
  }
  return sizes;
}

/// The mean over the farther half of the distances against that over the nearer half, as a factor per step;
/// distance 0, where the token also asks, is left out.
double change_per_step(const Tensor<double>& gradient) {
  const std::size_t farthest = gradient.size() - 1;
  const std::size_t half = farthest / 2;
  const auto at = [&gradient](std::size_t distance) {
    return gradient.begin() + static_cast<std::ptrdiff_t>(distance);
  };
  const double near = std::accumulate(at(1), at(1 + half), 0.0);
  const double far = std::accumulate(at(farthest + 1 - half), at(farthest + 1), 0.0);
  return std::pow(far / near, 1.0 / static_cast<double>(farthest - half));
}

}  // namespace

RecurrenceRun RecurrenceRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::size_t tokens = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  RecurrenceRun run;
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  run.rng = arguments.text("rng");
  run.inputs = Inputs(arguments);
  run.radius = run.inputs.given("radius", to_tensor(arguments.numbers("radius")));
  run.random = run.inputs.normal("w_random", {width, width});
  run.w_input = run.inputs.normal("w_input", {width, width}, times(arguments.number("input-scale")));
  run.w_query = run.inputs.normal("w_query", {width, width}, over_root(width));
  run.w_key = run.inputs.normal("w_key", {width, width}, over_root(width));
  run.w_value = run.inputs.normal("w_value", {width, width}, over_root(width));
  run.x = run.inputs.normal("x", {tokens, width});  // last: more tokens leave the first as they are

  run.orthogonal = orthonormal_rows(run.random);
  run.recurrent = xt::view(run.radius, xt::all(), xt::newaxis(), xt::newaxis()) * run.orthogonal;
  run.driven = matmul(run.x, attnlab::transpose(run.w_input));
  run.states = recurrent_states(run.recurrent, run.driven);
  run.gradient = state_gradients(run);
  run.per_step = run.radius;
  for (std::size_t i = 0; i < run.radius.size(); ++i) {
    run.per_step(i) = std::pow(run.gradient(i, tokens - 1), 1.0 / static_cast<double>(tokens - 1));
  }

  run.last = xt::view(run.x, xt::range(tokens - 1, tokens));
  run.query = matmul(run.last, run.w_query);
  run.key = matmul(run.x, run.w_key);
  run.value = matmul(run.x, run.w_value);
  run.attention = scaled_dot_product_attention(run.query, run.key, run.value);
  run.attention_gradient = attention_gradients(run);
  run.attention_per_step = change_per_step(run.attention_gradient);

  run.rnn = rnn_dependencies(tokens);
  run.self_attention = attention_dependencies(tokens);
  return run;
}

Experiment recurrence_experiment() {
  return {
      "recurrence",
      {"RNN は 1 つずつ順に読み、勾配は遠いほど消えるか爆発する",
       "an RNN reads step by step, and over a distance its gradient vanishes or explodes"},
      {"記事「なぜ Attention が必要なのか」", "article, why attention is needed"},
      {parameter("tokens", IntegerKind{{3, 128}}, "24", "系列の長さ n", "the length n of the sequence"),
       parameter("width", IntegerKind{{2, 64}}, "16", "次元 d", "width d of tokens and states"),
       parameter("radius", NumbersKind{{1, 5}, {0.01, 3.0}}, "0.7,1,1.2",
                 "W のスペクトル半径（固有値の絶対値）", "spectral radius of W: the size of its eigenvalues"),
       parameter("input-scale", NumberKind{{0.0, 10.0}}, "0.001",
                 "U の大きさ：入力が大きいと tanh が飽和します", "the size of U: large inputs saturate tanh"),
       seed_parameter("0"), rng_parameter()},
      report_of<RecurrenceRun>,
      "",
      {{"radius", {"radii?"}},
       {"w_random", {"width", "width"}},
       {"w_input", {"width", "width"}},
       {"w_query", {"width", "width"}},
       {"w_key", {"width", "width"}},
       {"w_value", {"width", "width"}},
       {"x", {"tokens", "width"}}},
      {{"input-scale=0.001:1:log:25"}}};
}

}  // namespace attnlab
