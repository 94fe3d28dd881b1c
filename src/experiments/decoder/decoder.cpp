// A stack of causal layers predicts the next word: each layer adds to the residual stream, no word sees
// ahead.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/parameter_syntax.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_words = 32;  // of the vocabulary and of the prompt

std::vector<Parameter> parameters() {
  return {
      {"prompt",
       WordsKind{},
       "吾輩,は,猫,で,ある",
       {"語彙から選んだ語の列", "the words so far, all from the vocabulary"}},
      {"vocabulary",
       WordsKind{},
       "吾輩,は,猫,で,ある,。,名前,まだ,ない",
       {"語彙（異なる 2～32 語）", "the vocabulary: 2 to 32 different words"}},
      {"layers", IntegerKind{{1, 4}}, "2", {"層の個数", "how many layers"}},
      {"width", IntegerKind{{2, 64}}, "16", {"トークンの次元 D", "width D of the tokens"}},
      {"heads",
       IntegerKind{{1, 8}},
       "4",
       {"ヘッドの個数（D の約数）", "how many heads; must divide the width"}},
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
                {fmt::format("--vocabulary には異なる 2～{} 語が必要ですが、{} 語（異なるものは {} 語）です",
                             most_words, words.size(), different.size()),
                 fmt::format("--vocabulary needs 2 to {} different words, got {} ({} different)", most_words,
                             words.size(), different.size())},
                {"例：--vocabulary 吾輩,は,猫,で,ある", "for example --vocabulary I,am,a,cat,."});
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

std::vector<std::size_t> read_prompt(const Arguments& arguments, const std::vector<std::string>& vocabulary) {
  const std::vector<std::string> words = arguments.words("prompt");
  if (words.size() > most_words) {
    throw Error(ErrorKind::usage,
                {fmt::format("--prompt は {} 語で、上限の {} 語を超えます", words.size(), most_words),
                 fmt::format("--prompt has {} words, more than {}", words.size(), most_words)},
                {"短くしてください", "make it shorter"});
  }
  std::vector<std::size_t> indices;
  for (const std::string& word : words) {
    const auto found = std::find(vocabulary.begin(), vocabulary.end(), word);
    if (found == vocabulary.end()) {
      throw Error(ErrorKind::usage,
                  {fmt::format("--prompt の「{}」は語彙にありません", word),
                   fmt::format("--prompt: '{}' is not in the vocabulary", word)},
                  {fmt::format("語彙は {} です。--vocabulary で変えられます", joined(vocabulary)),
                   fmt::format("choose from {}, or give another --vocabulary", joined(vocabulary))});
    }
    indices.push_back(static_cast<std::size_t>(found - vocabulary.begin()));
  }
  return indices;
}

// --- What is measured

/// ‖a_i - b_i‖ of row i; without b, ‖a_i‖.
double row_length(const Tensor<double>& a, const Tensor<double>* b, std::size_t row) {
  double squares = 0.0;
  for (std::size_t k = 0; k < a.shape()[1]; ++k) {
    const double value = b == nullptr ? a(row, k) : a(row, k) - (*b)(row, k);
    squares += value * value;
  }
  return std::sqrt(squares);
}

Tensor<double> react(const DecoderModel& model, const std::vector<std::size_t>& prompt, Sight sight) {
  const std::size_t tokens = prompt.size();
  const Tensor<double> before = decode(model, prompt, sight).logits;
  Tensor<double> moved = Tensor<double>::from_shape({tokens, tokens});
  for (std::size_t j = 0; j < tokens; ++j) {
    std::vector<std::size_t> changed = prompt;
    changed[j] = (changed[j] + 1) % model.embedding.shape()[0];
    const Tensor<double> after = decode(model, changed, sight).logits;
    for (std::size_t i = 0; i < tokens; ++i) moved(i, j) = row_length(after, &before, i);
  }
  return moved;
}

void measure_stream(DecoderRun& run) {
  const std::size_t tokens = run.prompt.size();
  const std::size_t layers = run.pass.layers.size();
  run.stream_length = Tensor<double>::from_shape({2 * layers + 1, tokens});
  run.added_length = Tensor<double>::from_shape({2 * layers, tokens});
  Tensor<double> sum = run.pass.x;
  for (std::size_t i = 0; i < tokens; ++i) run.stream_length(0, i) = row_length(run.pass.x, nullptr, i);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const TransformerLayerStages<double>& stages = run.pass.layers[layer];
    for (std::size_t i = 0; i < tokens; ++i) {
      run.added_length(2 * layer, i) = row_length(stages.attention.output, nullptr, i);
      run.added_length(2 * layer + 1, i) = row_length(stages.mlp.output, nullptr, i);
      run.stream_length(2 * layer + 1, i) = row_length(stages.residual_1, nullptr, i);
      run.stream_length(2 * layer + 2, i) = row_length(stages.output, nullptr, i);
    }
    sum += stages.attention.output + stages.mlp.output;
  }
  for (std::size_t i = 0; i < tokens; ++i) {
    run.sum_error = std::max(run.sum_error, row_length(sum, &run.pass.layers.back().output, i));
  }
}

