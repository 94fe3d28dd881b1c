// `train step`: one step of training, small enough to be written out: attention over three tokens, the loss,
// the gradient through softmax and the three projections, and the update. With --explain every line has its
// numbers.
#include "experiments/framework/room.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

struct StepRun {
  Inputs inputs;
  double rate = 0.0;
  Tensor<double> x;                          // (tokens, width)
  Tensor<double> target;                     // (tokens, width): 1 at the wanted answer
  std::array<Tensor<double>, 3> projection;  // W_Q, W_K, W_V (width, width)
};

/// The forward pass, up to the loss.
struct Forward {
  std::array<Tensor<double>, 3> projected;  // queries, keys, values
  AttentionStages<double> attention;
  Tensor<double> probabilities;  // (tokens, width): softmax of the outputs
  Tensor<double> losses;         // (tokens): −ln p, finite where p has become 0
  double loss = 0.0;             // their mean
};

Forward forward(const StepRun& run, const std::array<Tensor<double>, 3>& projection) {
  Forward result;
  for (std::size_t i = 0; i < 3; ++i) result.projected[i] = matmul(run.x, projection[i]);
  result.attention =
      scaled_dot_product_attention(result.projected[0], result.projected[1], result.projected[2]);
  result.probabilities = softmax(result.attention.output);
  result.losses = xt::sum(result.attention.output * run.target, {1});
  const Tensor<double> most = row_maximum(result.attention.output);
  const Tensor<double> likeliest = row_maximum(result.probabilities);
  for (std::size_t i = 0; i < most.size(); ++i)
    result.losses(i) = most(i) - result.losses(i) - std::log(likeliest(i));
  result.loss = sum_of(result.losses) / static_cast<double>(result.losses.size());
  return result;
}

struct Backward {
  Tensor<double> error;                      // (tokens, width)   p − target
  Tensor<double> output;                     // (tokens, width)   by the outputs
  Tensor<double> weights;                    // (tokens, tokens)  by the weights
  Tensor<double> scores;                     // (tokens, tokens)  by the scaled scores
  Tensor<double> raw;                        // (tokens, tokens)  by Q Kᵀ
  std::array<Tensor<double>, 3> projected;   // by queries, keys, values
  std::array<Tensor<double>, 3> projection;  // by W_Q, W_K, W_V
};

double scale_of(const StepRun& run) { return 1.0 / std::sqrt(static_cast<double>(run.x.shape()[1])); }

Backward backward(const StepRun& run, const Forward& forward) {
  Backward d;
  const Tensor<double>& a = forward.attention.weights;
  d.error = forward.probabilities - run.target;
  d.output = d.error / static_cast<double>(run.x.shape()[0]);
  d.projected[2] = matmul(transpose(a), d.output);
  d.weights = matmul(d.output, transpose(forward.projected[2]));
  const Tensor<double> mean = xt::sum(a * d.weights, {1}, xt::keep_dims);
  d.scores = a * (d.weights - mean);
  d.raw = d.scores * scale_of(run);
  d.projected[0] = matmul(d.raw, forward.projected[1]);
  d.projected[1] = matmul(transpose(d.raw), forward.projected[0]);
  for (std::size_t i = 0; i < 3; ++i) d.projection[i] = matmul(transpose(run.x), d.projected[i]);
  return d;
}

std::array<Tensor<double>, 3> updated(const StepRun& run, const Backward& gradient) {
  std::array<Tensor<double>, 3> next = run.projection;
  for (std::size_t i = 0; i < 3; ++i) next[i] -= run.rate * gradient.projection[i];
  return next;
}

/// The largest difference between the gradient and (L(w + h) − L(w − h)) / 2h, over all 3 width² weights.
double gradient_error(const StepRun& run, const Backward& gradient) {
  constexpr double h = 1e-5;
  double error = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < run.projection[i].size(); ++k) {
      std::array<Tensor<double>, 3> moved = run.projection;
      moved[i].flat(k) += h;
      const double above = forward(run, moved).loss;
      moved[i].flat(k) -= 2.0 * h;
      const double below = forward(run, moved).loss;
      error = worst(error, std::abs((above - below) / (2.0 * h) - gradient.projection[i].flat(k)));
    }
  }
  return error;
}

// --- Written out

/// Row i of Aᵀ B: Σ_k a_ki · b_k.
std::vector<Chain> transposed_product(const std::string& letter, const Tensor<double>& a,
                                      const Tensor<double>& b, const Tensor<double>& product) {
  const std::size_t width = b.shape()[1];
  return worked::lines(a.shape()[1], [&](std::size_t i) {
    const Written sum = worked::sum(a.shape()[0], [&](std::size_t k) {
      return worked::together({worked::factor(a(k, i)), "·", worked::numbers(&b(k, 0), width)});
    });
    return worked::equation(worked::indexed(letter, i), {sum, worked::numbers(&product(i, 0), width)});
  });
}

