// The trace of `heads`: per head as the article writes it, or with one linear layer for all heads.
#include <fmt/format.h>

#include "attention/matmul.hpp"
#include "core/formula.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

using Axes = std::vector<std::string>;

/// ("batch", ...) before the axes of a run that has a batch axis.
Axes axes(const HeadsRun& run, Axes rest) {
  if (is_batched(run)) rest.insert(rest.begin(), "batch");
  return rest;
}

Formula head_scores(const HeadsRun& run) {
  return scaled_scores(run.scale_text, formula::read("Q_i K_i^T"), "d_k");
}

// --- One matrix per head (article, parity), in the letters of the article's eq. 8

void add_projections_per_head(std::vector<Stage>& trace, const HeadsRun& run) {
  const Axes matrix{"heads", "d_model", "width"};
  const auto projection = [](const char* w) { return derived::product("x", w); };
  trace = {
      input("x", run.query_input, {"tokens", "d_model"}),
      input("w_query", run.weights.query, matrix),
      input("w_key", run.weights.key, matrix),
      input("w_value", run.weights.value, matrix),
      input("w_output", run.weights.output, {"heads_width", "d_model"}),
      step("query", "X W_Q^i", run.stages.query, {"heads", "queries", "width"}, projection("w_query")),
      step("key", "X W_K^i", run.stages.key, {"heads", "keys", "width"}, projection("w_key")),
      step("value", "X W_V^i", run.stages.value, {"heads", "keys", "width"}, projection("w_value")),
  };
}

// --- One linear layer for all heads (book, course, notebook)

struct Projection {
  char letter;         // Q
  std::string name;    // query
  std::string tokens;  // the stage that is projected
  const char* length;  // the axis: queries or keys
  const Tensor<double>& per_head;
  const std::optional<Tensor<double>>& bias;
  const Tensor<double>& linear;
  const Tensor<double>& projected;
  const Tensor<double>& cut;
};

void add_projection(std::vector<Stage>& trace, const HeadsRun& run, const Projection& p) {
  const Axes joined{"batch", p.length, "heads_width"};
  const std::string product = fmt::format("{} W_{}^T", p.tokens == "x" ? 'X' : p.letter, p.letter);
  const Derivation linear = derived::product_with_transpose(p.tokens, "w_" + p.name);
  trace.push_back(
      input("w_" + p.name, attnlab::transpose(fuse_heads(p.per_head)), {"heads_width", "d_model"}));
  if (p.bias) {
    Tensor<double> bias = *p.bias;  // (heads, width)
    bias.reshape(std::vector<std::size_t>{bias.size()});
    trace.push_back(input("bias_" + p.name, bias, {"heads_width"}));
    trace.push_back(step("linear_" + p.name, product, p.linear, joined, linear));
    trace.push_back(step("projected_" + p.name, fmt::format("{} + b_{}", product, p.letter), p.projected,
                         joined, derived::sum("linear_" + p.name, "bias_" + p.name)));
  } else {
    trace.push_back(step("projected_" + p.name, product, p.projected, joined, linear));
  }
  trace.push_back(step(p.name, fmt::format("heads(P_{})", p.letter), p.cut,
                       {"batch", "heads", p.length, "width"},
                       derived::split_heads("projected_" + p.name, run.heads)));
}

void add_linear_projections(std::vector<Stage>& trace, const HeadsRun& run) {
  const bool book = run.variant == HeadsVariant::book;
  if (book) {
    trace = {input("query_input", run.query_input, {"batch", "queries", "d_model"}),
             input("key_input", run.key_input, {"batch", "keys", "d_model"}),
             input("value_input", run.value_input, {"batch", "keys", "d_model"})};
  } else {
    trace = {input("x", run.query_input, {"batch", "tokens", "d_model"})};
  }
  const MultiHeadWeights<double>& w = run.weights;
  add_projection(trace, run,
                 {'Q', "query", book ? "query_input" : "x", "queries", w.query, w.query_bias,
                  run.linear.query, run.projected.query, run.stages.query});
  add_projection(trace, run,
                 {'K', "key", book ? "key_input" : "x", "keys", w.key, w.key_bias, run.linear.key,
                  run.projected.key, run.stages.key});
  add_projection(trace, run,
                 {'V', "value", book ? "value_input" : "x", "keys", w.value, w.value_bias, run.linear.value,
                  run.projected.value, run.stages.value});
}

// --- Attention and what follows. Written out per head (article), or in one letter per stage where the batch
// axis leaves less room.

