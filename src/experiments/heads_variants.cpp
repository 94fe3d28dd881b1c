// The five documents' multi-head layers: their sizes, the flags that fit them, and the computation in their
// type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "attention/linear.hpp"
#include "attention/matmul.hpp"
#include "core/error.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/heads/heads.hpp"
#include "experiments/framework/parameter_syntax.hpp"

namespace attnlab {
namespace {

// --- What the documents choose ---------------------------------------------------------------------------

struct Choice {
  HeadsVariant variant;
  DType dtype;
  std::size_t batch;  // 0: no batch axis
  std::size_t queries;
  std::size_t keys;
  std::size_t d_model;
  std::size_t heads;
  std::uint32_t seed;
  const char* rng;
};

const std::map<std::string, Choice>& choices() {
  static const std::map<std::string, Choice> table{
      {"article", {HeadsVariant::article, DType::float64, 0, 6, 6, 16, 4, 42, "numpy"}},
      {"parity", {HeadsVariant::parity, DType::float32, 0, 4, 4, 8, 2, 42, "numpy"}},
      {"book", {HeadsVariant::book, DType::float32, 2, 3, 4, 16, 4, 0, "torch"}},
      {"course", {HeadsVariant::course, DType::float64, 2, 5, 5, 16, 4, 0, "numpy"}},
      {"notebook", {HeadsVariant::notebook, DType::float32, 1, 7, 7, 128, 4, 0, "torch"}}};
  return table;
}

// --- Flags that make no sense together -------------------------------------------------------------------

void refuse_flags_of_parity(const Arguments& arguments) {
  for (const char* flag : {"tokens", "keys", "width", "heads", "labels", "scale", "seed", "rng"}) {
    if (!arguments.given(flag)) continue;
    throw Error(
        ErrorKind::usage,
        {fmt::format("--variant parity は PyTorch の保存済みの結果と比べるので、--{} は変えられません", flag),
         fmt::format("--variant parity compares with a stored result of PyTorch, so --{} is fixed", flag)},
        {"指定を外すか、--variant article を使ってください", "leave it out, or use --variant article"});
  }
}

void refuse_flags(const Arguments& arguments, HeadsVariant variant) {
  const bool book = variant == HeadsVariant::book;
  const bool linear_layers = book || variant == HeadsVariant::notebook;
  if (variant == HeadsVariant::parity) refuse_flags_of_parity(arguments);
  if (arguments.given("keys") && !book) {
    throw Error(
        ErrorKind::usage,
        {"--keys は --variant book だけのものです（ほかではどのトークンもクエリとキーを兼ねます）",
         "--keys belongs to --variant book; elsewhere every token is a query and a key"},
        {"--tokens を使うか、--variant book を付けてください", "use --tokens, or add --variant book"});
  }
  if (arguments.given("labels") && book) {
    throw Error(
        ErrorKind::usage,
        {"--variant book ではクエリとキーが別のトークンなので、--labels は使えません",
         "--labels cannot name the tokens of --variant book: its queries and keys are different tokens"},
        {"指定を外してください", "leave it out"});
  }
  if (linear_layers && arguments.text("rng") == "numpy") {
    throw Error(ErrorKind::usage,
                {"この変種のモデルは nn.Linear の初期値を使うので、--rng numpy は使えません",
                 "the model of this variant is initialised by nn.Linear, which NumPy does not have"},
                {"--rng torch を使うか、--variant article を使ってください",
                 "use --rng torch, or --variant article"});
  }
}

std::size_t count_or(const Arguments& arguments, const char* name, std::size_t otherwise) {
  return arguments.given(name) ? arguments.count(name) : otherwise;
}

// --- Computing in float32 or float64 ---------------------------------------------------------------------

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

/// All heads by one matrix, as a linear layer keeps it: (heads * width, in) and (heads * width,).
template <class T>
Linear<T> fused_layer(const Tensor<T>& per_head, const std::optional<Tensor<T>>& bias) {
  Linear<T> layer{transpose(fuse_heads(per_head)), bias};
  if (layer.bias) layer.bias->reshape(std::vector<std::size_t>{layer.bias->size()});
  return layer;
}

/// The tokens by that matrix, without and with the bias.
template <class T>
std::pair<Tensor<double>, Tensor<double>> project_at_once(const Tensor<double>& tokens, Linear<T> layer) {
  const Tensor<T> x = xt::cast<T>(tokens);
  const Tensor<double> with_bias(linear(layer, x));
  layer.bias.reset();
  return {Tensor<double>(linear(layer, x)), with_bias};
}

template <class T>
void compute(HeadsRun& run) {
  const MultiHeadWeights<T> weights = converted<T>(run.weights);
  run.weights = converted<double>(weights);  // rounded to T: what the computation reads
  AttentionOptions<T> options;
  if (run.options.scale) options.scale = static_cast<T>(*run.options.scale);
  options.mask = converted<T>(run.options.mask);
  run.stages = widened(multi_head_attention(weights, Tensor<T>(run.query_input), Tensor<T>(run.key_input),
                                            Tensor<T>(run.value_input), options));
  std::tie(run.linear.query, run.projected.query) =
      project_at_once(run.query_input, fused_layer(weights.query, weights.query_bias));
  std::tie(run.linear.key, run.projected.key) =
      project_at_once(run.key_input, fused_layer(weights.key, weights.key_bias));
  std::tie(run.linear.value, run.projected.value) =
      project_at_once(run.value_input, fused_layer(weights.value, weights.value_bias));
  const Linear<T> output{transpose(weights.output), std::nullopt};
  run.linear_output = Tensor<double>(linear(output, Tensor<T>(run.stages.concat)));
}

}  // namespace

std::vector<Parameter> heads_parameters() {
  return {
      {"variant",
       ChoiceKind{{"article", "parity", "book", "course", "notebook"}},
       "article",
       {"どの文書のコードか：記事、その PyTorch との比較、教科書、講座、ノートブック",
        "whose code: the article, its comparison with PyTorch, textbook, course or notebook"}},
      {"tokens",
       IntegerKind{{1, 128}},
       "",
       {"トークンの個数。既定値は article 6、book 3（クエリ）、course 5、notebook 7",
        "how many tokens; default 6 in the article, 3 queries in the book, 5 in the course, 7 in the "
        "notebook"}},
      {"keys", IntegerKind{{1, 128}}, "", {"book のキーの個数。既定値は 4", "keys of the book; default 4"}},
      {"width",
       IntegerKind{{1, 1024}},
       "",
       {"モデルの次元 d_model。既定値は 16、notebook は 128",
        "width d_model; default 16, in the notebook 128"}},
      {"heads",
       IntegerKind{{1, 16}},
       "",
       {"ヘッドの個数（d_model の約数）。既定値は 4", "how many heads, a divisor of the width; default 4"}},
      labels_parameter(),
      scale_parameter("default"),
      {"seed",
       IntegerKind{{0, 4294967295}},
       "",
       {"乱数の種。既定値は article 42、ほかは 0", "random seed; default 42 in the article, else 0"}},
      {"rng",
       ChoiceKind{{"numpy", "torch"}},
       "",
       {"乱数列：np.random.RandomState か torch.manual_seed。既定値は文書のもの",
        "random numbers of np.random.RandomState or torch.manual_seed; default: the document's"}},
  };
}

HeadsRun run_heads_variant(const Arguments& arguments) {
  const Choice& choice = choices().at(arguments.text("variant"));
  refuse_flags(arguments, choice.variant);
  HeadsRun run;
  run.variant = choice.variant;
  run.dtype = choice.dtype;
  run.queries = count_or(arguments, "tokens", choice.queries);
  run.keys = choice.variant == HeadsVariant::book ? count_or(arguments, "keys", choice.keys) : run.queries;
  run.d_model = count_or(arguments, "width", choice.d_model);
  run.heads = count_or(arguments, "heads", choice.heads);
  run.seed = arguments.given("seed") ? static_cast<std::uint32_t>(arguments.integer("seed")) : choice.seed;
  run.rng = arguments.given("rng") ? arguments.text("rng") : choice.rng;
  run.labels = token_labels(arguments, run.keys);
  if (choice.variant == HeadsVariant::book) {
    for (std::size_t key = 0; key < run.keys; ++key) run.labels[key] = fmt::format("Key {}", key);
  }
  run.labels_are_words = !arguments.text("labels").empty();
  run.scale_text = arguments.text("scale");
  run.options.scale = parse_scale(run.scale_text);

  draw_heads(run, choice.batch);
  run.scale =
      run.options.scale.value_or(1.0 / std::sqrt(static_cast<double>(head_width(run.d_model, run.heads))));
  if (run.dtype == DType::float32) compute<float>(run);
  if (run.dtype == DType::float64) compute<double>(run);

  const double* weights = run.stages.attention.weights.data();  // those of the first batch entry are drawn
  Tensor<double> drawn = Tensor<double>::from_shape({run.heads * run.queries * run.keys});
  std::copy_n(weights, drawn.size(), drawn.data());
  run.data = data_range(drawn);
  return run;
}

bool is_batched(const HeadsRun& run) {
  return run.variant != HeadsVariant::article && run.variant != HeadsVariant::parity;
}

}  // namespace attnlab
