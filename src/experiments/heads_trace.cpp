// The trace of `heads`: per head as the article writes it, or with one linear layer for all heads.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "attention/matmul.hpp"
#include "core/formula.hpp"
#include "experiments/heads/heads.hpp"
#include "experiments/heads_pytorch_values.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sub;
using formula::sup;
using formula::sym;

using Axes = std::vector<std::string>;

/// An input is not computed from anything.
Formula given() {
  return row({});
}

/// The trace under construction: every array in the type in which it was computed.
class Trace {
 public:
  explicit Trace(DType dtype) : dtype_(dtype) {}

  void add(const std::string& name, const Formula& formula, const Tensor<double>& values, Axes axes,
           Derivation derivation = {}) {
    Array array = to_array(values, std::move(axes));
    array.dtype = dtype_;
    stages_.push_back({name, formula, std::move(array), std::move(derivation)});
  }

  std::vector<Stage> stages() && { return std::move(stages_); }
  Stage& last() { return stages_.back(); }

 private:
  DType dtype_;
  std::vector<Stage> stages_;
};

/// ("batch", ...) before the axes of a run that has a batch axis.
Axes axes(const HeadsRun& run, Axes rest) {
  if (is_batched(run)) rest.insert(rest.begin(), "batch");
  return rest;
}

Formula scores_formula(const HeadsRun& run, const Formula& query, const Formula& key) {
  Formula product = row({query, sup(key, sym("T"))});
  if (run.scale_text == "none") return product;
  if (run.scale_text == "default") return formula::fraction(product, formula::root(sub(sym("d"), sym("k"))));
  return row({sym(run.scale_text + " "), product});
}

Formula of_head(const char* letter) {
  return sub(sym(letter), sym("i"));
}

/// X W_Q^i: the letter as an index and the head as an exponent, as in the article's eq. 8.
Formula head_projection(const char* letter) {
  return row({sym("X"), sup(sub(sym("W"), sym(letter)), sym("i"))});
}

// --- One matrix per head (article, parity) ---------------------------------------------------------------

void add_projections_per_head(Trace& trace, const HeadsRun& run) {
  const Axes matrix{"heads", "d_model", "width"};
  trace.add("x", given(), run.query_input, {"tokens", "d_model"});
  trace.add("w_query", given(), run.weights.query, matrix);
  trace.add("w_key", given(), run.weights.key, matrix);
  trace.add("w_value", given(), run.weights.value, matrix);
  trace.add("w_output", given(), run.weights.output, {"heads_width", "d_model"});
  const auto product = [](const char* matrix_name) { return derived::product("x", matrix_name); };
  trace.add("query", head_projection("Q"), run.stages.query, {"heads", "queries", "width"},
            product("w_query"));
  trace.add("key", head_projection("K"), run.stages.key, {"heads", "keys", "width"}, product("w_key"));
  trace.add("value", head_projection("V"), run.stages.value, {"heads", "keys", "width"}, product("w_value"));
}

// --- One linear layer for all heads (book, course, notebook) ---------------------------------------------

struct Projection {
  const char* letter;  // Q
  const char* name;    // query
  const char* tokens;  // the stage that is projected
  const char* length;  // the axis: queries or keys
  const Tensor<double>& per_head;
  const std::optional<Tensor<double>>& bias;
  const Tensor<double>& linear;
  const Tensor<double>& projected;
  const Tensor<double>& cut;
};

/// The bias (heads, width) as one row (heads * width,).
Tensor<double> flat(const Tensor<double>& bias) {
  Tensor<double> row_of_numbers = bias;
  row_of_numbers.reshape(std::vector<std::size_t>{bias.size()});
  return row_of_numbers;
}

void add_projection(Trace& trace, const HeadsRun& run, const Projection& p) {
  const std::string name = p.name;
  const Axes joined{"batch", p.length, "heads_width"};
  const Formula tokens = sym(p.tokens == std::string("x") ? "X" : p.letter);
  const Formula product = row({tokens, sup(sub(sym("W"), sym(p.letter)), sym("T"))});
  const Derivation linear = derived::product_with_transpose(p.tokens, "w_" + name);
  trace.add("w_" + name, given(), transpose(fuse_heads(p.per_head)), {"heads_width", "d_model"});
  if (p.bias) {
    trace.add("bias_" + name, given(), flat(*p.bias), {"heads_width"});
    trace.add("linear_" + name, product, p.linear, joined, linear);
    trace.add("projected_" + name, row({product, sym(" + "), sub(sym("b"), sym(p.letter))}), p.projected,
              joined, derived::sum("linear_" + name, "bias_" + name));
  } else {
    trace.add("projected_" + name, product, p.projected, joined, linear);
  }
  trace.add(name, formula::call("heads", sub(sym("P"), sym(p.letter))), p.cut,
            {"batch", "heads", p.length, "width"}, derived::split_heads("projected_" + name, run.heads));
}

void add_linear_projections(Trace& trace, const HeadsRun& run) {
  const bool book = run.variant == HeadsVariant::book;
  if (book) {
    trace.add("query_input", given(), run.query_input, {"batch", "queries", "d_model"});
    trace.add("key_input", given(), run.key_input, {"batch", "keys", "d_model"});
    trace.add("value_input", given(), run.value_input, {"batch", "keys", "d_model"});
  } else {
    trace.add("x", given(), run.query_input, {"batch", "tokens", "d_model"});
  }
  const MultiHeadWeights<double>& w = run.weights;
  add_projection(trace, run,
                 {"Q", "query", book ? "query_input" : "x", "queries", w.query, w.query_bias,
                  run.linear.query, run.projected.query, run.stages.query});
  add_projection(trace, run,
                 {"K", "key", book ? "key_input" : "x", "keys", w.key, w.key_bias, run.linear.key,
                  run.projected.key, run.stages.key});
  add_projection(trace, run,
                 {"V", "value", book ? "value_input" : "x", "keys", w.value, w.value_bias, run.linear.value,
                  run.projected.value, run.stages.value});
}

