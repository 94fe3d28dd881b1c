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

// --- The trace

using namespace worked;
using formula::read;

std::vector<Chain> recurrent_lines(const RecurrenceRun& run) {
  return lines(run.radius.size(), [&](std::size_t i) {
    return equation(indexed("W", i), {together({run.radius(i), "·", "W"})});
  });
}

/// The first step of every RNN, from h = 0: h₀ = tanh(U x₀).
std::vector<Chain> state_lines(const RecurrenceRun& run) {
  return lines(run.radius.size(), [&](std::size_t i) {
    return equation(indexed("h", 0), {together({"tanh", numbers(&run.driven(0, 0), run.width())}),
                                      numbers(&run.states(i, 0, 0), run.width())});
  });
}

/// g₀ ≈ (0.7, ...)
std::vector<Chain> per_step_lines(const RecurrenceRun& run) {
  const std::size_t last = run.tokens() - 1;
  return lines(run.radius.size(), [&](std::size_t i) {
    return equation(indexed("r", i),
                    {together({"(", run.gradient(i, last), ")", read("^{1 / " + std::to_string(last) + "}")}),
                     run.per_step(i)});
  });
}

void record_dependencies(Tape& tape, RecurrenceRun& run) {
  const Dependencies& rnn = run.rnn = rnn_dependencies(run.tokens());
  const Dependencies& attention = run.self_attention = attention_dependencies(run.tokens());
  tape.step("rnn_steps", "1 + t", rnn.steps, {"results"},
            derived::worked({"x"}, rows("s", rnn.steps), "np.arange(len(x)) + 1.0"));
  tape.step("rnn_paths", "t − j + 1", rnn.paths, {"results", "tokens"},
            derived::worked({"x"}, rows("p", rnn.paths), "chain_lengths(len(x))"));
  tape.step("attention_steps", "1", attention.steps, {"results"},
            derived::worked({"x"}, rows("s", attention.steps), "np.ones(len(x))"));
  tape.step("attention_paths", "1", attention.paths, {"results", "tokens"},
            derived::worked({"x"}, rows("p", attention.paths), "np.ones((len(x), len(x)))"));
}

}  // namespace

