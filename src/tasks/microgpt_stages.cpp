// The first step of `train microgpt`, array by array.
#include "attention/masks.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/weight_layout.hpp"
#include "core/named.hpp"
#include "experiments/framework/room.hpp"
#include "tasks/microgpt.hpp"

namespace attnlab {
namespace {

Tensor<double> matrix_of(const MicrogptRun& run, const std::vector<double>& all, const std::string& name) {
  const Microgpt::Matrix& matrix = *find_named(run.matrices, name);
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(matrix.offset);
  return to_tensor(
      std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(matrix.rows * matrix.columns)),
      {matrix.rows, matrix.columns});
}

/// The rows of tokens or places that the document reads.
Tensor<double> rows_of(const Tensor<double>& table, const std::vector<std::size_t>& rows) {
  Tensor<double> chosen = xt::empty<double>({rows.size(), table.shape()[1]});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < table.shape()[1]; ++k) chosen(i, k) = table(rows[i], k);
  }
  return chosen;
}

/// Each of a matrix's numbers by a formula of other numbers at the same place, a line a row of the first.
template <class Line>
std::vector<Chain> first_rows(const Tensor<double>& result, const std::string& letter, Line line) {
  const std::size_t width = result.shape()[1];
  return worked::lines(result.shape()[0], [&](std::size_t i) {
    return worked::equation(worked::indexed(letter, i), {line(i), worked::numbers(&result(i, 0), width)});
  });
}

