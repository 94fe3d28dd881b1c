// Self-attention does not see order: permuted tokens give the same rows, permuted; added positions end that.
#include "experiments/permutation/permutation.hpp"

#include <algorithm>

#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "core/error.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_tokens = 64;

std::vector<Parameter> parameters() {
  return {
      parameter("order", NumbersKind{{2, most_tokens}, {0, most_tokens - 1}}, "3,0,5,1,4,2",
                "新しい順序：i 番目に来るトークンの番号", "the new order: which token comes i-th"),
      parameter("width", IntegerKind{{2, 1024}}, "8", "埋め込みの次元 d", "width d of the embeddings"),
      labels_parameter(),
      seed_parameter("0"),
      rng_parameter(),
  };
}

[[noreturn]] void throw_no_permutation(const std::string& order, std::size_t count) {
  throw Error(ErrorKind::usage,
              text("--order {} は 0 から {} の並べ替えではありません",
                   "--order {} is no permutation of 0 to {}", order, count - 1),
              text("0 から {} の整数を 1 回ずつ並べてください", "list each whole number from 0 to {} once",
                   count - 1));
}

std::vector<std::size_t> parse_order(const Arguments& arguments) {
  const std::vector<double> numbers = arguments.numbers("order");
  std::vector<bool> seen(numbers.size(), false);
  std::vector<std::size_t> order;
  for (const double number : numbers) {
    const auto token = static_cast<std::size_t>(number);  // the parameter's range is 0 to 63
    if (static_cast<double>(token) != number || token >= numbers.size() || seen[token]) {
      throw_no_permutation(arguments.text("order"), numbers.size());
    }
    seen[token] = true;
    order.push_back(token);
  }
  return order;
}

// --- The computation

Tensor<double> permutation_matrix(const std::vector<std::size_t>& order) {
  Tensor<double> matrix({order.size(), order.size()}, 0.0);
  for (std::size_t i = 0; i < order.size(); ++i) matrix(i, order[i]) = 1.0;
  return matrix;
}

PermutationCase attend(const PermutationRun& run, const Tensor<double>& x) {
  PermutationCase one{x, matmul(x, run.w_query), matmul(x, run.w_key), matmul(x, run.w_value), {}};
  one.attention = scaled_dot_product_attention(one.query, one.key, one.value);
  return one;
}

/// The mean over the tokens, (1, d).
Tensor<double> mean_row(const Tensor<double>& rows) {
  const std::size_t tokens = rows.shape()[0];
  return matmul(Tensor<double>({1, tokens}, 1.0 / static_cast<double>(tokens)), rows);
}

PermutationPair compare(const PermutationRun& run, const Tensor<double>& x,
                        const Tensor<double>& permuted_x) {
  PermutationPair pair;
  pair.first = attend(run, x);
  pair.permuted = attend(run, permuted_x);
  const AttentionStages<double>& first = pair.first.attention;
  const AttentionStages<double>& permuted = pair.permuted.attention;
  const Tensor<double>& p = run.permutation;
  pair.reordered_output = matmul(p, first.output);
  pair.output_difference = permuted.output - pair.reordered_output;
  pair.output_error = largest_difference(permuted.output, pair.reordered_output);
  pair.weights_error =
      largest_difference(permuted.weights, matmul(matmul(p, first.weights), attnlab::transpose(p)));
  pair.unmoved_difference = largest_difference(permuted.output, first.output);
  pair.mean_difference = largest_difference(mean_row(permuted.output), mean_row(first.output));
  return pair;
}

PermutationRun compute(const Arguments& arguments) {
  PermutationRun run;
  run.order = parse_order(arguments);
  const std::size_t tokens = run.order.size();
  const std::size_t width = arguments.count("width");
  run.is_identity = std::is_sorted(run.order.begin(), run.order.end());
  run.labels = token_labels(arguments, tokens);
  run.labels_are_words = !arguments.text("labels").empty();
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));

  RandomStream random = random_stream(arguments);  // the article's order: X, W_Q, W_K, W_V
  const Tensor<double> x = random.randn({tokens, width});
  run.w_query = random.randn({width, width}) * 0.1;
  run.w_key = random.randn({width, width}) * 0.1;
  run.w_value = random.randn({width, width}) * 0.1;

  run.permutation = permutation_matrix(run.order);
  run.encoding = sinusoidal_encoding(tokens, width, 10000.0);
  const Tensor<double> permuted_x = matmul(run.permutation, x);
  const Tensor<double> positioned_x = x + run.encoding;
  const Tensor<double> permuted_positioned_x = permuted_x + run.encoding;  // positions stay where they are
  run.plain = compare(run, x, permuted_x);
  run.positioned = compare(run, positioned_x, permuted_positioned_x);
  run.carried_error = compare(run, positioned_x, matmul(run.permutation, positioned_x)).output_error;
  return run;
}

Report run_permutation(const Arguments& arguments, const Context&) {
  const PermutationRun run = compute(arguments);
  Report report;
  report.stages = permutation_trace(run);
  report.scalars = permutation_scalars(run);
  report.invariants = permutation_invariants(run);
  report.body = permutation_body(run);
  report.figures = permutation_figures(run);
  return report;
}

}  // namespace

Experiment permutation_experiment() {
  return {"permutation",
          {"トークンを並べ替えると出力も並べ替わる。位置を足すと変わる",
           "permuted tokens give permuted outputs, until positions are added"},
          {"記事「位置エンコーディング」、スライド「トークンの入力順序」",
           "article, positional encoding; slides, order of the tokens"},
          parameters(),
          run_permutation};
}

}  // namespace attnlab
