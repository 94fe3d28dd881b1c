#include "training/model_shape.hpp"

#include <functional>
#include <numeric>

namespace attnlab {

namespace {

/// Names one parameter behind the others.
class Surveyor {
 public:
  explicit Surveyor(ModelPlaces& places) : places_(places) {}

  std::size_t add(const std::string& name, const std::vector<std::size_t>& shape) {
    const std::size_t begin = places_.size;
    const std::size_t size = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    places_.parameters.push_back({name, shape, begin, size});
    places_.size += size;
    return begin;
  }

  LinearPlaces linear(const std::string& name, std::size_t out, std::size_t in) {
    const std::size_t weight = add(name + ".weight", {out, in});
    return {weight, add(name + ".bias", {out})};
  }

  NormPlaces norm(const std::string& name, const ModelShape& shape) {
    const std::size_t gain = add(name + ".weight", {shape.width});
    return {gain, shape.norm_kind == NormKind::rms ? no_place : add(name + ".bias", {shape.width})};
  }

 private:
  ModelPlaces& places_;
};

}  // namespace

ModelPlaces places_of(const ModelShape& shape) {
  ModelPlaces places;
  Surveyor surveyor(places);
  places.words = surveyor.add("wte.weight", {shape.vocabulary, shape.width});
  if (shape.positions == Positions::learned) {
    places.positions = surveyor.add("wpe.weight", {shape.tokens, shape.width});
  }
  for (std::size_t i = 0; i < shape.layers; ++i) {
    const std::string layer = "h." + std::to_string(i) + ".";
    LayerPlaces here;
    if (shape.norm != NormPlace::none) here.attention_norm = surveyor.norm(layer + "ln_1", shape);
    here.joint = surveyor.linear(layer + "attn.c_attn", 3 * shape.width, shape.width);
    if (shape.score == Score::additive) {
      here.score = surveyor.add(layer + "attn.score.weight", {shape.heads, shape.head_width()});
    }
    here.output = surveyor.linear(layer + "attn.c_proj", shape.width, shape.width);
    if (shape.hidden > 0) {
      if (shape.norm != NormPlace::none) here.mlp_norm = surveyor.norm(layer + "ln_2", shape);
      here.first = surveyor.linear(layer + "mlp.c_fc", shape.hidden, shape.width);
      here.second = surveyor.linear(layer + "mlp.c_proj", shape.width, shape.hidden);
    }
    places.layers.push_back(here);
  }
  if (shape.norm == NormPlace::pre) places.last_norm = surveyor.norm("ln_f", shape);
  places.answer = surveyor.linear("lm_head", shape.answers, shape.width);
  return places;
}

}  // namespace attnlab