void add_layer(const MicrogptRun& run, std::size_t l, std::vector<Stage>& stages) {
  const MicrogptPass::Layer& layer = run.first.pass.layers[l];
  const std::string mark = run.sizes.layers > 1 ? fmt::format("layer{}_", l) : "";
  const std::string residual = l == 0 ? "residual" : fmt::format("layer{}_output", l - 1);
  const std::size_t n = run.first.pass.positions;
  const std::size_t width = run.sizes.width;
  const std::size_t heads = run.sizes.heads;
  const std::vector<std::string> rows{"positions", "width"};
  const std::vector<std::string> split{"heads", "positions", "head_width"};
  const std::vector<std::string> pairs{"heads", "queries", "keys"};
  const double scale = 1.0 / std::sqrt(static_cast<double>(width) / static_cast<double>(heads));
  const auto here = [&](const std::vector<double>& values) { return to_tensor(values, {n, width}); };
  const auto weights_of = [&](const char* name) {
    return matrix_of(run, run.first.parameters, fmt::format("layer{}.{}", l, name));
  };
  const auto times = [&](const std::string& name, const std::string& formula, const Tensor<double>& value,
                         const std::string& in, const std::string& matrix,
                         const std::vector<std::string>& axes) {
    stages.push_back(step(mark + name, formula, value, axes, derived::product_with_transpose(in, matrix)));
  };
  for (const auto& [name, matrix] :
       std::initializer_list<std::pair<const char*, const char*>>{{"w_query", "attn_wq"},
                                                                  {"w_key", "attn_wk"},
                                                                  {"w_value", "attn_wv"},
                                                                  {"w_output", "attn_wo"},
                                                                  {"w_up", "mlp_fc1"},
                                                                  {"w_down", "mlp_fc2"}})
    stages.push_back(input(mark + name, weights_of(matrix), {"outputs", "inputs"}));
  stages.push_back(step(mark + "normed", "RMSNorm(X)", here(layer.normed), rows,
                        derived::rms_norm(residual, "gain", Microgpt::norm_eps)));
  const std::array<std::pair<const char*, const std::vector<double>*>, 3> projections{
      {{"query", &layer.query}, {"key", &layer.key}, {"value", &layer.value}}};
  for (const auto& [name, values] : projections) {
    times(name, "X W^T", here(*values), mark + "normed", mark + "w_" + name, rows);
    stages.push_back(step(mark + name + "_heads", fmt::format("{}_h", name),
                          split_heads(here(*values), heads), split,
                          derived::split_heads(mark + name, heads)));
  }
  const Tensor<double> mask = additive_mask(causal_mask(n, n), -infinity);
  const AttentionStages<double> attention = scaled_dot_product_attention<double>(
      split_heads(here(layer.query), heads), split_heads(here(layer.key), heads),
      split_heads(here(layer.value), heads), {scale, mask});
  const Tensor<double> mixed = here(layer.mixed);
  append(stages,
         {step(mark + "raw_scores", "Q K^T", attention.raw_scores, pairs,
               derived::product_with_transpose(mark + "query_heads", mark + "key_heads")),
          step(mark + "scores", "\\frac{Q K^T}{\\sqrt{d}}", attention.scores, pairs,
               derived::scaled(mark + "raw_scores", scale)),
          input(mark + "mask", mask, {"queries", "keys"}),
          step(mark + "masked_scores", "S + M", attention.masked, pairs,
               derived::sum(mark + "scores", mark + "mask")),
          step(mark + "weights", "softmax(S + M)", to_tensor(layer.weights, {heads, n, n}), pairs,
               derived::softmax(mark + "masked_scores")),
          step(mark + "head_output", "A V", split_heads(mixed, heads), split,
               derived::product(mark + "weights", mark + "value_heads")),
          step(mark + "joined", "Concat(H)", mixed, rows, derived::join_heads(mark + "head_output"))});
  const Tensor<double> attended = here(layer.attended);
  times("projected", "H W_O^T", attended - here(layer.residual), mark + "joined", mark + "w_output", rows);
  append(stages,
         {step(mark + "attended", "X + H W_O^T", attended, rows, derived::sum(mark + "projected", residual)),
          step(mark + "normed_again", "RMSNorm(X)", here(layer.normed_again), rows,
               derived::rms_norm(mark + "attended", "gain", Microgpt::norm_eps))});
  const std::vector<std::string> wide{"positions", "units"};
  const std::size_t units = layer.hidden.size() / n;
  times("hidden", "X W_1^T", to_tensor(layer.hidden, {n, units}), mark + "normed_again", mark + "w_up", wide);
  stages.push_back(step(mark + "active", "ReLU(H)", to_tensor(layer.active, {n, units}), wide,
                        derived::relu(mark + "hidden")));
  times("mlp", "H W_2^T", here(layer.output) - attended, mark + "active", mark + "w_down", rows);
  stages.push_back(step(mark + "output", "X + MLP", here(layer.output), rows,
                        derived::sum(mark + "mlp", mark + "attended")));
}

}  // namespace

