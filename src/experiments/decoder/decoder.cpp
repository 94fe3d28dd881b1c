// A stack of causal layers predicts the next word: each layer adds to the residual stream, no word sees
// ahead.
#include "experiments/decoder/decoder.hpp"

#include "attention/masks.hpp"
#include "attention/positional.hpp"
#include "core/number_order.hpp"
#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_words = 32;  // of the vocabulary and of the prompt

// --- The words

std::vector<std::string> read_vocabulary(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words("vocabulary");
  const std::set<std::string> different(words.begin(), words.end());
  if (words.size() < 2 || words.size() > most_words || different.size() < words.size()) {
    refuse_usage(text("--vocabulary には異なる 2～{} 語が必要ですが、{} 語（異なるものは {} 語）です",
                      "--vocabulary needs 2 to {} different words, got {} ({} different)", most_words,
                      words.size(), different.size()),
                 {"例：--vocabulary 吾輩,は,猫,で,ある", "for example --vocabulary I,am,a,cat,."});
  }
  return words;
}

std::vector<std::size_t> read_prompt(const Arguments& arguments, const std::vector<std::string>& vocabulary) {
  const std::vector<std::string> words = arguments.words("prompt");
  if (words.size() > most_words) {
    refuse_usage(text("--prompt は {} 語で、上限の {} 語を超えます", "--prompt has {} words, more than {}",
                      words.size(), most_words),
                 {"短くしてください", "make it shorter"});
  }
  std::vector<std::size_t> indices;
  for (const std::string& word : words) {
    const auto found = std::find(vocabulary.begin(), vocabulary.end(), word);
    if (found == vocabulary.end()) {
      refuse_usage(
          text("--prompt の「{}」は語彙にありません", "--prompt: '{}' is not in the vocabulary", word),
          text("語彙は {} です。--vocabulary で変えられます", "choose from {}, or give another --vocabulary",
               joined(vocabulary, ",")));
    }
    indices.push_back(static_cast<std::size_t>(found - vocabulary.begin()));
  }
  return indices;
}

// --- The model

std::string layer_prefix(std::size_t layer) { return fmt::format("layer_{}_", layer); }

/// [(layer_0_w_query, ...), ...]: the layers as a program lists them.
std::string layers_code(std::size_t layers) {
  std::vector<std::string> tuples;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::vector<std::string> names;
    for (const char* name : {"w_query", "w_key", "w_value", "w_output", "w_1", "w_2"}) {
      names.push_back(layer_prefix(layer) + name);
    }
    tuples.push_back("(" + joined(names, ", ") + ")");
  }
  return "[" + joined(tuples, ", ") + "]";
}

/// A one in the column of each word: times the embedding, it picks that word's row.
Tensor<double> one_hot_rows(const std::vector<std::size_t>& words, std::size_t vocabulary) {
  Tensor<double> rows({words.size(), vocabulary}, 0.0);
  for (std::size_t i = 0; i < words.size(); ++i) rows(i, words[i]) = 1.0;
  return rows;
}

/// Puts the words and the model on the tape.
DecoderModel draw_decoder(Tape& tape, const Arguments& arguments, const std::vector<std::size_t>& prompt,
                          std::size_t words) {
  const std::size_t width = arguments.count("width");
  DecoderModel model;
  tape.step("one_hot", Formula{}, one_hot_rows(prompt, words), {"tokens", "words"},
            derived::input(fmt::format("np.eye({})[[{}]]", words, joined(prompt, ", "))));
  model.embedding = tape.normal("embedding", {words, width}, {"words", "width"});
  // Standard normals over the root of the number of inputs, so that outputs are about as large as inputs.
  for (std::size_t layer = 0; layer < arguments.count("layers"); ++layer) {
    model.layers.push_back(
        draw_layer(tape, layer_prefix(layer), width, arguments.count("heads"), 4 * width, over_root));
  }
  model.w_vocabulary = tape.normal("w_vocabulary", {width, words}, {"width", "words"}, over_root(width));
  tape.record("layers", layers_code(model.layers.size()));
  return model;
}

/// What a query may read: the words up to its own, or all of them (an encoder; for comparison).
enum class Sight { causal, everything };