/// Row i of A ∘ (dA − Σ A ∘ dA).
std::vector<Chain> softmax_gradient(const Tensor<double>& a, const Tensor<double>& da,
                                    const Tensor<double>& ds) {
  const std::size_t n = a.shape()[1];
  return worked::lines(a.shape()[0], [&](std::size_t i) {
    double mean = 0.0;
    for (std::size_t k = 0; k < n; ++k) mean += a(i, k) * da(i, k);
    return worked::equation(worked::indexed("dS", i), {worked::together({worked::numbers(&a(i, 0), n), "∘ (",
                                                                         worked::numbers(&da(i, 0), n), "−",
                                                                         worked::factor(mean), ")"}),
                                                       worked::numbers(&ds(i, 0), n)});
  });
}

/// −ln p = o_max − o − ln p_max, of the wanted answer's output o: finite where p has become 0.
std::vector<Chain> losses_of(const StepRun& run, const Forward& forward) {
  const Tensor<double>& output = forward.attention.output;
  const Tensor<double> wanted = xt::sum(output * run.target, {1});
  return worked::lines(forward.losses.size(), [&](std::size_t i) {
    const Written likeliest = worked::call("ln", row_maximum(forward.probabilities)(i));
    return worked::equation(
        worked::indexed("L", i),
        {worked::together({row_maximum(output)(i), "−", worked::factor(wanted(i)), "−", likeliest}),
         forward.losses(i)});
  });
}

const std::array<const char*, 3> names{"query", "key", "value"};
const std::array<const char*, 3> letters{"Q", "K", "V"};

std::vector<Stage> stages_of(const StepRun& run, const Forward& f, const Backward& d) {
  const std::vector<std::string> tokens{"tokens", "width"};
  const std::vector<std::string> pairs{"queries", "keys"};
  const std::vector<std::string> square{"width_in", "width_out"};
  std::vector<Stage> stages{input("x", run.x, tokens), input("target", run.target, tokens)};
  for (std::size_t i = 0; i < 3; ++i) {
    stages.push_back(input(fmt::format("w_{}", names[i]), run.projection[i], square));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    stages.push_back(step(names[i], fmt::format("X W_{}", letters[i]), f.projected[i], tokens,
                          derived::product("x", fmt::format("w_{}", names[i]))));
  }
  append(stages,
         {step("raw_scores", "Q K^T", f.attention.raw_scores, pairs,
               derived::product_with_transpose("query", "key")),
          step("scores", "\\frac{Q K^T}{\\sqrt{d}}", f.attention.scores, pairs,
               derived::scaled("raw_scores", scale_of(run))),
          step("weights", "softmax(S)", f.attention.weights, pairs, derived::softmax("scores")),
          step("output", "A V", f.attention.output, tokens, derived::product("weights", "value")),
          step("probabilities", "softmax(O)", f.probabilities, tokens, derived::softmax("output")),
          step("losses", "−ln p = o_{max} − o − ln p_{max}", f.losses, {"tokens"},
               derived::worked({"output", "target", "probabilities"}, losses_of(run, f),
                               "np.amax(output, axis=-1) - np.sum(output * target, axis=-1)"
                               " - np.log(np.amax(probabilities, axis=-1))")),
          step("error", "P − Y", d.error, tokens, derived::difference("probabilities", "target")),
          step("d_output", "\\frac{P − Y}{n}", d.output, tokens,
               derived::scaled("error", 1.0 / static_cast<double>(run.x.shape()[0]))),
          step("d_value", "A^T dO", d.projected[2], tokens,
               derived::worked({"weights", "d_output"},
                               transposed_product("dV", f.attention.weights, d.output, d.projected[2]),
                               "weights.T @ d_output")),
          step("d_weights", "dO V^T", d.weights, pairs, derived::product_with_transpose("d_output", "value")),
          step("d_scores", "A ∘ (dA − Σ A ∘ dA)", d.scores, pairs,
               derived::worked(
                   {"weights", "d_weights"}, softmax_gradient(f.attention.weights, d.weights, d.scores),
                   "weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))")),
          step("d_raw_scores", "\\frac{dS}{\\sqrt{d}}", d.raw, pairs,
               derived::scaled("d_scores", scale_of(run))),
          step("d_query", "dR K", d.projected[0], tokens, derived::product("d_raw_scores", "key")),
          step("d_key", "dR^T Q", d.projected[1], tokens,
               derived::worked({"d_raw_scores", "query"},
                               transposed_product("dK", d.raw, f.projected[0], d.projected[1]),
                               "d_raw_scores.T @ query"))});
  const std::array<Tensor<double>, 3> next = updated(run, d);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string d_name = fmt::format("d_{}", names[i]);
    const std::string w_name = fmt::format("w_{}", names[i]);
    append(stages, {step("d_" + w_name, fmt::format("X^T d{}", letters[i]), d.projection[i], square,
                         derived::worked({"x", d_name},
                                         transposed_product(fmt::format("dW{}", letters[i]), run.x,
                                                            d.projected[i], d.projection[i]),
                                         fmt::format("x.T @ {}", d_name))),
                    step("change_" + w_name, fmt::format("η dW_{}", letters[i]), run.rate * d.projection[i],
                         square, derived::scaled("d_" + w_name, run.rate)),
                    step("new_" + w_name, fmt::format("W_{0} − η dW_{0}", letters[i]), next[i], square,
                         derived::difference(w_name, "change_" + w_name))});
  }
  return stages;
}