std::vector<Stage> microgpt_stages(const MicrogptRun& run) {
  const MicrogptFirstStep& first = run.first;
  const std::size_t n = first.pass.positions;
  const std::size_t vocabulary = run.sizes.vocabulary;
  const std::size_t width = run.sizes.width;
  std::vector<std::size_t> tokens;
  std::vector<std::size_t> places;
  Tensor<double> target = xt::zeros<double>({n, vocabulary});
  for (std::size_t t = 0; t < n; ++t) {
    tokens.push_back(static_cast<std::size_t>(first.document[t]));
    places.push_back(t);
    target(t, static_cast<std::size_t>(first.document[t + 1])) = 1.0;
  }
  const std::vector<std::string> rows{"positions", "width"};
  const std::vector<std::string> letters{"positions", "vocabulary"};
  const std::vector<std::string> head{"vocabulary", "width"};
  const Tensor<double> token = rows_of(matrix_of(run, first.parameters, "wte"), tokens);
  const Tensor<double> place = rows_of(matrix_of(run, first.parameters, "wpe"), places);
  const Tensor<double> gain = xt::ones<double>({width});
  std::vector<Stage> stages{
      input("token", token, rows), input("place", place, rows), input("gain", gain, {"width"}),
      step("embedded", "E + P", to_tensor(first.pass.embedded, {n, width}), rows,
           derived::sum("token", "place")),
      step("residual", "RMSNorm(E)", to_tensor(first.pass.layers.front().residual, {n, width}), rows,
           derived::rms_norm("embedded", "gain", Microgpt::norm_eps))};
  for (std::size_t l = 0; l < run.sizes.layers; ++l) add_layer(run, l, stages);
  const std::string last =
      run.sizes.layers > 1 ? fmt::format("layer{}_output", run.sizes.layers - 1) : "output";
  const Tensor<double> w = matrix_of(run, first.parameters, "lm_head");
  const Tensor<double> gradient = matrix_of(run, first.gradient, "lm_head");
  const Tensor<double> probabilities = to_tensor(first.pass.probabilities, {n, vocabulary});
  const Tensor<double> error = probabilities - target;
  const Tensor<double> d_logits = error / static_cast<double>(n);
  const Tensor<double> m = (1.0 - Microgpt::beta1) * gradient;
  const Tensor<double> v = (1.0 - Microgpt::beta2) * gradient * gradient;
  const Tensor<double> m_hat = m / (1.0 - Microgpt::beta1);
  const Tensor<double> v_hat = v / (1.0 - Microgpt::beta2);
  const Tensor<double> next = matrix_of(run, first.updated, "lm_head");
  const Tensor<double> change = w - next;
  const Tensor<double> x = to_tensor(first.pass.layers.back().output, {n, width});
  const auto row = [&](const Tensor<double>& values, std::size_t i) {
    return worked::numbers(&values(i, 0), width);
  };
  append(
      stages,
      {input("w", w, head),
       step("logits", "X W^T", to_tensor(first.pass.logits, {n, vocabulary}), letters,
            derived::product_with_transpose(last, "w")),
       step("probabilities", "softmax(L)", probabilities, letters, derived::softmax("logits")),
       input("target", target, letters),
       step("error", "P − Y", error, letters, derived::difference("probabilities", "target")),
       step("d_logits", "\\frac{P − Y}{n}", d_logits, letters,
            derived::scaled("error", 1.0 / static_cast<double>(n))),
       step("gradient", "dL^T X", gradient, head,
            derived::worked(
                {"d_logits", last},
                first_rows(gradient, "g",
                           [&](std::size_t i) {
                             return worked::sum(n, [&, i](std::size_t t) {
                               return worked::together({worked::factor(d_logits(t, i)), "·", row(x, t)});
                             });
                           }),
                "d_logits.T @ " + last)),
       step("m", "(1 − β_1) g", m, head, derived::scaled("gradient", 1.0 - Microgpt::beta1)),
       step("v", "(1 − β_2) g^2", v, head,
            derived::worked({"gradient"},
                            first_rows(v, "v",
                                       [&](std::size_t i) {
                                         return worked::together({worked::factor(1.0 - Microgpt::beta2), "·",
                                                                  row(gradient, i), "²"});
                                       }),
                            "0.01 * gradient ** 2")),
       step("m_hat", "\\frac{m}{1 − β_1}", m_hat, head, derived::scaled("m", 1.0 / (1.0 - Microgpt::beta1))),
       step("v_hat", "\\frac{v}{1 − β_2}", v_hat, head, derived::scaled("v", 1.0 / (1.0 - Microgpt::beta2))),
       step("change", "η \\frac{m}{\\sqrt{v} + ε}", change, head,
            derived::worked({"m_hat", "v_hat"},
                            first_rows(change, "Δ",
                                       [&](std::size_t i) {
                                         return worked::together({worked::factor(microgpt_rate), "·",
                                                                  row(m_hat, i), "/ √", row(v_hat, i)});
                                       }),
                            "0.01 * m_hat / (np.sqrt(v_hat) + 1e-8)")),
       step("new_w", "W − Δ", next, head, derived::difference("w", "change"))});
  return stages;
}

}  // namespace attnlab
