// The trace of `heads`, per head as the article writes it, or with one linear layer for all heads; and what
// must hold of every layer.
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

/// ("batch", ...) before the axes of a run that has a batch axis.
Axes axes(const HeadsRun& run, Axes rest) {
  if (is_batched(run)) rest.insert(rest.begin(), "batch");
  return rest;
}

Formula head_scores(const HeadsRun& run) {
  return scaled_scores(run.scale_text, formula::read("Q_i K_i^T"), "d_k");
}

// --- One matrix per head (article, parity), in the letters of the article's eq. 8

void tell_projections_per_head(Tape& tape, const HeadsRun& run) {
  const Axes matrix{"heads", "d_model", "width"};
  const auto project = [&tape](const char* name, const char* formula, const Tensor<double>& values,
                               const char* length) {
    tape.step(name, formula, values, {"heads", length, "width"},
              derived::product("x", std::string("w_") + name));
  };
  tape.input("x", run.query_input, {"tokens", "d_model"});
  tape.input("w_query", run.weights.query, matrix);
  tape.input("w_key", run.weights.key, matrix);
  tape.input("w_value", run.weights.value, matrix);
  tape.input("w_output", run.weights.output, {"heads_width", "d_model"});
  project("query", "X W_Q^i", run.stages.query, "queries");
  project("key", "X W_K^i", run.stages.key, "keys");
  project("value", "X W_V^i", run.stages.value, "keys");
}

