#include "model/roles.hpp"

namespace attnlab {
void RoleSums::add(const float* row, std::size_t query, const std::vector<std::size_t>& tokens) {
  own_.add(row[query]);
  if (query > 0) previous_.add(row[query - 1]);
  if (query > 0) first_.add(row[0]);
  double on_same = 0.0;
  double on_followed = 0.0;
  double entropy = 0.0;
  bool occurred = false;
  for (std::size_t key = 0; key < tokens.size(); ++key) {
    if (row[key] != 0.0F) entropy -= static_cast<double>(row[key]) * std::log(static_cast<double>(row[key]));
    if (key >= query || tokens[key] != tokens[query]) continue;
    occurred = true;
    on_same += row[key];
    on_followed += row[key + 1];
  }
  entropy_.add(entropy);
  if (!occurred) return;
  same_.add(on_same);
  followed_.add(on_followed);
}

HeadRoles RoleSums::roles() const {
  return {previous_.value(), own_.value(),      first_.value(),
          same_.value(),     followed_.value(), entropy_.value()};
}

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
  for (std::size_t head = 0; head < weights.shape()[0]; ++head) {
    RoleSums sums;
    for (std::size_t query = 0; query < n; ++query)
      sums.add(weights.data() + (head * n + query) * n, query, tokens);
    roles.push_back(sums.roles());
  }
  return roles;
}

}  // namespace attnlab
