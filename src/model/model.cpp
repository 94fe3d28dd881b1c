#include "model/model.hpp"

#include <xtensor/xview.hpp>

#include "core/error.hpp"
#include "core/number_order.hpp"
#include "core/utf8.hpp"
#include "io/inspection.hpp"
#include "io/unreadable.hpp"
#include "model/soundness.hpp"

namespace attnlab {
namespace {

/// Token by token its vector, its place's and its segment's.
Tensor<float> embedded(const LanguageModel& model, const std::vector<std::size_t>& tokens,
                       std::size_t first_place) {
  const Architecture& a = model.architecture;
  const ModelWeights& w = model.weights;
  Tensor<float> x = Tensor<float>::from_shape({tokens.size(), a.width});
  std::vector<float> place(a.width);
  const float scale = a.scales_embedding ? std::sqrt(static_cast<float>(a.width)) : 1.0F;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    float* const row = x.data() + i * a.width;
    w.embedding.copy_row(tokens[i], row);
    if (a.scales_embedding)
      for (std::size_t j = 0; j < a.width; ++j) row[j] *= scale;
    if (w.positions) {
      w.positions->copy_row(a.first_position + first_place + i, place.data());
      for (std::size_t j = 0; j < a.width; ++j) row[j] += place[j];
    }
    if (!w.segment) continue;
    for (std::size_t j = 0; j < a.width; ++j) row[j] += w.segment->data()[j];
  }
  return w.embedding_norm ? (*w.embedding_norm)(x) : x;
}

void require_known_tokens(const LanguageModel& model, const std::vector<std::size_t>& tokens) {
  for (const std::size_t token : tokens) {
    if (token < model.architecture.vocabulary) continue;
    refuse_usage(text("トークン {} は語彙にありません", "there is no token {} in the vocabulary", token),
                 text("0 から {} までです", "it has tokens 0 to {}", model.architecture.vocabulary - 1));
  }
}

void require_capacity(const LanguageModel& model, std::size_t wanted, std::size_t places) {
  const std::size_t most = std::min(places, most_tokens_of(model));
  if (wanted <= most) return;
  refuse_usage(
      text("トークンが {} 個ありますが、このモデルに入るのは {} 個までです",
           "there are {} tokens, but this model takes {}", wanted, most),
      {"文を短くするか、--generate を小さくしてください", "use a shorter text, or a smaller --generate"});
}

/// Of a layer the stream behind it, and what its sub-layers add.
LayerStages what_it_adds(LayerStages stages) {
  LayerStages kept;
  kept.attention = std::move(stages.attention);
  kept.mlp = std::move(stages.mlp);
  kept.output = std::move(stages.output);
  return kept;
}

}  // namespace

std::size_t most_tokens_of(const LanguageModel& model) {
  const Architecture& a = model.architecture;
  return a.positions - (model.weights.positions ? a.first_position : 0);
}

LanguageModel model_of(const Checkpoint& checkpoint) {
  const KnownFamily family = family_of(checkpoint);
  return {family.architecture, weights_of(checkpoint, family)};
}

Cache empty_cache(const LanguageModel& model, std::size_t places) {
  const Architecture& a = model.architecture;
  require_capacity(model, places, places);
  Cache cache;
  for (std::size_t layer = 0; layer < a.layers; ++layer) {
    cache.layers.push_back({Tensor<float>::from_shape({a.kv_heads, places, a.head_width}),
                            Tensor<float>::from_shape({a.kv_heads, places, a.head_width}), 0});
  }
  return cache;
}

Tensor<float> words_of_stream(const LanguageModel& model, const Tensor<float>& stream,
                              const ForEach& for_each) {
  const ModelWeights& w = model.weights;
  Tensor<float> x = w.final_norm ? (*w.final_norm)(stream) : stream;
  if (w.transform) {
    x = (*w.transform)(x, for_each);
    activate(model.architecture.activation, x);
    x = (*w.transform_norm)(x);
  }
  Tensor<float> logits = w.head ? (*w.head)(x, for_each) : Tensor<float>();
  soft_cap(model.architecture.logit_cap, logits.data(), logits.size());
  return logits;
}