/// What a model's layer has made of its tokens; the trace begins there.
void tell_given_projections(Tape& tape, const HeadsRun& run) {
  tape.given("x", run.query_input, {"tokens", "d_model"});
  tape.given("w_output", run.weights.output, {"heads_width", "d_model"});
  tape.given("query", run.stages.query, {"heads", "queries", "width"});
  tape.given("key", run.stages.key, {"heads", "keys", "width"});
  tape.given("value", run.stages.value, {"heads", "keys", "width"});
  if (run.options.mask) tape.Inputs::given("mask", *run.options.mask);
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

void tell_projection(Tape& tape, const HeadsRun& run, const Projection& p) {
  const Axes joined{"batch", p.length, "heads_width"};
  const std::string product = fmt::format("{} W_{}^T", p.tokens == "x" ? 'X' : p.letter, p.letter);
  const Derivation linear = derived::product_with_transpose(p.tokens, "weight_" + p.name);
  tape.input("weight_" + p.name, attnlab::transpose(fuse_heads(p.per_head)), {"heads_width", "d_model"});
  if (p.bias) {
    Tensor<double> bias = *p.bias;  // (heads, width)
    bias.reshape(std::vector<std::size_t>{bias.size()});
    tape.input("bias_" + p.name, bias, {"heads_width"});
    tape.step("linear_" + p.name, product, p.linear, joined, linear);
    tape.step("projected_" + p.name, fmt::format("{} + b_{}", product, p.letter), p.projected, joined,
              derived::sum("linear_" + p.name, "bias_" + p.name));
  } else {
    tape.step("projected_" + p.name, product, p.projected, joined, linear);
  }
  tape.step(p.name, fmt::format("heads(P_{})", p.letter), p.cut, {"batch", "heads", p.length, "width"},
            derived::split_heads("projected_" + p.name, run.heads));
}

void tell_linear_projections(Tape& tape, const HeadsRun& run) {
  const bool book = run.variant == HeadsVariant::book;
  if (book) {
    tape.input("query_input", run.query_input, {"batch", "queries", "d_model"});
    tape.input("key_input", run.key_input, {"batch", "keys", "d_model"});
    tape.input("value_input", run.value_input, {"batch", "keys", "d_model"});
  } else {
    tape.input("x", run.query_input, {"batch", "tokens", "d_model"});
  }
  const MultiHeadWeights<double>& w = run.weights;
  tell_projection(tape, run,
                  {'Q', "query", book ? "query_input" : "x", "queries", w.query, w.query_bias,
                   run.linear.query, run.projected.query, run.stages.query});
  tell_projection(tape, run,
                  {'K', "key", book ? "key_input" : "x", "keys", w.key, w.key_bias, run.linear.key,
                   run.projected.key, run.stages.key});
  tell_projection(tape, run,
                  {'V', "value", book ? "value_input" : "x", "keys", w.value, w.value_bias, run.linear.value,
                   run.projected.value, run.stages.value});
}

// --- Attention and what follows. Written out per head (article), or in one letter per stage where the batch
// axis leaves less room.

void tell_attention(Tape& tape, const HeadsRun& run) {
  const bool short_formulas = is_batched(run);
  AttentionTold told;
  told.product = "Q_i K_i^T";
  told.scores = head_scores(run);
  told.weights = formula::call("softmax", short_formulas ? formula::read("S_i") : head_scores(run));
  told.output = short_formulas ? formula::read("A_i V_i") : head_formula(run);
  told.output_name = "head_output";
  if (run.options.mask) {
    told.mask = "mask";
    told.own_mask = run.options.mask;
    told.masked = "S_i + M_i";
    told.weights = formula::call("softmax", formula::read("S_i + M_i"));
  }
  tape.tell("query", "key", "value", run.stages.attention, run.scale, told);
  tape.step("concat", short_formulas ? formula::read("Concat(head_i)") : concat_formula(run),
            run.stages.concat, axes(run, {"queries", "heads_width"}), derived::join_heads("head_output"));
}

void tell_output(Tape& tape, const HeadsRun& run) {
  const Axes rows = axes(run, {"queries", "d_model"});
  const bool transposed = is_batched(run);
  if (transposed)
    tape.input("weight_output", attnlab::transpose(run.weights.output), {"d_model", "heads_width"});
  const std::string product = transposed ? "Concat W_O^T" : "Concat W_O";
  const Derivation linear = transposed ? derived::product_with_transpose("concat", "weight_output")
                                       : derived::product("concat", "w_output");
  if (!run.weights.output_bias) {
    tape.step("output", product, run.stages.output, rows, linear);
    return;
  }
  tape.input("bias_output", *run.weights.output_bias, {"d_model"});
  tape.step("linear_output", product, run.linear_output, rows, linear);
  tape.step("output", product + " + b_O", run.stages.output, rows,
            derived::sum("linear_output", "bias_output"));
}

void tell_mixing(Tape& tape, const HeadsRun& run) {
  const Tensor<double> shares = weights_on_other_heads(run);
  const auto line = [&shares](std::size_t i) {
    return worked::equation(worked::indexed("m", i), {shares(i)});
  };
  tape.step("weight_on_other_heads", "mean Σ a (other heads)", shares, {"arrangements"},
            derived::worked({"query", "key"}, worked::lines(shares.size(), line),
                            fmt::format("weights_on_other_heads(query, key, {})", python_repr(run.scale))));
}

// --- What must hold of every layer

/// How far two ways to compute the same numbers may lie apart, relative to the largest: the rule of
/// agreement, and for wide layers the roundings of a sum of d_model terms, which grow like its root.
double rounding(const HeadsRun& run) {
  const double root = std::sqrt(static_cast<double>(std::max(run.d_model, joined_width(run))));
  if (run.dtype == DType::float32) return std::max(1e-6, root * std::numeric_limits<float>::epsilon());
  return std::max(1e-12, root * std::numeric_limits<double>::epsilon());
}

/// max |a - b| / max |b|; infinite for NaN.
double relative_difference(const Tensor<double>& a, const Tensor<double>& b) {
  const double apart = largest_difference(a, b);
  return apart == 0.0 ? 0.0 : apart / largest_magnitude(b);
}

/// (..., length, heads * width) to (..., heads, length, width), number by number.
Tensor<double> cut_into_heads(const Tensor<double>& joined, std::size_t length, std::size_t heads) {
  const std::size_t width = joined.shape().back() / heads;
  Tensor<double> cut = Tensor<double>::from_shape({joined.size()});
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const std::size_t head = i / width % heads;
    const std::size_t token = i / width / heads % length;
    const std::size_t entry = i / width / heads / length;  // of the batch
    cut(((entry * heads + head) * length + token) * width + i % width) = joined.flat(i);
  }
  return cut;
}

double largest_error_of_fused_projections(const HeadsRun& run) {
  const Projections<double>& fused = run.projected;
  return std::max({relative_difference(cut_into_heads(fused.query, run.queries, run.heads), run.stages.query),
                   relative_difference(cut_into_heads(fused.key, run.keys, run.heads), run.stages.key),
                   relative_difference(cut_into_heads(fused.value, run.keys, run.heads), run.stages.value)});
}

