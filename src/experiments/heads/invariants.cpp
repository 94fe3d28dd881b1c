// What `heads` measures of a layer, and what must hold of every one.
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

/// How far two ways to compute the same numbers may lie apart, relative to the largest: the rule of
/// agreement, and for wide layers the roundings of a sum of d_model terms, which grow like its root.
double rounding(const HeadsRun& run) {
  const double root = std::sqrt(static_cast<double>(std::max(run.d_model, joined_width(run))));
  if (run.dtype == DType::float32) return std::max(1e-6, root * std::numeric_limits<float>::epsilon());
  return std::max(1e-12, root * std::numeric_limits<double>::epsilon());
}

/// max |a - b| / max |b|; infinite for NaN.
double relative_difference(const Tensor<double>& a, const Tensor<double>& b) {
  const double distance = largest_difference(a, b);
  return distance == 0.0 ? 0.0 : distance / largest_magnitude(b);
}

/// Queries, keys or values the other way: by one matrix for all heads where the run has one per head, and by
/// one per head where it has one for all.
Tensor<double> projected_otherwise(const HeadsRun& run, const HeadsSide& side) {
  const std::string name = side.name;
  Tensor<double> x = run.tape.numbers_of(tokens_of(run, side));
  Tape other;
  other.compute_in(run.dtype);
  if (!is_batched(run)) {
    other.input("x", x, {"tokens", "d_model"});
    other.input("w", fuse_heads(run.tape.numbers_of("w_" + name)), {"d_model", "heads_width"});
    other.product("all", "", "x", "w", {"tokens", "heads_width"});
    return other.split_heads("heads", "", "all", run.heads, {"heads", "tokens", "width"});
  }
  const Tensor<double> weight = run.tape.numbers_of("weight_" + name);  // (heads_width, d_model)
  x.reshape({x.shape()[0], std::size_t{1}, x.shape()[1], x.shape()[2]});
  const Axes axes{"batch", "heads", "tokens", "width"};
  other.input("x", x, axes);
  other.input("w", split_heads(attnlab::transpose(weight), run.heads), {"heads", "d_model", "width"});
  Tensor<double> product = other.product("product", "", "x", "w", axes);
  if (!run.tape.has("bias_" + name)) return product;
  Tensor<double> bias = run.tape.numbers_of("bias_" + name);
  bias.reshape({run.heads, std::size_t{1}, run.width});
  other.input("bias", bias, {"heads", "tokens", "width"});
  return other.sum("sum", "", "product", "bias");
}

double largest_error_of_projections(const HeadsRun& run) {
  const std::array<const Tensor<double>*, 3> shown{&run.query, &run.key, &run.value};
  double error = 0.0;
  for (std::size_t i = 0; i < shown.size(); ++i)
    error = worst(error, relative_difference(projected_otherwise(run, heads_sides[i]), *shown[i]));
  return error;
}

/// The first query's output as a sum over heads, against the output of the layer.
double error_of_the_sum_of_heads(const HeadsRun& run) {
  const Tensor<double> shares = contributions(run);
  Tensor<double> sum = output_bias(run).value_or(Tensor<double>({run.d_model}, 0.0));
  for (std::size_t head = 0; head < run.heads; ++head) sum += xt::view(shares, head);
  return relative_difference(sum, to_tensor(values_of(run.output, 0)));
}

/// The largest weight on a key that the mask hides.
double leaked_weight(const HeadsRun& run) {
  return largest(xt::where(xt::isinf(*run.mask), run.attention.weights, 0.0));
}

}  // namespace

std::vector<Scalar> scalars(const HeadsRun& run) {
  std::vector<Scalar> all{{"head_width", static_cast<double>(run.width)},
                          {"smallest_weight", run.data.low},
                          {"largest_weight", run.data.high},
                          {"disagreements", static_cast<double>(disagreements(run))}};
  if (run.variant == HeadsVariant::article) {
    all.push_back({"shared_start", static_cast<double>(shared_start(run))});
  }
  if (run.variant == HeadsVariant::parity) {
    all.push_back({"largest_difference", largest_difference(run.output, run.pytorch_output)});
    all.push_back({"largest_difference_float64", largest_difference(run.float64_output, run.pytorch_output)});
  }
  return all;
}

std::vector<Invariant> invariants(const HeadsRun& run) {
  const double cut_error = relative_difference(heads_from_width(run.concat, run.heads), run.attention.output);
  std::vector<Invariant> all{
      invariant("weights_sum_to_one", row_sum_error(run.attention.weights), rounding(run),
                "どの行の注意度も和は 1", "every row of the weights sums to 1"),
      invariant("concat_holds_the_heads", cut_error, 0.0,  // numbers are moved, not computed
                "結合はヘッドの出力を並べるだけ", "the concatenation is the heads' outputs side by side"),
      invariant("output_sums_the_heads", error_of_the_sum_of_heads(run), rounding(run),
                "出力は各ヘッドと W_O の積の和", "the output is the sum of every head times its rows of W_O"),
  };
  if (run.variant != HeadsVariant::model) {
    all.push_back(invariant("one_matrix_equals_heads", largest_error_of_projections(run), rounding(run),
                            "全ヘッドを 1 つの行列で射影しても同じ",
                            "one matrix for all heads gives the same as one per head"));
  }
  if (run.mask) {
    all.push_back(invariant("hidden_keys_have_no_weight", leaked_weight(run), 0.0,  // exp(-inf) = 0
                            "マスクしたキーの注意度は 0", "masked keys have weight 0"));
  }
  if (run.variant == HeadsVariant::parity) {
    all.push_back(invariant("output_agrees_with_pytorch", relative_difference(run.output, run.pytorch_output),
                            rounding(run), "出力が nn.MultiheadAttention と一致",
                            "the output is nn.MultiheadAttention's"));
    all.push_back(invariant(
        "weights_agree_with_pytorch", relative_difference(run.attention.weights, run.pytorch_weights),
        rounding(run), "注意度が nn.MultiheadAttention と一致", "the weights are nn.MultiheadAttention's"));
  }
  return all;
}

}  // namespace attnlab
