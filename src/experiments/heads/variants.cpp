// The five documents' multi-head layers: their sizes, the flags that fit them, and their random numbers.
#include "core/named.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

std::size_t count_or(const Arguments& arguments, const char* name, std::size_t otherwise) {
  return arguments.is_set(name) ? arguments.count(name) : otherwise;
}

/// As long as the user's mask, where nothing else says how many keys there are.
std::size_t keys_or(const Arguments& arguments, const char* name, std::size_t otherwise) {
  const InputArray* mask = find_named(arguments.sources.arrays, "mask");
  const bool says = mask != nullptr && !mask->values.shape.empty() && mask->values.shape.back() > 1;
  return count_or(arguments, name, says ? mask->values.shape.back() : otherwise);
}

// --- Flags that make no sense together

void refuse_if(bool senseless, const Text& what, const Text& remedy) {
  if (senseless) refuse_usage(what, remedy);
}

void refuse_flags(const Arguments& arguments, HeadsVariant variant) {
  const bool book = variant == HeadsVariant::book;
  const bool linear_layers = book || variant == HeadsVariant::notebook;
  for (const char* flag :
       {"input", "labels", "tokens", "keys", "width", "heads", "head-width", "scale", "seed", "rng"}) {
    refuse_if(variant == HeadsVariant::parity && arguments.is_set(flag),
              text("--variant parity は PyTorch の保存済みの結果と比べるので、--{} は変えられません",
                   "--variant parity compares with a stored result of PyTorch, so --{} is fixed", flag),
              {"指定を外すか、--variant article を使ってください", "leave it out, or use --variant article"});
  }
  refuse_if(arguments.is_set("keys") && !book,
            {"--keys は --variant book だけのものです（ほかではどのトークンもクエリとキーを兼ねます）",
             "--keys belongs to --variant book; elsewhere every token is a query and a key"},
            {"--tokens を使うか、--variant book を付けてください", "use --tokens, or add --variant book"});
  refuse_if(arguments.is_set("labels") && book,
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

void draw(HeadsRun& run, const std::string& name, const std::vector<std::size_t>& shape,
          const Factor& factor = {}) {
  run.drawn[name] = run.tape.normal(name, shape, factor);
}

/// Its class: a stream of its own, W_Q, W_K, W_V for all heads, then W_O, all times 0.1. In the comparison
/// with PyTorch the layer has the seed 0.
void draw_article(HeadsRun& run) {
  run.tape.start(run.rng, run.variant == HeadsVariant::parity ? 0 : run.seed);
  for (const char* name : {"w_query", "w_key", "w_value"})
    draw(run, name, {run.heads, run.d_model, run.width}, times(0.1));
  draw(run, "w_output", {joined_width(run), run.d_model}, times(0.1));
  run.tape.start(run.rng, run.seed);
  draw(run, "x", {run.queries, run.d_model});
}

// --- Linear layers

constexpr std::size_t one_sequence = 1;
constexpr std::size_t two_sequences = 2;  // in a batch
/// The weight and the bias of several nn.Linear, drawn one after the other: "layers" in the program.
std::vector<TorchLinear> draw_layers(HeadsRun& run, std::size_t count, std::size_t out) {
  run.tape.record("layers",
                  fmt::format("[linear_layer({}, {}) for _ in range({})]", run.d_model, out, count));
  std::vector<TorchLinear> layers;
  for (std::size_t i = 0; i < count; ++i) layers.push_back(run.tape.stream().linear(run.d_model, out));
  return layers;
}

/// Projection i is every third layer from i on, one per head or one for all, their rows one below the other.
void take_layers(HeadsRun& run, const std::vector<TorchLinear>& layers) {
  for (std::size_t i = 0; i < heads_sides.size(); ++i) {
    Tensor<double> weight = Tensor<double>::from_shape({joined_width(run), run.d_model});
    Tensor<double> bias = Tensor<double>::from_shape({joined_width(run)});
    const std::size_t rows = layers.front().bias.size();
    for (std::size_t head = 0; head * rows < joined_width(run); ++head) {
      const TorchLinear& layer = layers[i + heads_sides.size() * head];
      std::copy(layer.weight.begin(), layer.weight.end(), weight.data() + head * rows * run.d_model);
      std::copy(layer.bias.begin(), layer.bias.end(), bias.data() + head * rows);
    }
    const auto take = [&](const char* part, const char* which, const Tensor<double>& values) {
      const std::string name = fmt::format("{}_{}", part, heads_sides[i].name);
      run.drawn[name] =
          run.tape.drawn(name, fmt::format("np.concatenate([{} in layers[{}::3]])", which, i), values);
    };
    take("weight", "weight for weight, _", weight);
    take("bias", "bias for _, bias", bias);
  }
}

void draw_output_layer(HeadsRun& run) {
  run.tape.record("output_layer", fmt::format("linear_layer({}, {})", joined_width(run), run.d_model));
  const TorchLinear layer = run.tape.stream().linear(joined_width(run), run.d_model);
  run.drawn["weight_output"] =
      run.tape.drawn("weight_output", "output_layer[0]", Tensor<double>(layer.weight));
  run.drawn["bias_output"] = run.tape.drawn("bias_output", "output_layer[1]", Tensor<double>(layer.bias));
}

/// Textbook code 2.2.10 and 2.2.11, with heads * d_v inputs of the output layer: the model is drawn first,
/// head after head, then query, key and value.
void draw_book(HeadsRun& run) {
  run.tape.start("torch", run.seed);
  take_layers(run, draw_layers(run, heads_sides.size() * run.heads, run.width));
  draw_output_layer(run);
  draw(run, "query_input", {two_sequences, run.queries, run.d_model});
  draw(run, "key_input", {two_sequences, run.keys, run.d_model});
  draw(run, "value_input", {two_sequences, run.keys, run.d_model});
}

/// The notebook: x first, then W_q, W_k, W_v, W_o.
void draw_notebook(HeadsRun& run) {
  run.tape.start("torch", run.seed);
  draw(run, "x", {one_sequence, run.queries, run.d_model});
  take_layers(run, draw_layers(run, heads_sides.size(), joined_width(run)));
  draw_output_layer(run);
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
  run.tape.start(run.rng, run.seed);
  draw(run, "x", {two_sequences, run.queries, run.d_model});
  for (const HeadsSide& side : heads_sides)
    draw(run, fmt::format("weight_{}", side.name), {joined_width(run), run.d_model}, over_root(run.d_model));
  draw(run, "weight_output", {run.d_model, joined_width(run)}, over_root(run.d_model));
}

/// The user's mask, or the course's. Throws Error (failed) where a query is left without a key.
void take_mask(HeadsRun& run) {
  ScoreShape scores{{}, run.heads, run.queries, run.keys};
  if (is_batched(run)) scores.batch = {batch_size(run)};
  run.mask = run.tape.mask("mask", scores);
  run.has_user_mask = run.mask.has_value();
  if (!run.has_user_mask && run.variant == HeadsVariant::course) {
    run.mask = run.tape.user_or("mask", look_back_mask(run.heads, run.queries),
                                fmt::format("look_back_mask({}, {})", run.heads, run.queries));
  }
  if (!run.has_user_mask) return;
  for (std::size_t i = 0; i < run.mask->size() / run.keys; ++i) {
    if (run.mask->data()[i * run.keys + largest_in_row(*run.mask, i)] != -infinity) continue;
    refuse_failed(
        text("--input mask はクエリ {} のキーをすべてマスクするので、softmax は NaN になります",
             "--input mask masks every key of query {}: its softmax is NaN", i % run.queries),
        {"どのクエリにもキーを残してください（attnlab masks --masked-row に、残らないときの例があります）",
         "leave every query at least one key (`attnlab masks --masked-row` shows what becomes of such a row)"});
  }
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
      {"parity", {HeadsVariant::parity, DType::float32, 4, 4, 8, 2, 42, "numpy", draw_article}},
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
  const bool is_book = choice.variant == HeadsVariant::book;
  run.queries =
      is_book ? count_or(arguments, "tokens", choice.queries) : keys_or(arguments, "tokens", choice.queries);
  run.keys = is_book ? keys_or(arguments, "keys", choice.keys) : run.queries;
  run.d_model = count_or(arguments, "width", choice.d_model);
  run.heads = count_or(arguments, "heads", choice.heads);
  run.seed = arguments.is_set("seed") ? static_cast<std::uint32_t>(arguments.integer("seed")) : choice.seed;
  run.rng = arguments.is_set("rng") ? arguments.text("rng") : choice.rng;
  run.labels = token_labels(arguments, run.keys);
  run.labels_are_words = !arguments.text("labels").empty();
  run.scale_text = arguments.text("scale");
  run.width =
      arguments.is_set("head-width") ? arguments.count("head-width") : head_width(run.d_model, run.heads);
  run.scale = parse_scale(run.scale_text).value_or(1.0 / std::sqrt(static_cast<double>(run.width)));
  run.tape = Tape(arguments, "");  // each document starts its own streams
  run.tape.compute_in(run.dtype);
  choice.draw(run);
  take_mask(run);
  return run;
}

}  // namespace attnlab
