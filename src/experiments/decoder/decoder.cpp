// A stack of causal layers predicts the next word: each layer adds to the residual stream, no word sees
// ahead.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <xtensor/xview.hpp>

#include "attention/masks.hpp"
#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"
#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_words = 32;  // of the vocabulary and of the prompt

std::vector<Parameter> parameters() {
  return {
      parameter("prompt", WordsKind{}, "吾輩,は,猫,で,ある", "語彙から選んだ語の列",
                "the words so far, all from the vocabulary"),
      parameter("vocabulary", WordsKind{}, "吾輩,は,猫,で,ある,。,名前,まだ,ない", "語彙（異なる 2～32 語）",
                "the vocabulary: 2 to 32 different words"),
      parameter("layers", IntegerKind{{1, 4}}, "2", "層の個数", "how many layers"),
      parameter("width", IntegerKind{{2, 64}}, "16", "トークンの次元 D", "width D of the tokens"),
      parameter("heads", IntegerKind{{1, 8}}, "4", "ヘッドの個数（D の約数）",
                "how many heads; must divide the width"),
      rng_parameter(),
      seed_parameter("0"),
  };
}

// --- The words

std::vector<std::string> read_vocabulary(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words("vocabulary");
  const std::set<std::string> different(words.begin(), words.end());
  if (words.size() < 2 || words.size() > most_words || different.size() < words.size()) {
    throw Error(ErrorKind::usage,
                text("--vocabulary には異なる 2～{} 語が必要ですが、{} 語（異なるものは {} 語）です",
                     "--vocabulary needs 2 to {} different words, got {} ({} different)", most_words,
                     words.size(), different.size()),
                {"例：--vocabulary 吾輩,は,猫,で,ある", "for example --vocabulary I,am,a,cat,."});
  }
  return words;
}

std::vector<std::size_t> read_prompt(const Arguments& arguments, const std::vector<std::string>& vocabulary) {
  const std::vector<std::string> words = arguments.words("prompt");
  if (words.size() > most_words) {
    throw Error(ErrorKind::usage,
                text("--prompt は {} 語で、上限の {} 語を超えます", "--prompt has {} words, more than {}",
                     words.size(), most_words),
                {"短くしてください", "make it shorter"});
  }
  std::vector<std::size_t> indices;
  for (const std::string& word : words) {
    const auto found = std::find(vocabulary.begin(), vocabulary.end(), word);
    if (found == vocabulary.end()) {
      throw Error(
          ErrorKind::usage,
          text("--prompt の「{}」は語彙にありません", "--prompt: '{}' is not in the vocabulary", word),
          text("語彙は {} です。--vocabulary で変えられます", "choose from {}, or give another --vocabulary",
               fmt::format("{}", fmt::join(vocabulary, ","))));
    }
    indices.push_back(static_cast<std::size_t>(found - vocabulary.begin()));
  }
  return indices;
}

// --- The model

DecoderModel draw_decoder(const Arguments& arguments, std::size_t words) {
  RandomStream random = random_stream(arguments);
  // Standard normals over the root of the number of inputs, so that outputs are about as large as inputs.
  const auto draw = [&random](const std::vector<std::size_t>& shape) -> Tensor<double> {
    return random.randn(shape) / std::sqrt(static_cast<double>(shape[shape.size() - 2]));
  };
  const std::size_t width = arguments.count("width");
  DecoderModel model;
  model.embedding = random.randn({words, width});
  for (std::size_t layer = 0; layer < arguments.count("layers"); ++layer) {
    model.layers.push_back(draw_layer(width, arguments.count("heads"), 4 * width, draw));
  }
  model.w_vocabulary = draw({width, words});
  return model;
}

/// What a query may read: the words up to its own, or all of them (an encoder; for comparison).
enum class Sight { causal, everything };

/// A one in the column of each word: times the embedding, it picks that word's row.
Tensor<double> one_hot_rows(const std::vector<std::size_t>& words, std::size_t vocabulary) {
  Tensor<double> rows({words.size(), vocabulary}, 0.0);
  for (std::size_t i = 0; i < words.size(); ++i) rows(i, words[i]) = 1.0;
  return rows;
}

Tensor<double> sight_mask(std::size_t tokens, Sight sight) {
  const BooleanMask may_read =
      sight == Sight::everything ? no_mask(tokens, tokens) : causal_mask(tokens, tokens);
  return additive_mask(may_read, -std::numeric_limits<double>::infinity());
}

