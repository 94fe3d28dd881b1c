// What is measured on a run of `heads`: how the heads differ, and what must hold of every layer.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "experiments/heads/heads.hpp"
#include "experiments/heads_pytorch_values.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// How far two ways to compute the same numbers may lie apart, relative to the largest: the rule of
/// agreement, and for wide layers the roundings of a sum of d_model terms, which grow like its root.
double rounding(const HeadsRun& run) {
  const double root = std::sqrt(static_cast<double>(run.d_model));
  if (run.dtype == DType::float32) return std::max(1e-6, root * std::numeric_limits<float>::epsilon());
  return std::max(1e-12, root * std::numeric_limits<double>::epsilon());
}

/// max |a - b| / max |b|; infinite for NaN.
double relative_difference(const Tensor<double>& a, const Tensor<double>& b) {
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double one = std::abs(a.data()[i] - b.data()[i]);
    difference = std::isnan(one) ? std::numeric_limits<double>::infinity() : std::max(difference, one);
    size = std::max(size, std::abs(b.data()[i]));
  }
  return difference == 0.0 ? 0.0 : difference / size;
}

/// (..., length, heads * width) to (..., heads, length, width), number by number.
Tensor<double> cut_into_heads(const Tensor<double>& joined, std::size_t length, std::size_t heads) {
  const std::size_t width = joined.shape().back() / heads;
  Tensor<double> cut = Tensor<double>::from_shape({joined.size()});
  std::size_t to = 0;
  for (std::size_t start = 0; start < joined.size(); start += length * heads * width) {
    for (std::size_t head = 0; head < heads; ++head) {
      for (std::size_t token = 0; token < length; ++token) {
        for (std::size_t i = 0; i < width; ++i) {
          cut.data()[to++] = joined.data()[start + (token * heads + head) * width + i];
        }
      }
    }
  }
  return cut;
}

double largest_error_of_fused_projections(const HeadsRun& run) {
  const MultiHeadStages<double>& stages = run.stages;
  return std::max(
      {relative_difference(cut_into_heads(run.projected.query, run.queries, run.heads), stages.query),
       relative_difference(cut_into_heads(run.projected.key, run.keys, run.heads), stages.key),
       relative_difference(cut_into_heads(run.projected.value, run.keys, run.heads), stages.value)});
}

/// The first query's output as a sum over heads, against the output of the layer.
double error_of_the_sum_of_heads(const HeadsRun& run) {
  const Tensor<double> parts = contributions(run);
  Tensor<double> sum = Tensor<double>::from_shape({run.d_model});
  Tensor<double> output = Tensor<double>::from_shape({run.d_model});
  for (std::size_t i = 0; i < run.d_model; ++i) {
    sum(i) = run.weights.output_bias ? (*run.weights.output_bias)(i) : 0.0;
    for (std::size_t head = 0; head < run.heads; ++head) sum(i) += parts(head, i);
    output(i) = run.stages.output.data()[i];
  }
  return relative_difference(sum, output);
}

/// The largest weight on a key that the mask hides.
double leaked_weight(const HeadsRun& run) {
  const Tensor<double>& mask =
      *run.options.mask;  // (1, heads, queries, keys): the same for every batch entry
  const Tensor<double>& weights = run.stages.attention.weights;
  double largest = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::isinf(mask.data()[i % mask.size()])) largest = std::max(largest, weights.data()[i]);
  }
  return largest;
}

Tensor<double> as_tensor(const std::vector<double>& values) {
  Tensor<double> tensor = Tensor<double>::from_shape({values.size()});
  std::copy(values.begin(), values.end(), tensor.begin());
  return tensor;
}

}  // namespace

Matrix weights_of_head(const HeadsRun& run, std::size_t head) {
  const std::size_t cells = run.queries * run.keys;
  const double* first = run.stages.attention.weights.data() + head * cells;
  return {run.queries, run.keys, {first, first + cells}};
}

std::size_t favourite_key(const HeadsRun& run, std::size_t head, std::size_t query) {
  const double* row = run.stages.attention.weights.data() + (head * run.queries + query) * run.keys;
  return static_cast<std::size_t>(std::distance(row, std::max_element(row, row + run.keys)));
}

