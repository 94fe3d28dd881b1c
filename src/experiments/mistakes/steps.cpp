// The steps that the mistakes share: from queries and keys to the weights.
#include <cmath>

#include "experiments/framework/trace.hpp"
#include "experiments/mistakes/mistake.hpp"

namespace attnlab::steps {

Stage raw_scores(const std::string& name, const std::string& query, const std::string& key,
                 const Tensor<double>& values, Axes axes) {
  return step(name, "Q K^T", values, std::move(axes), derived::product_with_transpose(query, key));
}

Stage scaled_scores(const std::string& name, const std::string& raw, const std::string& width, double scale,
                    const Tensor<double>& values, Axes axes) {
  return step(name, "frac{Q K^T}{√{d_" + width + "}}", values, std::move(axes), derived::scaled(raw, scale));
}

Stage softmax(const std::string& name, const std::string& scores, const Tensor<double>& values, Axes axes) {
  return step(name, "softmax(S)", values, std::move(axes), derived::softmax(scores));
}

std::vector<Stage> up_to_scores(const Tensor<double>& query, const Tensor<double>& key,
                                const AttentionStages<double>& attention) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.shape()[1]));
  return {input("query", query, {"queries", "width"}), input("key", key, {"keys", "width"}),
          raw_scores("raw_scores", "query", "key", attention.raw_scores),
          scaled_scores("scores", "raw_scores", "k", scale, attention.scores)};
}

}  // namespace attnlab::steps
