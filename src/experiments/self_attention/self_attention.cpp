// Self-attention: tokens become queries, keys and values of one another, and mix in proportion to the
// weights.
#include "experiments/self_attention/self_attention.hpp"

#include <algorithm>
#include <cmath>

#include "attention/matmul.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"

namespace attnlab {
namespace {

std::vector<Parameter> parameters() {
  return {
      parameter("tokens", IntegerKind{{2, 256}}, "4", "トークンの個数", "how many tokens"),
      parameter("width", IntegerKind{{1, 1024}}, "8", "埋め込みの次元 d", "width d of the embeddings"),
      labels_parameter(),
      scale_parameter("default"),
      seed_parameter("42"),
      rng_parameter(),
  };
}

SelfAttentionRun compute(const Arguments& arguments) {
  const std::size_t tokens = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  SelfAttentionRun run;
  run.labels = token_labels(arguments, tokens);
  run.labels_are_words = !arguments.text("labels").empty();
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  run.rng = arguments.text("rng");

  RandomStream random = random_stream(arguments);  // the article's order: X, W_Q, W_K, W_V
  run.x = random.randn({tokens, width});
  run.w_query = random.randn({width, width}) * 0.1;
  run.w_key = random.randn({width, width}) * 0.1;
  run.w_value = random.randn({width, width}) * 0.1;
  run.query = matmul(run.x, run.w_query);
  run.key = matmul(run.x, run.w_key);
  run.value = matmul(run.x, run.w_value);

  AttentionOptions<double> options;
  run.scale_text = arguments.text("scale");
  options.scale = parse_scale(run.scale_text);
  run.scale = options.scale.value_or(1.0 / std::sqrt(static_cast<double>(width)));
  run.attention = scaled_dot_product_attention(run.query, run.key, run.value, options);
  run.data = data_range(run.attention.weights);
  return run;
}

Report run_self_attention(const Arguments& arguments, const Context&) {
  const SelfAttentionRun run = compute(arguments);
  Report report;
  report.stages = self_attention_stages(run);
  report.scalars = self_attention_scalars(run);
  report.invariants = self_attention_invariants(run);
  report.body = self_attention_body(run, report.stages);
  report.figures = self_attention_figures(run);
  return report;
}

}  // namespace

bool almost_even(const SelfAttentionRun& run) {
  return run.data.high - run.data.low < 0.5 / static_cast<double>(run.labels.size());
}

bool small_by_projection(const SelfAttentionRun& run) {
  constexpr double small = 0.25;
  const Tensor<double>& scores = run.attention.scores;
  return almost_even(run) && (run.scale_text == "default" || run.scale_text == "none") &&
         std::all_of(scores.begin(), scores.end(), [](double score) { return std::abs(score) < small; });
}

Experiment self_attention_experiment() {
  return {"self-attention",
          {"トークンどうしの注意度をヒートマップで見る", "who attends to whom: the weights as a heat map"},
          {"記事 式 (1)～(6)、Attention 重みのヒートマップ", "article eq. 1 to 6 and its annotated heat map"},
          parameters(),
          run_self_attention};
}

}  // namespace attnlab
