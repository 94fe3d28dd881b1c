// Multi-head attention: several small attentions read the same tokens, each in its own way.
#include "experiments/heads/heads.hpp"

#include <sstream>

#include "attention/linear.hpp"
#include "core/embedded_file.hpp"

namespace attnlab {
namespace {

// --- Computing in float32 or float64

template <class To, class From>
std::optional<Tensor<To>> converted(const std::optional<Tensor<From>>& tensor) {
  if (!tensor) return std::nullopt;
  return Tensor<To>(*tensor);
}

template <class To, class From>
MultiHeadWeights<To> converted(const MultiHeadWeights<From>& weights) {
  return {Tensor<To>(weights.query),         Tensor<To>(weights.key),
          Tensor<To>(weights.value),         Tensor<To>(weights.output),
          converted<To>(weights.query_bias), converted<To>(weights.key_bias),
          converted<To>(weights.value_bias), converted<To>(weights.output_bias)};
}

template <class T>
MultiHeadStages<double> widened(const MultiHeadStages<T>& stages) {
  using Wide = Tensor<double>;
  const AttentionStages<T>& inner = stages.attention;
  return {Wide(stages.query),
          Wide(stages.key),
          Wide(stages.value),
          {Wide(inner.raw_scores), Wide(inner.scores), Wide(inner.masked), Wide(inner.weights),
           Wide(inner.output)},
          Wide(stages.concat),
          Wide(stages.output)};
}

/// The tokens by one matrix for all heads, as a linear layer keeps it (heads * width, in): without and with
/// the bias.
template <class T>
std::pair<Tensor<double>, Tensor<double>> project_at_once(const Tensor<double>& tokens,
                                                          const Tensor<T>& per_head,
                                                          const std::optional<Tensor<T>>& bias) {
  const Tensor<T> x = xt::cast<T>(tokens);
  Linear<T> layer{transpose(fuse_heads(per_head)), bias};
  if (bias) layer.bias->reshape(std::vector<std::size_t>{bias->size()});
  const Tensor<double> with_bias(linear(layer, x));
  layer.bias.reset();
  return {Tensor<double>(linear(layer, x)), with_bias};
}

template <class T>
void compute_in(HeadsRun& run) {
  const MultiHeadWeights<T> weights = converted<T>(run.weights);
  run.weights = converted<double>(weights);  // rounded to T: what the computation reads
  AttentionOptions<T> options;
  if (run.options.scale) options.scale = static_cast<T>(*run.options.scale);
  options.mask = converted<T>(run.options.mask);
  run.stages = widened(multi_head_attention(weights, Tensor<T>(run.query_input), Tensor<T>(run.key_input),
                                            Tensor<T>(run.value_input), options));
  std::tie(run.linear.query, run.projected.query) =
      project_at_once(run.query_input, weights.query, weights.query_bias);
  std::tie(run.linear.key, run.projected.key) = project_at_once(run.key_input, weights.key, weights.key_bias);
  std::tie(run.linear.value, run.projected.value) =
      project_at_once(run.value_input, weights.value, weights.value_bias);
  const Linear<T> output{transpose(weights.output), std::nullopt};
  run.linear_output = Tensor<double>(linear(output, Tensor<T>(run.stages.concat)));
}

/// What nn.MultiheadAttention gives in the article's comparison, written by
/// data/reference/make_heads_reference.py with PyTorch 1.13: float32, kept as double. in_proj_weight holds
/// W_Q, W_K, W_V of all heads, out_proj.weight is W_O transposed.
Tensor<double> stored_by_pytorch(const EmbeddedFile& file, Tensor<double> shape) {
  std::istringstream numbers{std::string(file.text)};
  for (double& value : shape) {
    float number = 0.0F;
    numbers >> number;
    value = number;
  }
  return shape;
}

}  // namespace

HeadsRun HeadsRun::compute(const Arguments& arguments, const Context& /*context*/) {
  HeadsRun run = drawn_variant(arguments);
  if (run.variant == HeadsVariant::parity) {
    run.float64_output =
        multi_head_attention(run.weights, run.query_input, run.key_input, run.value_input).output;
  }
  if (run.dtype == DType::float32) compute_in<float>(run);
  if (run.dtype == DType::float64) compute_in<double>(run);
  if (run.variant == HeadsVariant::parity) {
    run.pytorch_output = stored_by_pytorch(heads_pytorch_files().at(0), run.stages.output);
    run.pytorch_weights = stored_by_pytorch(heads_pytorch_files().at(1), run.stages.attention.weights);
  }
  Tensor<double> drawn = Tensor<double>::from_shape({run.heads * run.queries * run.keys});
  std::copy_n(run.stages.attention.weights.data(), drawn.size(), drawn.data());  // of the first batch entry
  run.data = extremes(drawn);
  tell(run);
  return run;
}

bool is_batched(const HeadsRun& run) {
  return run.variant == HeadsVariant::book || run.variant == HeadsVariant::course ||
         run.variant == HeadsVariant::notebook;
}

std::size_t joined_width(const HeadsRun& run) { return run.heads * run.width; }

Matrix weights_of_head(const HeadsRun& run, std::size_t head) {
  const std::size_t cells = run.queries * run.keys;
  const double* first = run.stages.attention.weights.data() + head * cells;
  return {run.queries, run.keys, {first, first + cells}};
}

std::size_t favourite_key(const HeadsRun& run, std::size_t head, std::size_t query) {
  const double* row = run.stages.attention.weights.data() + (head * run.queries + query) * run.keys;
  return static_cast<std::size_t>(std::max_element(row, row + run.keys) - row);
}

std::size_t disagreements(const HeadsRun& run) {
  std::size_t count = 0;
  for (std::size_t query = 0; query < run.queries; ++query) {
    const std::size_t favourite = favourite_key(run, 0, query);
    std::size_t head = 1;
    while (head < run.heads && favourite_key(run, head, query) == favourite) ++head;
    if (head < run.heads) ++count;
  }
  return count;
}

Tensor<double> contributions(const HeadsRun& run) {
  Tensor<double> shares({run.heads, run.d_model}, 0.0);
  for (std::size_t row = 0; row < joined_width(run); ++row) {  // concat holds head after head
    for (std::size_t j = 0; j < run.d_model; ++j) {
      shares(row / run.width, j) += run.stages.concat.data()[row] * run.weights.output(row, j);
    }
  }
  return shares;
}

std::size_t shown_query(const HeadsRun& run) {
  return run.variant == HeadsVariant::model ? run.queries - 1 : 0;
}

Text query_name(const HeadsRun& run) {
  return run.variant == HeadsVariant::book ? Text{"クエリ 0", "Query 0"}
                                           : Text::same(run.labels[shown_query(run)]);
}

Text key_name(const HeadsRun& run, std::size_t key) {
  return run.variant == HeadsVariant::book ? text("キー {0}", "Key {0}", key) : Text::same(run.labels[key]);
}

std::size_t shared_start(const HeadsRun& run) {
  const double* x = run.query_input.data();
  const double* w_query = run.weights.query.data();
  const std::size_t length = std::min(run.query_input.size(), run.weights.query.size());
  std::size_t shared = 0;
  while (shared < length && w_query[shared] == x[shared] * 0.1) ++shared;
  return shared;
}

namespace {

Report heads_report(const Arguments& arguments, const Context& context) {
  const auto run = run_of<HeadsRun>(arguments, context);
  Report report = report_from(run);
  report.numpy_ending = numpy_class(run);
  report.torch_ending = torch_classes(run);
  return report;
}

}  // namespace

Experiment heads_experiment() {
  return Experiment{
      "heads",
      {"ヘッドごとに違う注意度を並べて見る", "the weights of every head, side by side"},
      {"記事 式 (7), (8)、教科書 図2.2.15・コード2.2.10、講座 Task 2、ノートブック",
       "article eq. 7 and 8, textbook fig. 2.2.15, code 2.2.10, course task 2, notebook"},
      {variant_parameter(),
       parameter(
           "tokens", IntegerKind{{1, 128}}, "",
           "トークンの個数。既定値は article 6、book 3（クエリ）、course 5、notebook 7",
           "how many tokens; default 6 in the article, 3 queries in the book, 5 in the course, 7 in the notebook"),
       parameter("keys", IntegerKind{{1, 128}}, "", "book のキーの個数。既定値は 4",
                 "keys of the book; default 4"),
       parameter("width", IntegerKind{{1, 1024}}, "", "モデルの次元 d_model。既定値は 16、notebook は 128",
                 "width d_model; default 16, in the notebook 128"),
       parameter("heads", IntegerKind{{1, 16}}, "", "ヘッドの個数（d_model の約数）。既定値は 4",
                 "how many heads, a divisor of the width; default 4"),
       parameter(
           "head-width", IntegerKind{{1, 1024}}, "",
           "1 つのヘッドの次元 d_k = d_v。既定値は d_model / ヘッド数。d_model にすると教科書のコード2.2.10 のまま",
           "width of a head, d_k = d_v; default d_model / heads; with d_model, textbook code 2.2.10 runs as printed"),
       labels_parameter(), scale_parameter("default"),
       parameter("seed", IntegerKind{{0, 4294967295}}, "", "乱数の種。既定値は article 42、ほかは 0",
                 "random seed; default 42 in the article, else 0"),
       parameter("rng", ChoiceKind{{"numpy", "torch"}}, "",
                 "乱数列：np.random.RandomState か torch.manual_seed。既定値は文書のもの",
                 "random numbers of np.random.RandomState or torch.manual_seed; default: the document's")},
      heads_report}
      .with_inputs({{"x", {"tokens", "width"}},
                    {"x", {"batch", "tokens", "width"}},
                    {"query_input", {"batch", "tokens", "width"}},
                    {"key_input", {"batch", "keys", "width"}},
                    {"value_input", {"batch", "keys", "width"}},
                    {"w_query", {"heads", "width", "head-width"}},
                    {"weight_query", {"heads × head-width", "width"}},
                    {"w_key", {"heads", "width", "head-width"}},
                    {"weight_key", {"heads × head-width", "width"}},
                    {"w_value", {"heads", "width", "head-width"}},
                    {"weight_value", {"heads × head-width", "width"}},
                    {"w_output", {"heads × head-width", "width"}},
                    {"weight_output", {"width", "heads × head-width"}},
                    {"bias_query", {"heads × head-width"}},
                    {"bias_key", {"heads × head-width"}},
                    {"bias_value", {"heads × head-width"}},
                    {"bias_output", {"width"}},
                    {"mask", {"...", "queries", "keys"}, true}})
      .with_sliders({{"scale=0.05:20:log:33"}});
}

}  // namespace attnlab
