#include "model/patching.hpp"

#include "model/session.hpp"

namespace attnlab {
namespace {

/// The stream before a layer: (n, width).
const Tensor<float>& stream_before(const ForwardPass& pass, std::size_t layer) {
  return layer == 0 ? pass.embedded : pass.layers[layer - 1].output;
}

bool is_same_row(const Tensor<float>& one, const Tensor<float>& other, std::size_t row) {
  const std::size_t width = one.shape()[1];
  return std::equal(one.data() + row * width, one.data() + (row + 1) * width, other.data() + row * width);
}

}  // namespace

Patching patching_of(const LanguageModel& model, const ForwardPass& clean, const ForwardPass& corrupt,
                     const Ablation& without, std::size_t place, const LogitQuestion& question,
                     const ForEach& for_each, const std::function<void(double)>& progress) {
  const std::size_t layers = clean.layers.size();
  const std::size_t n = clean.embedded.shape()[0];
  const std::size_t width = clean.embedded.shape()[1];
  const auto difference_in = [&](const Tensor<float>& logits) {
    return logit_of(question, logits.data() + place * logits.shape()[1]);
  };
  Patching patching{question};
  patching.clean_difference = difference_in(clean.logits);
  patching.corrupt_difference = difference_in(corrupt.logits);
  const double lost = patching.clean_difference - patching.corrupt_difference;
  if (lost == 0.0) refuse_model("corrupt_same");

  patching.recovered = Tensor<double>::from_shape({layers, n});
  patching.recovered.fill(0.0);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const Tensor<float>& from = stream_before(clean, layer);
    const Tensor<float>& into = stream_before(corrupt, layer);
    for (std::size_t token = 0; token < n; ++token) {
      if (is_same_row(from, into, token)) continue;  // nothing changes, nothing is recovered
      Tensor<float> patched = into;
      std::copy_n(from.data() + token * width, width, patched.data() + token * width);
      const Tensor<float> logits = logits_from(model, std::move(patched), layer, without, for_each);
      patching.recovered(layer, token) = (difference_in(logits) - patching.corrupt_difference) / lost;
      if (progress) progress(static_cast<double>(layer * n + token + 1) / static_cast<double>(layers * n));
    }
  }
  return patching;
}

}  // namespace attnlab
