#include "model/roles.hpp"

namespace attnlab {
namespace {

/// A mean of what was counted.
struct Mean {
  double sum = 0.0;
  std::size_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return count == 0 ? std::nan("") : sum / static_cast<double>(count); }
};

HeadRoles roles_of_head(const float* weights, const std::vector<std::size_t>& tokens) {
  const std::size_t n = tokens.size();
  Mean previous;
  Mean own;
  Mean first;
  Mean same;
  Mean followed;
  Mean entropy;
  for (std::size_t query = 0; query < n; ++query) {
    const float* row = weights + query * n;
    own.add(row[query]);
    if (query > 0) previous.add(row[query - 1]);
    if (query > 0) first.add(row[0]);
    double on_same = 0.0;
    double on_followed = 0.0;
    double of_row = 0.0;
    bool occurred = false;
    for (std::size_t key = 0; key < n; ++key) {
      if (row[key] > 0.0F) of_row -= static_cast<double>(row[key]) * std::log(static_cast<double>(row[key]));
      if (key >= query || tokens[key] != tokens[query]) continue;
      occurred = true;
      on_same += row[key];
      on_followed += row[key + 1];
    }
    entropy.add(of_row);
    if (!occurred) continue;
    same.add(on_same);
    followed.add(on_followed);
  }
  return {previous.value(), own.value(), first.value(), same.value(), followed.value(), entropy.value()};
}

}  // namespace

const std::vector<RoleMeasure>& role_measures() {
  static const std::vector<RoleMeasure> all{
      {"previous", &HeadRoles::previous, {"1 つ前のトークン", "The token before"}},
      {"own", &HeadRoles::own, {"自分自身", "Itself"}},
      {"first", &HeadRoles::first, {"先頭のトークン", "The first token"}},
      {"same", &HeadRoles::same, {"前に出た同じトークン", "The same token before"}},
      {"followed", &HeadRoles::followed, {"その次にあったトークン", "What followed it"}},
      {"entropy", &HeadRoles::entropy, {"エントロピー", "Entropy"}}};
  return all;
}

std::vector<HeadRoles> roles_of(const Tensor<float>& weights, const std::vector<std::size_t>& tokens) {
  std::vector<HeadRoles> roles;
  const std::size_t n = tokens.size();
  for (std::size_t head = 0; head < weights.shape()[0]; ++head)
    roles.push_back(roles_of_head(weights.data() + head * n * n, tokens));
  return roles;
}

}  // namespace attnlab
