// The five documents' multi-head layers: their sizes, the flags that fit them, and their random numbers.
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

std::size_t count_or(const Arguments& arguments, const char* name, std::size_t otherwise) {
  return arguments.given(name) ? arguments.count(name) : otherwise;
}

// --- Flags that make no sense together

void refuse_if(bool senseless, const Text& what, const Text& remedy) {
  if (senseless) refuse_usage(what, remedy);
}

void refuse_flags(const Arguments& arguments, HeadsVariant variant) {
  const bool book = variant == HeadsVariant::book;
  const bool linear_layers = book || variant == HeadsVariant::notebook;
  for (const char* flag : {"tokens", "keys", "width", "heads", "labels", "scale", "seed", "rng"}) {
    refuse_if(variant == HeadsVariant::parity && arguments.given(flag),
              text("--variant parity は PyTorch の保存済みの結果と比べるので、--{} は変えられません",
                   "--variant parity compares with a stored result of PyTorch, so --{} is fixed", flag),
              {"指定を外すか、--variant article を使ってください", "leave it out, or use --variant article"});
  }
  refuse_if(arguments.given("keys") && !book,
            {"--keys は --variant book だけのものです（ほかではどのトークンもクエリとキーを兼ねます）",
             "--keys belongs to --variant book; elsewhere every token is a query and a key"},
            {"--tokens を使うか、--variant book を付けてください", "use --tokens, or add --variant book"});
  refuse_if(arguments.given("labels") && book,
            {"--variant book ではクエリとキーが別のトークンなので、--labels は使えません",
             "--labels cannot name the tokens of --variant book: its queries and keys are different tokens"},
            {"指定を外してください", "leave it out"});
  refuse_if(
      linear_layers && arguments.text("rng") == "numpy",
      {"この変種のモデルは nn.Linear の初期値を使うので、--rng numpy は使えません",
       "the model of this variant is initialised by nn.Linear, which NumPy does not have"},
      {"--rng torch を使うか、--variant article を使ってください", "use --rng torch, or --variant article"});
}

// --- The article

/// Its class: a stream of its own, W_Q, W_K, W_V for all heads, then W_O, all times 0.1.
MultiHeadWeights<double> article_weights(const HeadsRun& run, std::uint32_t seed) {
  RandomStream random = random_stream(run.rng, seed);
  MultiHeadWeights<double> weights;
  weights.query = random.randn({run.heads, run.d_model, run.width}) * 0.1;
  weights.key = random.randn({run.heads, run.d_model, run.width}) * 0.1;
  weights.value = random.randn({run.heads, run.d_model, run.width}) * 0.1;
  weights.output = random.randn({run.heads * run.width, run.d_model}) * 0.1;
  return weights;
}

/// Query, key and value are one array.
void take_tokens(HeadsRun& run, const Tensor<double>& x) {
  run.query_input = x;
  run.key_input = x;
  run.value_input = x;
}

void draw_article(HeadsRun& run) {
  run.weights = article_weights(run, run.seed);
  take_tokens(run, random_stream(run.rng, run.seed).randn({run.queries, run.d_model}));
}

/// The listing rounds X to float32 and gives the layer the seed 0.
void draw_parity(HeadsRun& run) {
  run.weights = article_weights(run, 0);
  const Tensor<float> x(random_stream(run.rng, run.seed).randn({run.queries, run.d_model}));
  take_tokens(run, Tensor<double>(x));
}

// --- Linear layers

constexpr std::size_t one_sequence = 1;
constexpr std::size_t two_sequences = 2;  // in a batch

/// (out, in) as nn.Linear keeps it to (heads, in, width).
template <class T>
Tensor<double> per_head(const Tensor<T>& weight, std::size_t heads) {
  return Tensor<double>(split_heads(attnlab::transpose(weight), heads));
}

/// Textbook code 2.2.10 and 2.2.11, with heads * d_v inputs of the output layer: the model is drawn first,
/// head after head, then query, key and value.
void draw_book(HeadsRun& run) {
  TorchRandom random(run.seed);
  MultiHeadWeights<double>& w = run.weights;
  w.query = w.key = w.value = Tensor<double>::from_shape({run.heads, run.d_model, run.width});
  w.query_bias = w.key_bias = w.value_bias = Tensor<double>::from_shape({run.heads, run.width});
  for (std::size_t head = 0; head < run.heads; ++head) {
    for (const auto& [weight, bias] : {std::pair(&w.query, &*w.query_bias), std::pair(&w.key, &*w.key_bias),
                                       std::pair(&w.value, &*w.value_bias)}) {
      const TorchLinear layer = random.linear(run.d_model, run.width);
      xt::view(*weight, head) = attnlab::transpose(layer.weight);
      xt::view(*bias, head) = layer.bias;
    }
  }
  const TorchLinear output = random.linear(run.heads * run.width, run.d_model);
  w.output = attnlab::transpose(output.weight);
  w.output_bias = Tensor<double>(output.bias);
  run.query_input = random.randn({two_sequences, run.queries, run.d_model});
  run.key_input = random.randn({two_sequences, run.keys, run.d_model});
  run.value_input = random.randn({two_sequences, run.keys, run.d_model});
}

