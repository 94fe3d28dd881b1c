#include "model/lens.hpp"

#include <xtensor/xview.hpp>

namespace attnlab {

Lens lens_of(const LanguageModel& model, const ForwardPass& pass, std::size_t positions,
             const ForEach& for_each) {
  Lens lens;
  if (!model.has_words()) return lens;
  const std::size_t n = pass.embedded.shape()[0];
  const std::size_t count = std::min(n, positions);
  lens.rows.resize(pass.layers.size() + 1);
  for_each(lens.rows.size(), [&](std::size_t layer) {
    const Tensor<float>& stream = layer == 0 ? pass.embedded : pass.layers[layer - 1].output;
    const Tensor<float> last = xt::view(stream, xt::range(n - count, n));
    const Tensor<float> logits = words_of_stream(model, last, one_after_another);
    const std::size_t words = logits.shape()[1];
    for (std::size_t place = 0; place < count; ++place) {
      const std::vector<double> answered = probabilities(logits.data() + place * words, words);
      const std::size_t best = largest_places(answered, 1).front();
      lens.rows[layer].push_back({best, answered[best]});
    }
  });
  return lens;
}

}  // namespace attnlab