void add_attention(std::vector<Stage>& trace, const HeadsRun& run) {
  const AttentionStages<double>& inner = run.stages.attention;
  const Axes pair = axes(run, {"heads", "queries", "keys"});
  const bool short_formulas = is_batched(run);
  const bool masked = run.options.mask.has_value();
  const Formula scores = head_scores(run);
  const Formula logits = short_formulas ? formula::read(masked ? "S_i + M_i" : "S_i") : scores;
  trace.push_back(step("raw_scores", "Q_i K_i^T", inner.raw_scores, pair,
                       derived::product_with_transpose("query", "key")));
  trace.push_back(step("scores", scores, inner.scores, pair, derived::scaled("raw_scores", run.scale)));
  if (masked) {
    trace.push_back(input("mask", *run.options.mask, pair));
    trace.push_back(step("masked", "S_i + M_i", inner.masked, pair, derived::sum("scores", "mask")));
  }
  trace.push_back(step("weights", formula::call("softmax", logits), inner.weights, pair,
                       derived::softmax(masked ? "masked" : "scores")));
  trace.push_back(step("head_output", short_formulas ? formula::read("A_i V_i") : head_formula(run),
                       inner.output, axes(run, {"heads", "queries", "width"}),
                       derived::product("weights", "value")));
  trace.push_back(step("concat", short_formulas ? formula::read("Concat(head_i)") : concat_formula(run),
                       run.stages.concat, axes(run, {"queries", "heads_width"}),
                       derived::join_heads("head_output")));
}

void add_output(std::vector<Stage>& trace, const HeadsRun& run) {
  const Axes rows = axes(run, {"queries", "d_model"});
  if (!is_batched(run)) {
    trace.push_back(
        step("output", "Concat W_O", run.stages.output, rows, derived::product("concat", "w_output")));
    return;
  }
  const Derivation linear = derived::product_with_transpose("concat", "w_output");
  trace.push_back(input("w_output", attnlab::transpose(run.weights.output), {"d_model", "heads_width"}));
  if (!run.weights.output_bias) {
    trace.push_back(step("output", "Concat W_O^T", run.stages.output, rows, linear));
    return;
  }
  trace.push_back(input("bias_output", *run.weights.output_bias, {"d_model"}));
  trace.push_back(step("linear_output", "Concat W_O^T", run.linear_output, rows, linear));
  trace.push_back(step("output", "Concat W_O^T + b_O", run.stages.output, rows,
                       derived::sum("linear_output", "bias_output")));
}

}  // namespace

Formula head_formula(const HeadsRun& run) {
  Formula scores = head_scores(run);
  if (run.options.mask) scores = formula::row({scores, formula::sym(" + "), formula::read("M_i")});
  return formula::row({formula::call("softmax", scores), formula::read("V_i")});
}

Formula concat_formula(const HeadsRun& run) {
  if (run.heads == 1) return formula::read("Concat(head_0)");
  return formula::read(fmt::format("Concat(head_0,{}head_{})", run.heads == 2 ? "" : "…,", run.heads - 1));
}

std::vector<Stage> heads_trace(const HeadsRun& run) {
  const Axes rows{"queries", "d_model"};
  std::vector<Stage> trace;
  if (is_batched(run)) {
    add_linear_projections(trace, run);
  } else {
    add_projections_per_head(trace, run);
  }
  add_attention(trace, run);
  add_output(trace, run);
  if (run.variant == HeadsVariant::parity) {
    trace.push_back(input("pytorch_weights", run.pytorch_weights, {"heads", "queries", "keys"}));
    trace.push_back(input("pytorch_output", run.pytorch_output, rows));
  }
  for (Stage& one : trace) one.array.dtype = run.dtype;  // every array in the type in which it was computed
  if (run.variant == HeadsVariant::parity) {             // but the difference is taken in double
    trace.push_back(
        step("difference",
             formula::row({formula::sym("output"), formula::sym(" − "), formula::sym("pytorch_output")}),
             run.stages.output - run.pytorch_output, rows, derived::difference("output", "pytorch_output")));
  }
  return trace;
}

std::vector<Scalar> heads_scalars(const HeadsRun& run) {
  std::vector<Scalar> scalars{{"head_width", static_cast<double>(run.width)},
                              {"smallest_weight", run.data.low},
                              {"largest_weight", run.data.high},
                              {"disagreements", static_cast<double>(disagreements(run))}};
  if (run.variant == HeadsVariant::article) {
    scalars.push_back({"shared_start", static_cast<double>(shared_start(run))});
  }
  if (run.variant == HeadsVariant::parity) {
    scalars.push_back({"largest_difference", largest_difference(run.stages.output, run.pytorch_output)});
    scalars.push_back(
        {"largest_difference_float64", largest_difference(run.float64_output, run.pytorch_output)});
  }
  return scalars;
}

}  // namespace attnlab