Tensor<double> sight_mask(std::size_t tokens, Sight sight) {
  const BooleanMask may_read =
      sight == Sight::everything ? no_mask(tokens, tokens) : causal_mask(tokens, tokens);
  return additive_mask(may_read, -infinity);
}

/// Of words by their numbers, (n, words).
Tensor<double> logits_of(const DecoderModel& model, const WordNumbers& words, Sight sight) {
  const std::size_t vocabulary = model.embedding.shape()[0];
  const std::size_t width = model.embedding.shape()[1];
  const Tensor<double> mask = sight_mask(words.size(), sight);
  Tensor<double> stream = matmul(one_hot_rows(words, vocabulary), model.embedding) +
                          sinusoidal_encoding(words.size(), width, position_base);
  for (const DrawnLayer& layer : model.layers)
    stream = transformer_layer(transformer_layer_of(layer, NormPlacement::pre), stream, {{}, mask}).output;
  return matmul(layer_norm({}, stream), model.w_vocabulary);
}

// --- What is measured

WeightCounts weight_counts(const DecoderModel& model) {
  const DrawnLayer& layer = model.layers.front();
  const MultiHeadWeights<double>& attention = layer.attention;
  return {model.embedding.shape()[0],
          model.embedding.shape()[1],
          layer.w_1.shape()[1],
          model.embedding.size(),
          attention.query.size() + attention.key.size() + attention.value.size() + attention.output.size(),
          layer.w_1.size() + layer.w_2.size(),
          model.w_vocabulary.size(),
          model.layers.size()};
}

double error_of_prefix(const DecoderRun& run) {
  if (run.prompt.size() < 2) return 0.0;
  const std::vector<std::size_t> prefix(run.prompt.begin(), run.prompt.end() - 1);
  return largest_difference(logits_of(run.model, prefix, Sight::causal), run.pass.logits);
}

// --- The trace

using namespace worked;
using formula::read;
using formula::sym;

const std::vector<std::string> stream_axes{"tokens", "width"};
const std::vector<std::string> word_axes{"tokens", "words"};

/// The stream as it enters a layer: a stage and its symbol.
std::string stream_name(std::size_t layer) { return layer == 0 ? "x" : layer_prefix(layer - 1) + "output"; }
Formula stream_symbol(std::size_t layer) { return read(layer == 0 ? "X" : fmt::format("X_{}", layer)); }

/// From the words on the tape to the next ones. Source: slides, GPT preview (LSM); Radford et al. 2019, 2.3.
DecoderPass decode(Tape& tape, const DecoderModel& model, std::size_t tokens) {
  const std::size_t width = model.embedding.shape()[1];
  const std::size_t layers = model.layers.size();
  DecoderPass pass;
  tape.step("mask", Formula{}, sight_mask(tokens, Sight::causal), {"queries", "keys"},
            derived::input(fmt::format("causal_mask({0}, {0}, 0, -np.inf)", tokens)));
  tape.product("embedded", "T E", "one_hot", "embedding", stream_axes);
  const Tensor<double> encoding = sinusoidal_encoding(tokens, width, position_base);
  const std::vector<Chain> positions =
      lines(tokens, [&](std::size_t n) { return sinusoids(n, &encoding(n, 0), width, position_base); });
  tape.step(
      "positions", "r_n", encoding, stream_axes,
      derived::worked({}, positions, fmt::format("sinusoidal_encoding(np.arange({}.0), {})", tokens, width)));
  pass.x = tape.sum("x", "T E + r", "embedded", "positions");
  for (std::size_t layer = 0; layer < layers; ++layer) {
    pass.layers.push_back(layer_on(
        tape, {layer_prefix(layer), stream_name(layer), stream_symbol(layer), "mask"}, NormPlacement::pre));
  }
  const Formula norm = formula::call("LN", stream_symbol(layers));
  tape.layer_norm("final_norm", norm, stream_name(layers));
  pass.logits = tape.product("logits", formula::row({norm, sym(" "), read("W_vocab")}), "final_norm",
                             "w_vocabulary", word_axes);
  pass.probabilities = tape.softmax("probabilities", "softmax(logits)", "logits");
  return pass;
}

