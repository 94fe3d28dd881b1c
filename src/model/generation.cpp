#include "model/generation.hpp"

#include "random/numpy_random.hpp"

namespace attnlab {

namespace {

constexpr std::size_t kept_alternatives = 5;

std::vector<double> as_doubles(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

std::vector<double> softmax_at(const std::vector<double>& logits, double temperature) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  std::vector<double> values;
  double sum = 0.0;
  for (const double logit : logits) {
    values.push_back(std::exp((logit - largest) / temperature));
    sum += values.back();
  }
  for (double& value : values) value /= sum;
  return values;
}

}  // namespace

std::size_t chosen_token(const std::vector<double>& logits, const Sampling& sampling,
                         const std::function<double()>& uniform) {
  if (sampling.temperature == 0.0) return largest_places(logits, 1).front();
  const std::vector<double> all = softmax_at(logits, sampling.temperature);
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
    const std::vector<double> now = as_doubles(logits);
    const std::vector<double> said = softmax_at(now, 1.0);
    GeneratedToken next;
    next.token = chosen_token(now, settings.sampling, [&] { return random.uniform(); });
    next.probability = said[next.token];
    next.likeliest = largest_places(said, kept_alternatives);
    for (const std::size_t place : next.likeliest) next.probabilities.push_back(said[place]);
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