/// `words` are indices into the vocabulary. Source: slides, GPT preview (LSM); Radford et al. 2019, 2.3.
DecoderPass decode(const DecoderModel& model, const std::vector<std::size_t>& words, Sight sight) {
  const std::size_t vocabulary = model.embedding.shape()[0];
  const std::size_t width = model.embedding.shape()[1];
  DecoderPass pass;
  pass.one_hot = one_hot_rows(words, vocabulary);
  pass.embedded = matmul(pass.one_hot, model.embedding);
  pass.positions = sinusoidal_encoding(words.size(), width, position_base);
  pass.x = pass.embedded + pass.positions;
  pass.mask = sight_mask(words.size(), sight);
  AttentionOptions<double> options;
  options.mask = pass.mask;
  Tensor<double> stream = pass.x;
  for (const DrawnLayer& layer : model.layers) {
    pass.layers.push_back(
        transformer_layer(transformer_layer_of(layer, NormPlacement::pre), stream, options));
    stream = pass.layers.back().output;
  }
  pass.final_norm = layer_norm({}, stream);
  pass.logits = matmul(pass.final_norm, model.w_vocabulary);
  pass.probabilities = softmax(pass.logits);
  return pass;
}

// --- What is measured

Tensor<double> react(const DecoderModel& model, const std::vector<std::size_t>& prompt, Sight sight) {
  const std::size_t tokens = prompt.size();
  const Tensor<double> before = decode(model, prompt, sight).logits;
  Tensor<double> moved = Tensor<double>::from_shape({tokens, tokens});
  for (std::size_t j = 0; j < tokens; ++j) {
    std::vector<std::size_t> changed = prompt;
    changed[j] = (changed[j] + 1) % model.embedding.shape()[0];
    xt::view(moved, xt::all(), j) = token_lengths(decode(model, changed, sight).logits - before);
  }
  return moved;
}

void measure_stream(DecoderRun& run) {
  const std::size_t tokens = run.prompt.size();
  const std::size_t layers = run.pass.layers.size();
  run.stream_length = Tensor<double>::from_shape({2 * layers + 1, tokens});
  run.added_length = Tensor<double>::from_shape({2 * layers, tokens});
  xt::view(run.stream_length, 0) = token_lengths(run.pass.x);
  Tensor<double> sum = run.pass.x;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const TransformerLayerStages<double>& stages = run.pass.layers[layer];
    xt::view(run.added_length, 2 * layer) = token_lengths(stages.attention.output);
    xt::view(run.added_length, 2 * layer + 1) = token_lengths(stages.mlp.output);
    xt::view(run.stream_length, 2 * layer + 1) = token_lengths(stages.residual_1);
    xt::view(run.stream_length, 2 * layer + 2) = token_lengths(stages.output);
    sum += stages.attention.output + stages.mlp.output;
  }
  run.sum_error = largest(token_lengths(sum - run.pass.layers.back().output));
}

double error_of_prefix(const DecoderRun& run) {
  if (run.prompt.size() < 2) return 0.0;
  const std::vector<std::size_t> prefix(run.prompt.begin(), run.prompt.end() - 1);
  return largest_difference(decode(run.model, prefix, Sight::causal).logits, run.pass.logits);
}

}  // namespace

DecoderRun DecoderRun::compute(const Arguments& arguments, const Context& /*context*/) {
  DecoderRun run;
  run.vocabulary = read_vocabulary(arguments);
  run.prompt = read_prompt(arguments, run.vocabulary);
  for (const std::size_t word : run.prompt) run.history.push_back(run.vocabulary[word]);
  run.heads = arguments.count("heads");
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  run.model = draw_decoder(arguments, run.vocabulary.size());
  run.pass = decode(run.model, run.prompt, Sight::causal);
  run.reaction = react(run.model, run.prompt, Sight::causal);
  run.reaction_without_mask = react(run.model, run.prompt, Sight::everything);
  run.prefix_error = error_of_prefix(run);
  measure_stream(run);
  return run;
}

double leak(const Tensor<double>& reaction) {
  double largest = 0.0;
  for (std::size_t i = 0; i < reaction.shape()[0]; ++i) {
    for (std::size_t j = i + 1; j < reaction.shape()[1]; ++j) largest = std::max(largest, reaction(i, j));
  }
  return largest;
}

std::vector<std::size_t> ranking(const DecoderRun& run, std::size_t position) {
  std::vector<std::size_t> words(run.vocabulary.size());
  std::iota(words.begin(), words.end(), std::size_t{0});
  std::stable_sort(words.begin(), words.end(), [&](std::size_t a, std::size_t b) {
    return run.pass.probabilities(position, a) > run.pass.probabilities(position, b);
  });
  return words;
}

Text sublayer_name(std::size_t sublayer) {
  const std::size_t layer = sublayer / 2;
  if (sublayer % 2 == 1) return Text::same(fmt::format("MLP {}", layer));
  return text("アテンション {}", "Attention {}", layer);
}

double mean_of_row(const Tensor<double>& lengths, std::size_t row) {
  return sum_of(xt::view(lengths, row)) / static_cast<double>(lengths.shape()[1]);
}

Experiment decoder_experiment() {
  return {"decoder",
          {"因果マスクつきの層を重ねて次の語を予測する（GPT の縮小版）",
           "a stack of causal layers predicts the next word: GPT in small"},
          {"スライド「予告：GPT のアーキテクチャ」（LSM）", "slides, GPT preview (LSM)"},
          parameters(),
          report_of<DecoderRun>};
}

}  // namespace attnlab