/// The notebook: x first, then W_q, W_k, W_v, W_o.
void draw_notebook(HeadsRun& run) {
  TorchRandom random(run.seed);
  MultiHeadWeights<double>& w = run.weights;
  take_tokens(run, Tensor<double>(random.randn({one_sequence, run.queries, run.d_model})));
  for (const auto& [weight, bias] : {std::pair(&w.query, &w.query_bias), std::pair(&w.key, &w.key_bias),
                                     std::pair(&w.value, &w.value_bias)}) {
    const TorchLinear layer = random.linear(run.d_model, run.d_model);
    *weight = per_head(layer.weight, run.heads);
    *bias = Tensor<double>(layer.bias);
    (*bias)->reshape(std::vector<std::size_t>{run.heads, run.width});
  }
  const TorchLinear output = random.linear(run.d_model, run.d_model);
  w.output = attnlab::transpose(output.weight);
  w.output_bias = Tensor<double>(output.bias);
}

/// (1, heads, length, length): head h reads a token and the h + 1 tokens before it, so that every head has a
/// mask of its own.
Tensor<double> look_back_mask(std::size_t heads, std::size_t length) {
  Tensor<double> mask({1, heads, length, length}, -infinity);
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t query = 0; query < length; ++query) {
      const std::size_t first = query > head + 1 ? query - head - 1 : 0;
      for (std::size_t key = first; key <= query; ++key) mask(0, head, query, key) = 0.0;
    }
  }
  return mask;
}

/// Course, task 2: x (N, L, E), then W_Q, W_K, W_V (H D, E) and W_O (E, H D), each over sqrt(E), no bias.
void draw_course(HeadsRun& run) {
  RandomStream random = random_stream(run.rng, run.seed);
  take_tokens(run, random.randn({two_sequences, run.queries, run.d_model}));
  const double size = std::sqrt(static_cast<double>(run.d_model));
  const auto draw = [&] { return Tensor<double>(random.randn({run.d_model, run.d_model}) / size); };
  run.weights.query = per_head(draw(), run.heads);
  run.weights.key = per_head(draw(), run.heads);
  run.weights.value = per_head(draw(), run.heads);
  run.weights.output = attnlab::transpose(draw());
  run.options.mask = look_back_mask(run.heads, run.queries);
}

// --- What the documents choose

struct Choice {
  HeadsVariant variant;
  DType dtype;
  std::size_t queries;
  std::size_t keys;
  std::size_t d_model;
  std::size_t heads;
  std::uint32_t seed;
  const char* rng;
  void (*draw)(HeadsRun& run);  // the inputs, the weights and the mask, in the order of the document
};

const std::map<std::string, Choice>& choices() {
  static const std::map<std::string, Choice> table{
      {"article", {HeadsVariant::article, DType::float64, 6, 6, 16, 4, 42, "numpy", draw_article}},
      {"parity", {HeadsVariant::parity, DType::float32, 4, 4, 8, 2, 42, "numpy", draw_parity}},
      {"book", {HeadsVariant::book, DType::float32, 3, 4, 16, 4, 0, "torch", draw_book}},
      {"course", {HeadsVariant::course, DType::float64, 5, 5, 16, 4, 0, "numpy", draw_course}},
      {"notebook", {HeadsVariant::notebook, DType::float32, 7, 7, 128, 4, 0, "torch", draw_notebook}}};
  return table;
}

}  // namespace

Parameter variant_parameter() {
  return parameter("variant", ChoiceKind{{"article", "parity", "book", "course", "notebook"}}, "article",
                   "どの文書のコードか：記事、その PyTorch との比較、教科書、講座、ノートブック",
                   "whose code: the article, its comparison with PyTorch, textbook, course or notebook");
}

HeadsRun drawn_variant(const Arguments& arguments) {
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
  run.width = head_width(run.d_model, run.heads);
  run.scale = run.options.scale.value_or(1.0 / std::sqrt(static_cast<double>(run.width)));
  choice.draw(run);
  return run;
}

}  // namespace attnlab