// --- What is told of it

Figure gradient_figure(const Forward& f, const Backward& d, const TaskWords& words) {
  const auto map = [](const char* id, const Tensor<double>& values, const ColourScale& scale) {
    return HeatMap{id, to_matrix(values)}
        .rows(training_words()("query"))
        .columns(training_words()("key"))
        .coloured(scale)
        .with_numbers(2);
  };
  ColourScale slope = signed_scale(d.scores);
  slope.label = words("slope");
  return Figure{"gradient", words("gradient")}
      .described(words("gradient_description"))
      .captioned(words("gradient_caption"))
      .panel(words("weights"), map("weights", f.attention.weights, weight_colours()))
      .panel(words("by_scores"), map("d_scores", d.scores, slope))
      .on_page(9.5, 4.8);
}

/// The same gradients without a line of mathematics.
constexpr const char* autograd = R"(
leaves = [w.clone().requires_grad_() for w in (w_query, w_key, w_value)]
q, k, v = (x @ w for w in leaves)
a = torch.softmax(q @ k.T / math.sqrt(x.shape[1]), dim=-1)
loss = torch.nn.functional.cross_entropy(a @ v, target)
loss.backward()
for leaf, gradient in zip(leaves, (d_w_query, d_w_key, d_w_value)):
    assert agrees(leaf.grad, gradient)
)";

Report run_step(const Arguments& arguments, const Context&) {
  StepRun run;
  run.inputs = Inputs(arguments);
  run.rate = arguments.number("rate");
  const std::size_t n = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  run.x = run.inputs.normal("x", {n, width});
  for (std::size_t i = 0; i < 3; ++i)
    run.projection[i] = run.inputs.normal(fmt::format("w_{}", names[i]), {width, width});
  Tensor<double> target = xt::zeros<double>({n, width});
  for (std::size_t i = 0; i < n; ++i) target(i, (i + 1) % width) = 1.0;
  run.target = run.inputs.user_or("target", target);
  run.inputs.require_all_used();

  const Forward before = forward(run, run.projection);
  const Backward gradient = backward(run, before);
  const double after = forward(run, updated(run, gradient)).loss;
  Report report;
  report.origins = run.inputs.origins();
  report.stages = stages_of(run, before, gradient);
  report.scalars = {{"loss", before.loss}, {"loss_after", after}};
  const Tensor<double> row_sums = xt::sum(gradient.scores, {1});
  const double size = std::max(1.0, largest_magnitude(gradient.scores));
  const TaskWords words("step", {{"loss", before.loss},
                                 {"after", after},
                                 {"rate", run.rate},
                                 {"inputs", run.inputs.told()},
                                 {"tokens", n},
                                 {"width", width}});
  report.invariants = {invariant("gradient_is_slope", gradient_error(run, gradient),
                                 1e-6 * std::max(1.0, largest_magnitude(run.x)), words("is_slope")),
                       invariant("score_gradients_sum_to_zero", largest_magnitude(row_sums),
                                 1e-14 * size * static_cast<double>(n), words("sums_to_zero"))};
  report.body = {
      words.paragraph(Role::heading, "heading"),
      words.paragraph(Role::text, "data"),
      Equation{formula::read("dS = A ∘ (dA − Σ A ∘ dA)")},
      Values{words("values_weights"), to_array(before.attention.weights, {"queries", "keys"})},
      Values{words("values_by_scores"), to_array(gradient.scores, {"queries", "keys"})},
      Values{words("values_by_query"), to_array(gradient.projection[0], {"width_in", "width_out"})},
      words.say(),
      words.misunderstanding()};
  report.torch_ending = autograd;
  report.figures = {gradient_figure(before, gradient, words)};
  return report;
}

}  // namespace

Experiment step_task() {
  const TaskWords words("step");
  Experiment task = learning_task(
      "step",
      {words.flag("tokens", IntegerKind{{1, 16}}, "3"), words.flag("width", IntegerKind{{2, 16}}, "2"),
       words.flag("rate", NumberKind{{1e-9, 1e3}}, "0.5"), seed_parameter("0"), rng_parameter()},
      run_step);
  task.may_be_stopped = false;
  return task;
}

}  // namespace attnlab