/// The weights of all layers in one array, (layers, heads, n, n).
void stack_weights(Tape& tape, const DecoderRun& run) {
  const std::size_t layers = run.pass.layers.size();
  const std::size_t tokens = run.prompt.size();
  Tensor<double> all = Tensor<double>::from_shape({layers, run.heads, tokens, tokens});
  std::vector<std::string> operands;
  std::vector<Chain> lines;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const Tensor<double>& weights = run.pass.layers[layer].attention.attention.weights;
    xt::view(all, layer) = weights;
    operands.push_back(layer_prefix(layer) + "weights");
    lines.push_back(
        equation(entry("weights", {layer, 0, tokens - 1}),
                 {entry(operands.back(), {0, tokens - 1}), numbers(&weights(0, tokens - 1, 0), tokens)}));
  }
  const std::string code = fmt::format("np.stack([{}])", joined(operands, ", "));
  tape.step("weights", "A_l", all, {"layers", "heads", "queries", "keys"},
            derived::worked(std::move(operands), std::move(lines), code).with_rows_of_one());
}

// --- Measurements

/// The lengths of the tokens of one stage after another, (places, n): the first token's written out.
class Lengths {
 public:
  explicit Lengths(Tape& tape) : tape_(tape) {}

  /// Gives the stage's numbers; "‖x[0]‖ = √(0.2² + (−0.1)² + ⋯ + 0.5²) ≈ 1.3".
  Tensor<double> add(const std::string& stage) {
    Tensor<double> tokens = tape_.numbers_of(stage);
    const Tensor<double> lengths = token_lengths(tokens);
    const Written squares =
        sum(tokens.shape()[1], [&](std::size_t k) { return square(factor(tokens(0, k))); });
    lines_.push_back(equation(sym(fmt::format("‖{}[0]‖", stage)), {root(squares), lengths(0)}));
    all_.insert(all_.end(), lengths.begin(), lengths.end());
    operands_.push_back(stage);
    calls_.push_back("token_lengths(" + stage + ")");
    return tokens;
  }

  Tensor<double> record(const char* name, const char* formula, const char* places) {
    const std::size_t count = operands_.size();
    return tape_.step(
        name, formula, to_tensor(all_, {count, all_.size() / count}), {places, "tokens"},
        derived::worked(operands_, lines_, fmt::format("np.stack([{}])", joined(calls_, ", "))));
  }

 private:
  Tape& tape_;
  std::vector<double> all_;
  std::vector<std::string> operands_;
  std::vector<Chain> lines_;
  std::vector<std::string> calls_;
};

void measure_stream(Tape& tape, DecoderRun& run) {
  Lengths added(tape);
  Lengths stream(tape);
  Tensor<double> sum = stream.add("x");
  for (std::size_t layer = 0; layer < run.model.layers.size(); ++layer) {
    const std::string prefix = layer_prefix(layer);
    const Tensor<double> by_attention = added.add(prefix + "attention");
    sum += by_attention + added.add(prefix + "mlp");
    stream.add(prefix + "residual_1");
    stream.add(prefix + "output");
  }
  run.added_length = added.record("added_length", "‖ ΔX ‖", "sublayers");
  run.stream_length = stream.record("stream_length", "‖ X ‖", "places");
  run.sum_error = largest(token_lengths(sum - run.pass.layers.back().output));
}

/// Every word in turn becomes the next of the vocabulary.
std::string reaction_code(const std::string& mask) {
  return fmt::format(
      "reactions(lambda words: language_model(words @ embedding + positions, layers, {}, w_vocabulary), one_hot, lambda word: np.roll(word, 1))",
      mask);
}

Tensor<double> react(Tape& tape, const DecoderRun& run, const char* name, Sight sight, const char* mask) {
  const std::size_t tokens = run.prompt.size();
  const Tensor<double> reaction = reactions(run.prompt, run.vocabulary.size(), [&](const WordNumbers& words) {
    return logits_of(run.model, words, sight);
  });
  const auto line = [&](std::size_t i) {
    return equation(sym(fmt::format("‖logits′[{0}] − logits[{0}]‖", i)),
                    {together({numbers(&reaction(i, 0), tokens), ",", "j = 0, 1, ⋯"})});
  };
  return tape.step(name, sym("‖Δ logits‖"), reaction, {"tokens", "changed_tokens"},
                   derived::worked({"one_hot", "logits"}, lines(tokens, line), reaction_code(mask)));
}

}  // namespace

