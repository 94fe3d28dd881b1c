#include "model/mlp.hpp"

#include <xtensor/xview.hpp>

#include "model/model.hpp"

namespace attnlab {
namespace {

using Rows = Tensor<float>;

/// act(up x), or with a gate act(gate x) ∘ up x: (n, hidden).
Rows hidden_of(const ModelMlp& mlp, const Rows& x, const BlockRun& run) {
  const std::size_t width = run.architecture.hidden;
  const Rows both = mlp.gate_up ? (*mlp.gate_up)(x, run.for_each) : Rows();
  const auto part_of = [&](const std::optional<Projection>& own, std::size_t first) -> Rows {
    if (own) return (*own)(x, run.for_each);
    return xt::view(both, xt::all(), xt::range(first, first + width));
  };
  Rows hidden = part_of(mlp.is_gated() ? mlp.gate : mlp.up, 0);
  activate(run.architecture.activation, hidden);
  if (mlp.is_gated()) hidden *= part_of(mlp.up, width);
  return hidden;
}

/// softmax over the k experts with the largest scores; the others get 0: (n, experts).
Rows routed(const ModelLayer& layer, const Rows& x, const BlockRun& run) {
  const Architecture& a = run.architecture;
  Rows weights = (*layer.router)(x, run.for_each);
  for (std::size_t token = 0; token < weights.shape()[0]; ++token) {
    float* const row = weights.data() + token * a.experts;
    const std::vector<double> scores(row, row + a.experts);
    const std::vector<std::size_t> chosen = largest_places(scores, a.experts_read);
    std::fill_n(row, a.experts, 0.0F);
    double sum = 0.0;
    for (const std::size_t expert : chosen) sum += std::exp(scores[expert] - scores[chosen.front()]);
    for (const std::size_t expert : chosen)
      row[expert] = static_cast<float>(std::exp(scores[expert] - scores[chosen.front()]) / sum);
  }
  return weights;
}

/// Each token through its experts alone; a hidden layer is 0 where its expert is not chosen.
Rows mixture_of_experts(const ModelLayer& layer, const BlockRun& run, LayerStages& stages) {
  const Rows& x = stages.mlp_input;
  const std::size_t n = x.shape()[0];
  const bool keeps_hidden = !run.row;
  stages.router = routed(layer, x, run);
  if (keeps_hidden) stages.hidden = xt::zeros<float>({layer.experts.size(), n, run.architecture.hidden});
  Rows sum = xt::zeros<float>({n, run.architecture.width});
  for (std::size_t expert = 0; expert < layer.experts.size(); ++expert) {
    std::vector<std::size_t> readers;
    for (std::size_t token = 0; token < n; ++token)
      if (stages.router(token, expert) != 0.0F) readers.push_back(token);
    if (readers.empty()) continue;
    const Rows read = xt::view(x, xt::keep(readers), xt::all());
    const Rows hidden = hidden_of(layer.experts[expert], read, run);
    const Rows added = (*layer.experts[expert].down)(hidden, run.for_each);
    for (std::size_t i = 0; i < readers.size(); ++i) {
      xt::view(sum, readers[i]) += stages.router(readers[i], expert) * xt::view(added, i);
      if (keeps_hidden) xt::view(stages.hidden, expert, readers[i]) = xt::view(hidden, i);
    }
  }
  return sum;
}

}  // namespace

Tensor<float> mlp(const ModelLayer& layer, const BlockRun& run, LayerStages& stages) {
  if (layer.router) return mixture_of_experts(layer, run, stages);
  stages.hidden = hidden_of(layer.mlp, stages.mlp_input, run);
  return (*layer.mlp.down)(stages.hidden, run.for_each);
}

}  // namespace attnlab