ForwardPass read_tokens(const LanguageModel& model, const std::vector<std::size_t>& tokens, Cache& cache,
                        const Ablation& without, const ForEach& for_each,
                        const std::function<void(double)>& progress, const LongReading* in_long) {
  const Architecture& a = model.architecture;
  require_known_tokens(model, tokens);
  if (!cache.layers.empty())
    require_capacity(model, cache.filled() + tokens.size(), cache.layers.front().keys.shape()[1]);
  const bool is_whole = cache.filled() == 0 && in_long == nullptr;
  BlockRun run{a, for_each, without, is_whole};
  ForwardPass pass;
  pass.embedded = embedded(model, tokens, cache.filled());
  Tensor<float> x = pass.embedded;
  for (std::size_t layer = 0; layer < a.layers; ++layer) {
    if (in_long != nullptr) {
      run.row = [&](std::size_t head, std::size_t place, const float* weights) {
        in_long->row(layer, head, place, weights);
      };
    }
    LayerStages stages = block(model.weights.layers[layer], layer, std::move(x), cache.layers[layer], run);
    x = stages.output;
    pass.layers.push_back(in_long == nullptr ? std::move(stages) : what_it_adds(std::move(stages)));
    if (progress) progress(static_cast<double>(layer + 1) / static_cast<double>(a.layers + 1));
  }
  if (in_long != nullptr) x = Tensor<float>(xt::view(x, xt::range(in_long->answer, in_long->answer + 1)));
  if (model.has_words()) pass.logits = words_of_stream(model, x, for_each);
  return pass;
}

Tensor<float> logits_from(const LanguageModel& model, Tensor<float> x, std::size_t layer,
                          const Ablation& without, const ForEach& for_each) {
  const Architecture& a = model.architecture;
  const BlockRun run{a, for_each, without};
  Cache cache = empty_cache(model, x.shape()[0]);
  for (std::size_t number = layer; number < a.layers; ++number)
    x = block(model.weights.layers[number], number, std::move(x), cache.layers[number], run).output;
  return words_of_stream(model, x, for_each);
}

std::vector<float> next_logits(const LanguageModel& model, const std::vector<std::size_t>& tokens,
                               Cache& cache, const Ablation& without, const ForEach& for_each) {
  const std::size_t most = most_tokens_of(model);
  const auto next = [&](const ForwardPass& pass) -> std::vector<float> {
    require_probabilities(model, pass, 0, tokens.size());
    return {pass.logits.begin(), pass.logits.end()};
  };
  if (tokens.size() <= most)
    return next(read_tokens(model, {tokens.back()}, cache, without, one_after_another));
  const std::vector<std::size_t> last(tokens.end() - static_cast<std::ptrdiff_t>(most), tokens.end());
  Cache anew = empty_cache(model, most);
  const LongReading nothing_kept{[](std::size_t, std::size_t, std::size_t, const float*) {}, most - 1};
  return next(read_tokens(model, last, anew, without, for_each, {}, &nothing_kept));
}

std::vector<double> probabilities(const float* logits, std::size_t count, double temperature) {
  const double largest = *std::max_element(logits, logits + count);
  std::vector<double> values(count);
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] = std::exp((logits[i] - largest) / temperature);
  for (double& value : values) value = std::isnan(sum) ? sum : value / sum;
  return values;
}

std::vector<std::size_t> largest_places(const std::vector<double>& values, std::size_t count) {
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto middle = places.begin() + static_cast<std::ptrdiff_t>(std::min(count, places.size()));
  std::partial_sort(places.begin(), middle, places.end(), [&](std::size_t one, std::size_t other) {
    if (larger_first(values[one], values[other])) return true;
    return !larger_first(values[other], values[one]) && one < other;
  });
  places.erase(middle, places.end());
  return places;
}

void refuse_broken_weights(const Checkpoint& checkpoint) {
  for (const StoredTensor& tensor : checkpoint.tensors) {
    if (tensor.foreign) continue;
    const TensorSummary summary = summary_of(tensor);
    if (summary.nans + summary.infinities == 0) continue;
    refuse_file(checkpoint.name, in_array(tensor.name),
                text("NaN が {} 個、無限大が {} 個あります", "it holds {} NaNs and {} infinities",
                     summary.nans, summary.infinities),
                get_original_again);
  }
}

}  // namespace attnlab