DecoderRun DecoderRun::compute(const Arguments& arguments, const Context& /*context*/) {
  DecoderRun run;
  run.vocabulary = read_vocabulary(arguments);
  run.prompt = read_prompt(arguments, run.vocabulary);
  for (const std::size_t word : run.prompt) run.history.push_back(run.vocabulary[word]);
  run.heads = arguments.count("heads");
  run.lit = arguments.count("lit");
  Tape& tape = run.tape = Tape(arguments);
  run.model = draw_decoder(tape, arguments, run.prompt, run.vocabulary.size());
  run.replacement = run.vocabulary[(run.prompt.back() + 1) % run.vocabulary.size()];
  run.counts = weight_counts(run.model);
  run.pass = decode(tape, run.model, run.prompt.size());
  run.prefix_error = error_of_prefix(run);
  stack_weights(tape, run);
  measure_stream(tape, run);
  run.reaction = react(tape, run, "reaction", Sight::causal, "mask");
  run.reaction_without_mask = react(tape, run, "reaction_without_mask", Sight::everything, "0.0");
  return run;
}

Text word_text(const std::string& word) {
  static const std::map<std::string, std::string> english{
      {"吾輩", "This"}, {"は", "is"},   {"猫", "a"},     {"で", "small"},  {"ある", "cat"},
      {"。", "."},      {"名前", "It"}, {"まだ", "not"}, {"ない", "named"}};
  const auto found = english.find(word);
  return found == english.end() ? Text::same(word) : Text{word, found->second};
}

Tensor<double> reactions(const WordNumbers& prompt, std::size_t vocabulary,
                         const std::function<Tensor<double>(const WordNumbers&)>& logits_of) {
  const std::size_t tokens = prompt.size();
  const Tensor<double> before = logits_of(prompt);
  Tensor<double> moved = Tensor<double>::from_shape({tokens, tokens});
  for (std::size_t j = 0; j < tokens; ++j) {
    WordNumbers changed = prompt;
    changed[j] = (changed[j] + 1) % vocabulary;
    xt::view(moved, xt::all(), j) = token_lengths(logits_of(changed) - before);
  }
  return moved;
}

double leak(const Tensor<double>& reaction) { return largest_where(reaction, std::less<>()); }

std::vector<std::size_t> ranking(const DecoderRun& run, std::size_t position) {
  std::vector<std::size_t> words(run.vocabulary.size());
  std::iota(words.begin(), words.end(), std::size_t{0});
  std::stable_sort(words.begin(), words.end(), [&](std::size_t a, std::size_t b) {
    return larger_first(run.pass.probabilities(position, a), run.pass.probabilities(position, b));
  });
  return words;
}

Text sublayer_name(std::size_t sublayer) {
  const std::size_t layer = sublayer / 2;
  if (sublayer % 2 == 1) return Text::same(fmt::format("MLP {}", layer));
  return text("アテンション {}", "Attention {}", layer);
}

std::vector<Scalar> scalars(const DecoderRun& run) {
  const std::size_t best = ranking(run, run.last()).front();
  return {{"most_likely", static_cast<double>(best)},
          {"largest_probability", run.pass.probabilities(run.last(), best)},
          {"entropy", entropy(run.pass.probabilities)(run.last())},
          {"leak", leak(run.reaction)},
          {"leak_without_mask", leak(run.reaction_without_mask)},
          {"weights_in_all", static_cast<double>(run.counts.all())}};
}

// --- What must hold

namespace {

/// How far the order of sums may move the logits and the end of the stream, with own arrays of any size.
struct Roundings {
  double logits = 0.0;
  double stream = 0.0;
};

Roundings roundings_of(const DecoderRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const Tensor<double>* stream = &run.pass.x;
  double error = 0.0;
  double size = largest_magnitude(run.pass.x);
  for (std::size_t layer = 0; layer < run.model.layers.size(); ++layer) {
    const TransformerLayerStages<double>& stages = run.pass.layers[layer];
    error = rounding_of_layer(run.model.layers[layer], NormPlacement::pre, stages, *stream, error);
    stream = &stages.output;
    size += largest_magnitude(stages.attention.output) + largest_magnitude(stages.mlp.output);
  }
  const auto width = static_cast<double>(stream->shape()[1]);
  const double norm = rounding_of_norm(*stream, error);
  const double depth = 2.0 * static_cast<double>(run.model.layers.size()) + 2.0;
  return {
      2.0 * width * (norm + epsilon * width * std::sqrt(width)) * largest_magnitude(run.model.w_vocabulary),
      epsilon * depth * width * size};
}

}  // namespace