double prefix_error(const DecoderRun& run) {
  if (run.prompt.size() < 2) return 0.0;
  const std::vector<std::size_t> prefix(run.prompt.begin(), run.prompt.end() - 1);
  const Tensor<double> logits = decode(run.model, prefix, Sight::causal).logits;
  double largest = 0.0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    largest = std::max(largest, std::abs(logits.flat(i) - run.pass.logits.flat(i)));
  }
  return largest;
}

DecoderRun compute(const Arguments& arguments) {
  DecoderRun run;
  run.vocabulary = read_vocabulary(arguments);
  run.prompt = read_prompt(arguments, run.vocabulary);
  for (const std::size_t word : run.prompt) run.history.push_back(run.vocabulary[word]);
  run.size = {run.vocabulary.size(), arguments.count("width"), arguments.count("heads"),
              arguments.count("layers")};
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  RandomStream random = random_stream(arguments);
  run.model = draw_decoder(random, run.size);
  run.pass = decode(run.model, run.prompt, Sight::causal);
  run.reaction = react(run.model, run.prompt, Sight::causal);
  run.reaction_without_mask = react(run.model, run.prompt, Sight::everything);
  run.prefix_error = prefix_error(run);
  measure_stream(run);
  return run;
}

Report run_decoder(const Arguments& arguments, const Context&) {
  const DecoderRun run = compute(arguments);
  Report report;
  report.stages = decoder_trace(run);
  report.scalars = decoder_scalars(run);
  report.invariants = decoder_invariants(run);
  report.body = decoder_body(run, report.stages);
  report.figures = decoder_figures(run);
  return report;
}

}  // namespace

double leak(const Tensor<double>& reaction) {
  double largest = 0.0;
  for (std::size_t i = 0; i < reaction.shape()[0]; ++i) {
    for (std::size_t j = i + 1; j < reaction.shape()[1]; ++j) largest = std::max(largest, reaction(i, j));
  }
  return largest;
}

std::vector<std::size_t> ranking(const DecoderRun& run, std::size_t position) {
  std::vector<std::size_t> words(run.vocabulary.size());
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = i;
  std::stable_sort(words.begin(), words.end(), [&](std::size_t a, std::size_t b) {
    return run.pass.probabilities(position, a) > run.pass.probabilities(position, b);
  });
  return words;
}

Text sublayer_name(std::size_t sublayer) {
  const std::size_t layer = sublayer / 2;
  if (sublayer % 2 == 1) return Text::same(fmt::format("MLP {}", layer));
  return {fmt::format("アテンション {}", layer), fmt::format("Attention {}", layer)};
}

Experiment decoder_experiment() {
  return {"decoder",
          {"因果マスクつきの層を重ねて次の語を予測する（GPT の縮小版）",
           "a stack of causal layers predicts the next word: GPT in small"},
          {"スライド「予告：GPT のアーキテクチャ」（LSM）", "slides, GPT preview (LSM)"},
          parameters(),
          run_decoder};
}

}  // namespace attnlab
