#include "experiments/mistakes/mistake_steps.hpp"

#include <cmath>
#include <utility>

#include "experiments/framework/tensor_array.hpp"

namespace attnlab::steps {

using formula::row;
using formula::sym;

namespace {

Formula product() {
  return row({sym("Q"), formula::sup(sym("K"), sym("T"))});
}

}  // namespace

Stage given(const std::string& name, const Tensor<double>& values, Axes axes) {
  return {name, row({}), to_array(values, std::move(axes))};
}

Stage raw_scores(const std::string& name, const std::string& query, const std::string& key,
                 const Tensor<double>& values, Axes axes) {
  return {name, product(), to_array(values, std::move(axes)), derived::product_with_transpose(query, key)};
}

Stage scaled_scores(const std::string& name, const std::string& raw, const std::string& width, double scale,
                    const Tensor<double>& values, Axes axes) {
  const Formula d = formula::sub(sym("d"), sym(width));
  return {name, formula::fraction(product(), formula::root(d)), to_array(values, std::move(axes)),
          derived::scaled(raw, scale)};
}

Stage softmax(const std::string& name, const std::string& scores, const Tensor<double>& values, Axes axes) {
  return {name, formula::call("softmax", sym("S")), to_array(values, std::move(axes)),
          derived::softmax(scores)};
}

std::vector<Stage> up_to_scores(const Tensor<double>& query, const Tensor<double>& key,
                                const AttentionStages<double>& attention) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.shape()[1]));
  return {given("query", query, {"queries", "width"}), given("key", key, {"keys", "width"}),
          raw_scores("raw_scores", "query", "key", attention.raw_scores),
          scaled_scores("scores", "raw_scores", "k", scale, attention.scores)};
}

void append(std::vector<Stage>& stages, std::vector<Stage> more) {
  for (Stage& stage : more) stages.push_back(std::move(stage));
}

}  // namespace attnlab::steps
