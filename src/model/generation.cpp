#include "model/generation.hpp"

#include "random/numpy_random.hpp"

namespace attnlab {

Candidates candidates_of(const std::vector<float>& logits, const Sampling& sampling) {
  if (sampling.temperature == 0.0) {
    const auto likeliest = std::max_element(logits.begin(), logits.end());
    return {{static_cast<std::size_t>(likeliest - logits.begin())}, {1.0}, 1.0};
  }
  const std::vector<double> all = probabilities(logits.data(), logits.size(), sampling.temperature);
  const std::size_t most = sampling.top_k == 0 ? all.size() : sampling.top_k;
  Candidates kept;
  for (const std::size_t place : largest_places(all, most)) {
    if (!kept.tokens.empty() && kept.sum >= sampling.top_p) break;
    kept.tokens.push_back(place);
    kept.shares.push_back(all[place]);
    kept.sum += all[place];
  }
  return kept;
}

std::size_t chosen_token(const std::vector<float>& logits, const Sampling& sampling,
                         const std::function<double()>& uniform) {
  const Candidates candidates = candidates_of(logits, sampling);
  if (sampling.temperature == 0.0) return candidates.tokens.front();
  double left = uniform() * candidates.sum;
  for (std::size_t i = 0; i < candidates.tokens.size(); ++i) {
    left -= candidates.shares[i];
    if (left < 0.0) return candidates.tokens[i];
  }
  return candidates.tokens.back();
}

void write_on(const OpenedModel& opened, Tokens read, std::vector<float> logits, Cache& cache,
              const ModelSettings& settings, const Context& context, const Taken& taken) {
  NumpyRandom random(settings.sampling.seed);
  for (std::size_t i = 0; i < settings.generate; ++i) {
    if (context.stops && context.stops()) break;
    read.push_back(chosen_token(logits, settings.sampling, [&] { return random.uniform(); }));
    taken(read.back(), logits);
    const bool is_end = opened.tokenizer && opened.tokenizer->endings.count(read.back()) == 1;
    if (is_end) break;
    if (i + 1 < settings.generate)
      logits = next_logits(opened.model, read, cache, settings.without, context.for_each);
    if (context.progress)
      context.progress(static_cast<double>(i + 1) / static_cast<double>(settings.generate));
  }
}

}  // namespace attnlab
