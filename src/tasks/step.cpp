// `train step`: one step of training, small enough to be written out: attention over three tokens, the loss,
// the gradient through softmax and the three projections, and the update. With --explain every line has its
// numbers.
#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

const Axes tokens{"tokens", "width"};
const Axes pairs{"queries", "keys"};
const Axes square{"width_in", "width_out"};

struct Side {
  std::string name;
  const char* letter;
};
const std::array<Side, 3> sides{{{"query", "Q"}, {"key", "K"}, {"value", "V"}}};

using Projections = std::array<Tensor<double>, 3>;  // of queries, keys and values

Projections projections(const Tape& tape, const std::string& prefix) {
  return {tape.numbers_of(prefix + "query"), tape.numbers_of(prefix + "key"),
          tape.numbers_of(prefix + "value")};
}

// --- Forwards

/// −ln p = o_max − o − ln p_max, of the wanted answer's output o: finite where p has become 0.
Tensor<double> cross_entropies(const Tensor<double>& output, const Tensor<double>& target) {
  const Tensor<double> most = row_maximum(output);
  const Tensor<double> likeliest = row_maximum(softmax(output));
  Tensor<double> losses = xt::sum(output * target, {1});
  for (std::size_t i = 0; i < most.size(); ++i) losses(i) = most(i) - losses(i) - std::log(likeliest(i));
  return losses;
}

double mean_loss(const Tensor<double>& losses) { return sum_of(losses) / static_cast<double>(losses.size()); }

/// The loss of other projections over the same tokens.
double loss_with(const Tape& tape, const Projections& w) {
  const Tensor<double> x = tape.numbers_of("x");
  const AttentionStages<double> attention =
      scaled_dot_product_attention(matmul(x, w[0]), matmul(x, w[1]), matmul(x, w[2]));
  return mean_loss(cross_entropies(attention.output, tape.numbers_of("target")));
}

std::vector<Chain> loss_lines(const Tensor<double>& output, const Tensor<double>& target,
                              const Tensor<double>& losses) {
  const Tensor<double> most = row_maximum(output);
  const Tensor<double> wanted = xt::sum(output * target, {1});
  const Tensor<double> likeliest = row_maximum(softmax(output));
  return worked::lines(losses.size(), [&](std::size_t i) {
    return worked::equation(
        worked::indexed("L", i),
        {worked::together({most(i), "−", worked::factor(wanted(i)), "−", worked::call("ln", likeliest(i))}),
         losses(i)});
  });
}

void forwards(Tape& tape) {
  for (const auto& [name, letter] : sides)
    tape.product(name, fmt::format("X W_{}", letter), "x", "w_" + name, tokens);
  const Tensor<double> output = tape.attention("query", "key", "value", std::nullopt, {}).output;
  tape.softmax("probabilities", "softmax(O)", "output");
  const Tensor<double> target = tape.numbers_of("target");
  const Tensor<double> losses = cross_entropies(output, target);
  tape.step("losses", "−ln p = o_{max} − o − ln p_{max}", losses, {"tokens"},
            derived::worked({"output", "target", "probabilities"}, loss_lines(output, target, losses),
                            "np.amax(output, axis=-1) - np.sum(output * target, axis=-1)"
                            " - np.log(np.amax(probabilities, axis=-1))"));
}

// --- Backwards: the same lines upside down

/// Aᵀ B; its row i is Σ_k a_ki · b_k.
void transposed_product(Tape& tape, const std::string& name, const std::string& letter,
                        const std::string& formula, const std::string& left, const std::string& right,
                        const Axes& axes) {
  const Tensor<double> a = tape.numbers_of(left);
  const Tensor<double> b = tape.numbers_of(right);
  const Tensor<double> product = matmul(attnlab::transpose(a), b);
  const std::size_t width = b.shape()[1];
  const auto line = [&](std::size_t i) {
    const Written sum = worked::sum(a.shape()[0], [&](std::size_t k) {
      return worked::together({worked::factor(a(k, i)), "·", worked::numbers(&b(k, 0), width)});
    });
    return worked::equation(worked::indexed(letter, i), {sum, worked::numbers(&product(i, 0), width)});
  };
  tape.step(name, formula, product, axes,
            derived::worked({left, right}, worked::lines(a.shape()[1], line),
                            fmt::format("{}.T @ {}", left, right)));
}

/// A ∘ (dA − Σ A ∘ dA), through softmax.
void softmax_gradient(Tape& tape) {
  const Tensor<double> a = tape.numbers_of("weights");
  const Tensor<double> da = tape.numbers_of("d_weights");
  const Tensor<double> means = xt::sum(a * da, {1}, xt::keep_dims);
  const Tensor<double> ds = a * (da - means);
  const std::size_t n = a.shape()[1];
  const auto line = [&](std::size_t i) {
    return worked::equation(worked::indexed("dS", i), {worked::together({worked::numbers(&a(i, 0), n), "∘ (",
                                                                         worked::numbers(&da(i, 0), n), "−",
                                                                         worked::factor(means(i, 0)), ")"}),
                                                       worked::numbers(&ds(i, 0), n)});
  };
  tape.step("d_scores", "A ∘ (dA − Σ A ∘ dA)", ds, pairs,
            derived::worked({"weights", "d_weights"}, worked::lines(n, line),
                            "weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))"));
}