RecurrenceRun RecurrenceRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::size_t tokens = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  RecurrenceRun run;
  const Axes matrix{"width_out", "width_in"};
  const Axes projection{"width_in", "width_out"};
  const Axes token{"tokens", "width"};
  Tape& tape = run.tape = Tape(arguments);
  run.radius = tape.input_or("radius", to_tensor(arguments.numbers("radius")), {"radii"});
  const Tensor<double> random = tape.normal("w_random", {width, width}, matrix);
  tape.normal("w_input", {width, width}, matrix, times(arguments.number("input-scale")));
  run.w_query = tape.normal("w_query", {width, width}, projection, over_root(width));
  run.w_key = tape.normal("w_key", {width, width}, projection, over_root(width));
  run.w_value = tape.normal("w_value", {width, width}, projection, over_root(width));
  run.x = tape.normal("x", {tokens, width}, token);  // last: more tokens leave the first as they are

  run.orthogonal = orthonormal_rows(random);
  tape.step("orthogonal", "W", run.orthogonal, matrix,
            derived::worked({"w_random"}, rows("w", run.orthogonal), "orthonormal_rows(w_random)"));
  run.recurrent = xt::view(run.radius, xt::all(), xt::newaxis(), xt::newaxis()) * run.orthogonal;
  tape.step("recurrent", "W_ρ = ρ W", run.recurrent, {"radii", "width_out", "width_in"},
            derived::worked({"radius", "orthogonal"}, recurrent_lines(run),
                            "radius[:, np.newaxis, np.newaxis] * orthogonal"));
  run.driven = tape.product_with_transpose("driven", "X U^T", "x", "w_input", token);
  run.states = recurrent_states(run.recurrent, run.driven);
  run.gradient = state_gradients(run);
  run.per_step = run.radius;
  for (std::size_t i = 0; i < run.radius.size(); ++i) {
    run.per_step(i) = std::pow(run.gradient(i, tokens - 1), 1.0 / static_cast<double>(tokens - 1));
  }
  // Rounding grows as the gradient does; below 1e-8 a program's digits allow for it.
  const double grown = 1e-14 * largest_magnitude(run.gradient);
  const double rounding = grown > 1e-8 ? grown : 0.0;
  tape.step("states", "h_t = tanh(W_ρ h_{t−1} + U x_t)", run.states, {"radii", "tokens", "width"},
            derived::worked({"recurrent", "driven"}, state_lines(run), "recurrent_states(recurrent, driven)")
                .rounded_by(rounding));
  tape.step(
      "gradient", "\\frac{‖ Π diag(1 − h^2) W_ρ ‖}{\\sqrt{d}}", run.gradient, {"radii", "distances"},
      derived::worked({"recurrent", "states"}, rows("g", run.gradient), "state_gradients(recurrent, states)")
          .rounded_by(rounding));
  tape.step("per_step", "g_{n−1}^{1 / (n − 1)}", run.per_step, {"radii"},
            derived::worked({"gradient"}, per_step_lines(run),
                            fmt::format("gradient[:, -1] ** (1 / {})", tokens - 1))
                .rounded_by(rounding));

  tape.step("last", Formula{}, xt::view(run.x, xt::range(tokens - 1, tokens)), {"queries", "width"},
            derived::input("x[-1:]"));
  run.query = tape.product("query", "x_T W_Q", "last", "w_query", {"queries", "width"});
  run.key = tape.product("key", "X W_K", "x", "w_key", token);
  run.value = tape.product("value", "X W_V", "x", "w_value", token);
  run.attention =
      tape.attention("query", "key", "value", std::nullopt,
                     {"q K^T", "\\frac{q K^T}{\\sqrt{d}}", "softmax(\\frac{q K^T}{\\sqrt{d}})", "y_T = a V"});
  run.attention_gradient = attention_gradients(run);
  run.attention_per_step = change_per_step(run.attention_gradient);
  tape.step("attention_gradient", "\\frac{‖ ∂ y_T / ∂ x_t ‖}{\\sqrt{d}}", run.attention_gradient,
            {"distances"},
            derived::worked({"query", "key", "value", "weights", "output", "w_query", "w_key", "w_value"},
                            rows("g", run.attention_gradient),
                            "attention_gradients(query, key, value, w_query, w_key, w_value)"));
  record_dependencies(tape, run);
  return run;
}

Experiment recurrence_experiment() {
  return Experiment{
      "recurrence",
      {"RNN は 1 つずつ順に処理し、勾配は遠いほど消えるか爆発する",
       "an RNN works step by step, and over a distance its gradient vanishes or explodes"},
      {"記事「なぜ Attention が必要なのか」", "article, why attention is needed"},
      {parameter("tokens", IntegerKind{{3, 128}}, "24", "系列の長さ n", "the length n of the sequence"),
       parameter("width", IntegerKind{{2, 64}}, "16", "次元 d", "width d of tokens and states"),
       parameter("radius", NumbersKind{{1, 5}, {0.01, 3.0}}, "0.7,1,1.2",
                 "W のスペクトル半径（固有値の絶対値）", "spectral radius of W: the size of its eigenvalues"),
       parameter("input-scale", NumberKind{{0.0, 10.0}}, "0.001",
                 "U の大きさ：入力が大きいと tanh が飽和します", "the size of U: large inputs saturate tanh"),
       seed_parameter("0"), rng_parameter()},
      report_of<RecurrenceRun>}
      .with_inputs({{"radius", {"radii?"}},
                    {"w_random", {"width", "width"}},
                    {"w_input", {"width", "width"}},
                    {"w_query", {"width", "width"}},
                    {"w_key", {"width", "width"}},
                    {"w_value", {"width", "width"}},
                    {"x", {"tokens", "width"}}})
      .with_sliders({{"input-scale=0.001:1:log:25"}});
}

}  // namespace attnlab