std::vector<Invariant> invariants(const DecoderRun& run) {
  // tolerance64 of the agreement rule: a few hundred roundings of numbers near 1
  constexpr double rounding = 1e-12;
  Roundings own{rounding, rounding};
  if (run.tape.any_read()) {
    const Roundings bounds = roundings_of(run);
    own = {std::max(rounding, bounds.logits), std::max(rounding, bounds.stream)};
  }
  double weights_error = 0.0;
  double future_weight = 0.0;
  const BooleanMask sight = causal_mask(run.prompt.size(), run.prompt.size());
  for (const TransformerLayerStages<double>& layer : run.pass.layers) {
    const Tensor<double>& weights = layer.attention.attention.weights;
    weights_error = std::max(weights_error, row_sum_error(weights));
    future_weight = std::max(future_weight, largest(leaked_mass(weights, sight)));
  }
  return {
      invariant("weights_sum_to_one", weights_error, rounding, "注意度の各行の和は 1",
                "every row of the weights sums to 1"),
      invariant("probabilities_sum_to_one", row_sum_error(run.pass.probabilities), rounding,
                "次の語の確率の和は 1", "the next word's probabilities sum to 1"),
      // exp(-inf) is exactly 0
      invariant("no_weight_on_the_future", future_weight, 0.0, "後の語への注意度は 0",
                "later words get a weight of 0"),
      // the masked values are multiplied by an exact 0; only the order of BLAS's sums could differ
      invariant("no_leak_from_the_future", leak(run.reaction), own.logits,
                "後の語を変えても、前の位置の出力は変わらない",
                "changing a later word leaves earlier outputs unchanged"),
      invariant("prefix_gives_the_same_rows", run.prefix_error, own.logits,
                "最後の語を除いて計算しても、残りの行は同じ",
                "without the last word the other rows stay the same"),
      invariant("stream_is_the_sum", run.sum_error, own.stream,
                "最後の残差ストリームは、入力に各サブレイヤの出力を足したもの",
                "the final stream is the input plus what every sub-layer added"),
  };
}

Experiment decoder_experiment() {
  constexpr std::size_t most_layers = 4;
  std::vector<DeclaredInput> arrays{{"embedding", {"words of --vocabulary", "width"}}};
  for (std::size_t layer = 0; layer < most_layers; ++layer) {
    for (DeclaredInput& weight : declared_layer(layer_prefix(layer), "4 width")) {
      arrays.push_back(std::move(weight));
    }
  }
  arrays.push_back({"w_vocabulary", {"width", "words of --vocabulary"}});
  return Experiment{
      "decoder",
      {"因果マスクつきの層を重ねて次の語を予測する（GPT の縮小版）",
       "a stack of causal layers predicts the next word: GPT in small"},
      {"スライド「予告：GPT のアーキテクチャ」（LSM）", "slides, GPT preview (LSM)"},
      {parameter("prompt", WordsKind{}, "吾輩,は,猫,で,ある", "語彙から選んだ語の列",
                 "the prompt, all words from the vocabulary"),
       parameter("vocabulary", WordsKind{}, "吾輩,は,猫,で,ある,。,名前,まだ,ない", "語彙（異なる 2～32 語）",
                 "the vocabulary: 2 to 32 different words"),
       parameter("layers", IntegerKind{{1, most_layers}}, "2", "層の個数", "number of layers"),
       parameter("width", IntegerKind{{2, 64}}, "16", "トークンの次元 D", "width D of the tokens"),
       parameter("heads", IntegerKind{{1, 8}}, "4", "ヘッドの個数（D の約数）",
                 "number of heads; must divide the width"),
       lit_parameter(3), rng_parameter(), seed_parameter("0")},
      report_of<DecoderRun>}
      .with_inputs(std::move(arrays))
      .with_sliders({{"layers=1:4"}});
}

}  // namespace attnlab