void backwards(Tape& tape) {
  const Tensor<double> x = tape.numbers_of("x");
  const std::size_t n = x.shape()[0];
  const Tensor<double> error = tape.difference("error", "P − Y", "probabilities", "target");
  tape.step("d_output", "\\frac{P − Y}{n}", error / static_cast<double>(n), tokens,
            derived::scaled("error", over(n)));
  transposed_product(tape, "d_value", "dV", "A^T dO", "weights", "d_output", tokens);
  tape.product_with_transpose("d_weights", "dO V^T", "d_output", "value", pairs);
  softmax_gradient(tape);
  tape.scaled("d_raw_scores", "\\frac{dS}{\\sqrt{d}}", "d_scores", over_root(x.shape()[1]));
  tape.product("d_query", "dR K", "d_raw_scores", "key", tokens);
  transposed_product(tape, "d_key", "dK", "dR^T Q", "d_raw_scores", "query", tokens);
}

void update(Tape& tape, double rate) {
  for (const auto& [name, letter] : sides) {
    const std::string w = "w_" + name;
    transposed_product(tape, "d_" + w, fmt::format("dW{}", letter), fmt::format("X^T d{}", letter), "x",
                       "d_" + name, square);
    tape.scaled("change_" + w, fmt::format("η dW_{}", letter), "d_" + w, times(rate));
    tape.difference("new_" + w, fmt::format("W_{0} − η dW_{0}", letter), w, "change_" + w);
  }
}

/// The largest difference between the gradient and (L(w + h) − L(w − h)) / 2h, over all 3 width² weights.
double gradient_error(const Tape& tape) {
  constexpr double h = 1e-5;
  const Projections w = projections(tape, "w_");
  const Projections gradient = projections(tape, "d_w_");
  double error = 0.0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t k = 0; k < w[i].size(); ++k) {
      Projections moved = w;
      moved[i].flat(k) += h;
      const double above = loss_with(tape, moved);
      moved[i].flat(k) -= 2.0 * h;
      const double below = loss_with(tape, moved);
      error = worst(error, std::abs((above - below) / (2.0 * h) - gradient[i].flat(k)));
    }
  }
  return error;
}

/// One step over tokens of which each is to answer the next dimension.
Tape computed(const Arguments& arguments) {
  const std::size_t n = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  Tape tape(arguments);
  const Tensor<double> x = tape.normal("x", {n, width});
  Projections w;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = tape.normal("w_" + sides[i].name, {width, width});
  Tensor<double> target = xt::zeros<double>({n, width});
  for (std::size_t i = 0; i < n; ++i) target(i, (i + 1) % width) = 1.0;
  tape.input("x", x, tokens);
  tape.input_or("target", target, tokens);
  for (std::size_t i = 0; i < w.size(); ++i) tape.input("w_" + sides[i].name, w[i], square);
  tape.require_all_used();
  forwards(tape);
  backwards(tape);
  update(tape, arguments.number("rate"));
  return tape;
}

// --- What is told of it

Figure gradient_figure(const Tensor<double>& weights, const Tensor<double>& d_scores,
                       const TaskWords& words) {
  const auto map = [](const char* id, const Tensor<double>& values, const ColourScale& scale) {
    return HeatMap{id, to_matrix(values)}
        .rows(training_words()("query"))
        .columns(training_words()("key"))
        .coloured(scale)
        .with_numbers(2);
  };
  ColourScale slope = signed_scale(d_scores);
  slope.label = words("slope");
  return Figure{"gradient", words("gradient")}
      .described(words("gradient_description"))
      .captioned(words("gradient_caption"))
      .panel(words("weights"), map("weights", weights, weight_colours()))
      .panel(words("by_scores"), map("d_scores", d_scores, slope))
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
  const Tape tape = computed(arguments);
  const double loss = mean_loss(tape.numbers_of("losses"));
  const double after = loss_with(tape, projections(tape, "new_w_"));
  const Tensor<double> weights = tape.numbers_of("weights");
  const Tensor<double> d_scores = tape.numbers_of("d_scores");
  Report report;
  report.origins = tape.origins();
  report.stages = tape.stages();
  report.scalars = {{"loss", loss}, {"loss_after", after}};
  const Tensor<double> row_sums = xt::sum(d_scores, {1});
  const double size = std::max(1.0, largest_magnitude(d_scores));
  const std::size_t n = weights.shape()[0];
  const TaskWords words("step", {{"loss", loss},
                                 {"after", after},
                                 {"rate", arguments.number("rate")},
                                 {"inputs", tape.described()},
                                 {"tokens", n},
                                 {"width", arguments.count("width")}});
  report.invariants = {
      invariant("gradient_is_slope", gradient_error(tape),
                1e-6 * std::max(1.0, largest_magnitude(tape.numbers_of("x"))), words("is_slope")),
      invariant("score_gradients_sum_to_zero", largest_magnitude(row_sums),
                1e-14 * size * static_cast<double>(n), words("sums_to_zero"))};
  report.body = {words.paragraph(Role::heading, "heading"),
                 words.paragraph(Role::text, "data"),
                 Equation{formula::read("dS = A ∘ (dA − Σ A ∘ dA)")},
                 Values{words("values_weights"), to_array(weights, pairs)},
                 Values{words("values_by_scores"), to_array(d_scores, pairs)},
                 Values{words("values_by_query"), to_array(tape.numbers_of("d_w_query"), square)},
                 words.say(),
                 words.misunderstanding()};
  report.program.torch_ending = autograd;
  report.figures = {gradient_figure(weights, d_scores, words)};
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