/// The first query's output as a sum over heads, against the output of the layer.
double error_of_the_sum_of_heads(const HeadsRun& run) {
  const Tensor<double> shares = contributions(run);
  Tensor<double> sum = Tensor<double>::from_shape({run.d_model});
  Tensor<double> output = Tensor<double>::from_shape({run.d_model});
  for (std::size_t i = 0; i < run.d_model; ++i) {
    sum(i) = run.weights.output_bias ? (*run.weights.output_bias)(i) : 0.0;
    for (std::size_t head = 0; head < run.heads; ++head) sum(i) += shares(head, i);
    output(i) = run.stages.output.flat(i);
  }
  return relative_difference(sum, output);
}

/// The largest weight on a key that the mask hides.
double leaked_weight(const HeadsRun& run) {
  const Tensor<double>& weights = run.stages.attention.weights;
  const Tensor<double> mask = xt::broadcast(*run.options.mask, weights.shape());
  double largest = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::isinf(mask.flat(i))) largest = std::max(largest, weights.flat(i));
  }
  return largest;
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

void tell(HeadsRun& run) {
  const Axes rows{"queries", "d_model"};
  Tape& tape = run.tape;
  tape.compute_in(run.dtype);
  if (run.variant == HeadsVariant::model) {
    tell_given_projections(tape, run);
  } else if (is_batched(run)) {
    tell_linear_projections(tape, run);
  } else {
    tell_projections_per_head(tape, run);
  }
  tell_attention(tape, run);
  tell_output(tape, run);
  if (run.variant == HeadsVariant::parity) {
    tape.input("pytorch_weights", run.pytorch_weights, {"heads", "queries", "keys"});
    tape.input("pytorch_output", run.pytorch_output, rows);
  }
  if (can_be_mixed(run)) tell_mixing(tape, run);
  if (run.variant != HeadsVariant::parity) return;
  tape.compute_in(DType::float64);
  tape.step("difference",
            formula::row({formula::sym("output"), formula::sym(" − "), formula::sym("pytorch_output")}),
            run.stages.output - run.pytorch_output, rows, derived::difference("output", "pytorch_output"));
}

std::vector<Scalar> scalars(const HeadsRun& run) {
  std::vector<Scalar> all{{"head_width", static_cast<double>(run.width)},
                          {"smallest_weight", run.data.low},
                          {"largest_weight", run.data.high},
                          {"disagreements", static_cast<double>(disagreements(run))}};
  if (run.variant == HeadsVariant::article) {
    all.push_back({"shared_start", static_cast<double>(shared_start(run))});
  }
  if (run.variant == HeadsVariant::parity) {
    all.push_back({"largest_difference", largest_difference(run.stages.output, run.pytorch_output)});
    all.push_back({"largest_difference_float64", largest_difference(run.float64_output, run.pytorch_output)});
  }
  return all;
}

std::vector<Invariant> invariants(const HeadsRun& run) {
  const double cut_error = relative_difference(cut_into_heads(run.stages.concat, run.queries, run.heads),
                                               run.stages.attention.output);
  std::vector<Invariant> all{
      invariant("weights_sum_to_one", row_sum_error(run.stages.attention.weights), rounding(run),
                "どの行の注意度も和は 1", "every row of the weights sums to 1"),
      invariant("concat_holds_the_heads", cut_error, 0.0,  // numbers are moved, not computed
                "結合はヘッドの出力を並べるだけ", "the joined heads are the heads' outputs side by side"),
      invariant("output_sums_the_heads", error_of_the_sum_of_heads(run), rounding(run),
                "出力は各ヘッドと W_O の積の和", "the output is the sum of every head times its rows of W_O"),
  };
  if (run.variant != HeadsVariant::model) {
    all.push_back(invariant("one_matrix_equals_heads", largest_error_of_fused_projections(run), rounding(run),
                            "全ヘッドを 1 つの行列で射影しても同じ",
                            "one matrix for all heads gives what one per head gives"));
  }
  if (run.options.mask) {
    all.push_back(invariant("hidden_keys_have_no_weight", leaked_weight(run), 0.0,  // exp(-inf) = 0
                            "隠したキーの注意度は 0", "hidden keys have weight 0"));
  }
  if (run.variant == HeadsVariant::parity) {
    all.push_back(invariant("output_agrees_with_pytorch",
                            relative_difference(run.stages.output, run.pytorch_output), rounding(run),
                            "出力が nn.MultiheadAttention と一致", "the output is nn.MultiheadAttention's"));
    all.push_back(invariant(
        "weights_agree_with_pytorch", relative_difference(run.stages.attention.weights, run.pytorch_weights),
        rounding(run), "注意度が nn.MultiheadAttention と一致", "the weights are nn.MultiheadAttention's"));
  }
  return all;
}

}  // namespace attnlab
