#include "model/generation.hpp"

#include "random/numpy_random.hpp"

namespace attnlab {

std::size_t chosen_token(const std::vector<float>& logits, const Sampling& sampling,
                         const std::function<double()>& uniform) {
  if (sampling.temperature == 0.0) {
    const auto likeliest = std::max_element(logits.begin(), logits.end());
    return static_cast<std::size_t>(likeliest - logits.begin());
  }
  const std::vector<double> all = probabilities(logits.data(), logits.size(), sampling.temperature);
  const std::size_t most = sampling.top_k == 0 ? all.size() : sampling.top_k;
  std::vector<std::size_t> places = largest_places(all, most);
  double sum = 0.0;
  std::size_t kept = 0;
  for (; kept < places.size() && (kept == 0 || sum < sampling.top_p); ++kept) sum += all[places[kept]];
  places.resize(kept);
  double left = uniform() * sum;
  for (const std::size_t place : places) {
    left -= all[place];
    if (left < 0.0) return place;
  }
  return places.back();
}

std::vector<GeneratedToken> generated(const OpenedModel& opened, std::vector<float> logits, Cache& cache,
                                      const ModelSettings& settings, const Context& context) {
  NumpyRandom random(settings.sampling.seed);
  std::vector<GeneratedToken> tokens;
  for (std::size_t i = 0; i < settings.generate; ++i) {
    if (context.stops && context.stops()) break;
    GeneratedToken next;
    next.token = chosen_token(logits, settings.sampling, [&] { return random.uniform(); });
    next.probability = probabilities(logits.data(), logits.size())[next.token];
    tokens.push_back(next);
    const bool is_end = opened.tokenizer && opened.tokenizer->endings.count(next.token) == 1;
    if (is_end) break;
    if (i + 1 < settings.generate) logits = next_logits(opened.model, next.token, cache, settings.without);
    if (context.progress)
      context.progress(static_cast<double>(i + 1) / static_cast<double>(settings.generate));
  }
  return tokens;
}

}  // namespace attnlab