// --- Attention and what follows --------------------------------------------------------------------------

/// The formulas of the stages after the projections: written out per head (article), or in one letter per
/// stage where the batch axis leaves less room for them.
struct AttentionFormulas {
  Formula weights;
  Formula head_output;
  Formula concat;
};

AttentionFormulas attention_formulas(const HeadsRun& run, const Formula& scores) {
  if (!is_batched(run)) return {formula::call("softmax", scores), head_formula(run), concat_formula(run)};
  const Formula masked = run.options.mask ? row({of_head("S"), sym(" + "), of_head("M")}) : of_head("S");
  return {formula::call("softmax", masked), row({of_head("A"), of_head("V")}),
          formula::call("Concat", of_head("head"))};
}

void add_attention(Trace& trace, const HeadsRun& run) {
  const AttentionStages<double>& inner = run.stages.attention;
  const Axes pair = axes(run, {"heads", "queries", "keys"});
  const Formula scores = scores_formula(run, of_head("Q"), of_head("K"));
  const AttentionFormulas formulas = attention_formulas(run, scores);
  trace.add("raw_scores", row({of_head("Q"), sup(of_head("K"), sym("T"))}), inner.raw_scores, pair,
            derived::product_with_transpose("query", "key"));
  trace.add("scores", scores, inner.scores, pair, derived::scaled("raw_scores", run.scale));
  if (run.options.mask) {
    trace.add("mask", given(), *run.options.mask, pair);
    trace.add("masked", row({of_head("S"), sym(" + "), of_head("M")}), inner.masked, pair,
              derived::sum("scores", "mask"));
  }
  trace.add("weights", formulas.weights, inner.weights, pair,
            derived::softmax(run.options.mask ? "masked" : "scores"));
  trace.add("head_output", formulas.head_output, inner.output, axes(run, {"heads", "queries", "width"}),
            derived::product("weights", "value"));
  trace.add("concat", formulas.concat, run.stages.concat, axes(run, {"queries", "heads_width"}),
            derived::join_heads("head_output"));
}

void add_output(Trace& trace, const HeadsRun& run) {
  const Axes output = axes(run, {"queries", "d_model"});
  const Formula w_output = sub(sym("W"), sym("O"));
  if (!is_batched(run)) {
    trace.add("output", row({sym("Concat"), sym(" "), w_output}), run.stages.output, output,
              derived::product("concat", "w_output"));
    return;
  }
  const Formula product = row({sym("Concat"), sym(" "), sup(w_output, sym("T"))});
  const Derivation linear = derived::product_with_transpose("concat", "w_output");
  trace.add("w_output", given(), transpose(run.weights.output), {"d_model", "heads_width"});
  if (!run.weights.output_bias) {
    trace.add("output", product, run.stages.output, output, linear);
    return;
  }
  trace.add("bias_output", given(), *run.weights.output_bias, {"d_model"});
  trace.add("linear_output", product, run.linear_output, output, linear);
  trace.add("output", row({product, sym(" + "), sub(sym("b"), sym("O"))}), run.stages.output, output,
            derived::sum("linear_output", "bias_output"));
}

/// PyTorch's numbers beside ours; their difference is taken in double.
void add_pytorch(Trace& trace, const HeadsRun& run) {
  const auto like = [](const std::vector<double>& values, const Tensor<double>& model) {
    Tensor<double> tensor = model;
    std::copy(values.begin(), values.end(), tensor.begin());
    return tensor;
  };
  const Tensor<double> output = like(pytorch_values().output, run.stages.output);
  trace.add("pytorch_weights", given(), like(pytorch_values().weights, run.stages.attention.weights),
            {"heads", "queries", "keys"});
  trace.add("pytorch_output", given(), output, {"queries", "d_model"});
  const Tensor<double> difference = run.stages.output - output;
  trace.add("difference", row({sym("output"), sym(" − "), sym("pytorch_output")}), difference,
            {"queries", "d_model"}, derived::difference("output", "pytorch_output"));
  trace.last().array.dtype = DType::float64;
}

}  // namespace

Formula head_formula(const HeadsRun& run) {
  Formula scores = scores_formula(run, of_head("Q"), of_head("K"));
  if (run.options.mask) scores = row({scores, sym(" + "), of_head("M")});
  return row({formula::call("softmax", scores), of_head("V")});
}

Formula concat_formula(const HeadsRun& run) {
  const Formula first = sub(sym("head"), sym("0"));
  if (run.heads == 1) return formula::call("Concat", first);
  const Formula last = sub(sym("head"), sym(std::to_string(run.heads - 1)));
  if (run.heads == 2) return formula::call("Concat", row({first, sym(","), last}));
  return formula::call("Concat", row({first, sym(","), sym("…"), sym(","), last}));
}

std::vector<Stage> heads_trace(const HeadsRun& run) {
  Trace trace(run.dtype);
  if (is_batched(run)) {
    add_linear_projections(trace, run);
  } else {
    add_projections_per_head(trace, run);
  }
  add_attention(trace, run);
  add_output(trace, run);
  if (run.variant == HeadsVariant::parity) add_pytorch(trace, run);
  return std::move(trace).stages();
}

}  // namespace attnlab
