// Text, token by token: each is chosen by what the model says and then read like the others.
#pragma once

#include "model/session.hpp"

namespace attnlab {

struct GeneratedToken {
  std::size_t token = 0;
  double probability = 0.0;  // that the model gave it
};

/// What may be chosen, the likeliest first, with its share of softmax(logits / T).
struct Candidates {
  std::vector<std::size_t> tokens;
  std::vector<double> shares;
  double sum = 0.0;  // of the shares
};

/// With a temperature T: of softmax(logits / T) the top_k likeliest, of these as few as have top_p together
/// (Holtzman et al. 2020); with none the likeliest alone.
Candidates candidates_of(const std::vector<float>& logits, const Sampling& sampling);

/// The token that the settings choose: of several candidates one by u, a number of
/// np.random.RandomState(seed): the first whose sum of shares, the likeliest first, exceeds u.
std::size_t chosen_token(const std::vector<float>& logits, const Sampling& sampling,
                         const std::function<double()>& uniform);

/// A token, and the logits that it was chosen from.
using Taken = std::function<void(std::size_t token, const std::vector<float>& logits)>;

/// Writes on behind the tokens that were `read`, which the cache holds; `logits` are the last one's. Ends
/// early at a token that ends a text.
void write_on(const OpenedModel& opened, Tokens read, std::vector<float> logits, Cache& cache,
              const ModelSettings& settings, const Context& context, const Taken& taken);

}  // namespace attnlab