std::size_t disagreements(const HeadsRun& run) {
  std::size_t count = 0;
  for (std::size_t query = 0; query < run.queries; ++query) {
    for (std::size_t head = 1; head < run.heads; ++head) {
      if (favourite_key(run, head, query) == favourite_key(run, 0, query)) continue;
      ++count;
      break;
    }
  }
  return count;
}

std::size_t shared_start(const HeadsRun& run) {
  const double* x = run.query_input.data();
  const double* w_query = run.weights.query.data();
  const std::size_t length = std::min(run.query_input.size(), run.weights.query.size());
  std::size_t shared = 0;
  while (shared < length && w_query[shared] == x[shared] * 0.1) ++shared;
  return shared;
}

Tensor<double> contributions(const HeadsRun& run) {
  const std::size_t width = run.d_model / run.heads;
  Tensor<double> parts({run.heads, run.d_model}, 0.0);
  for (std::size_t head = 0; head < run.heads; ++head) {
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t row = head * width + i;  // concat holds head after head
      for (std::size_t j = 0; j < run.d_model; ++j) {
        parts(head, j) += run.stages.concat.data()[row] * run.weights.output(row, j);
      }
    }
  }
  return parts;
}

double difference_from_pytorch(const Tensor<double>& output) {
  return largest_difference(output, as_tensor(pytorch_values().output));
}

std::vector<Scalar> heads_scalars(const HeadsRun& run) {
  std::vector<Scalar> scalars{{"head_width", static_cast<double>(run.stages.query.shape().back())},
                              {"smallest_weight", run.data.low},
                              {"largest_weight", run.data.high},
                              {"disagreements", static_cast<double>(disagreements(run))}};
  if (run.variant == HeadsVariant::article) {
    scalars.push_back({"shared_start", static_cast<double>(shared_start(run))});
  }
  if (run.variant == HeadsVariant::parity) {
    scalars.push_back({"largest_difference", difference_from_pytorch(run.stages.output)});
    scalars.push_back({"largest_difference_float64", difference_from_pytorch(run.float64_output)});
  }
  return scalars;
}

std::vector<Invariant> heads_invariants(const HeadsRun& run) {
  std::vector<Invariant> invariants{
      {"weights_sum_to_one",
       {"どの行の注意度も和は 1", "every row of the weights sums to 1"},
       row_sum_error(run.stages.attention.weights),
       rounding(run)},
      {"concat_holds_the_heads",
       {"結合はヘッドの出力を並べるだけ", "the joined heads are the heads' outputs side by side"},
       relative_difference(cut_into_heads(run.stages.concat, run.queries, run.heads),
                           run.stages.attention.output),
       0.0},  // numbers are moved, not computed
      {"one_matrix_equals_heads",
       {"全ヘッドを 1 つの行列で射影しても同じ", "one matrix for all heads gives what one per head gives"},
       largest_error_of_fused_projections(run),
       rounding(run)},
      {"output_sums_the_heads",
       {"出力は各ヘッドと W_O の積の和", "the output is the sum of every head times its rows of W_O"},
       error_of_the_sum_of_heads(run),
       rounding(run)},
  };
  if (run.options.mask) {
    invariants.push_back({"hidden_keys_have_no_weight",
                          {"隠したキーの注意度は 0", "keys behind the mask have weight 0"},
                          leaked_weight(run),
                          0.0});  // exp(-inf) is exactly 0
  }
  if (run.variant == HeadsVariant::parity) {
    invariants.push_back({"output_agrees_with_pytorch",
                          {"出力が nn.MultiheadAttention と一致", "the output is nn.MultiheadAttention's"},
                          relative_difference(run.stages.output, as_tensor(pytorch_values().output)),
                          rounding(run)});
    invariants.push_back(
        {"weights_agree_with_pytorch",
         {"注意度が nn.MultiheadAttention と一致", "the weights are nn.MultiheadAttention's"},
         relative_difference(run.stages.attention.weights, as_tensor(pytorch_values().weights)),
         rounding(run)});
  }
  return invariants;
}

}  // namespace attnlab
