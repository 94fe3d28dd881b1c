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

  AttentionPlaces attention(const std::string& name, const std::string& norm_name, const ModelShape& shape,
                            bool across) {
    AttentionPlaces here;
    if (shape.norm != NormPlace::none) here.norm = norm(norm_name, shape);
    if (across) here.query = linear(name + ".q_attn", shape.width, shape.width);
    (across ? here.memory : here.joint) =
        linear(name + ".c_attn", (across ? 2 : 3) * shape.width, shape.width);
    if (shape.score == Score::additive)
      here.score = add(name + ".score.weight", {shape.heads, shape.head_width()});
    if (shape.is_gated && !across) here.gate = linear(name + ".gate", shape.width, shape.width);
    here.output = linear(name + ".c_proj", shape.width, shape.width);
    return here;
  }

  StackPlaces stack(const std::string& prefix, const ModelShape& shape) {
    StackPlaces places;
    places.words = add(prefix + "wte.weight", {shape.vocabulary, shape.width});
    if (shape.pixels > 0) places.patches = linear(prefix + "patch_embed.proj", shape.width, shape.pixels);
    if (shape.positions == Positions::learned)
      places.positions = add(prefix + "wpe.weight", {shape.tokens, shape.width});
    for (std::size_t i = 0; i < shape.layers; ++i) {
      const std::string layer = prefix + "h." + std::to_string(i) + ".";
      LayerPlaces here;
      here.self = attention(layer + "attn", layer + "ln_1", shape, false);
      if (shape.source.tokens > 0)
        here.cross = attention(layer + "crossattention", layer + "ln_cross_attn", shape, true);
      if (shape.hidden > 0) {
        if (shape.norm != NormPlace::none) here.mlp_norm = norm(layer + "ln_2", shape);
        here.first = linear(layer + "mlp.c_fc", shape.hidden, shape.width);
        here.second = linear(layer + "mlp.c_proj", shape.width, shape.hidden);
      }
      places.layers.push_back(here);
    }
    if (shape.norm == NormPlace::pre) places.last_norm = norm(prefix + "ln_f", shape);
    return places;
  }

 private:
  ModelPlaces& places_;
};

}  // namespace

ModelShape ModelShape::of_source() const {
  ModelShape shape = *this;
  shape.vocabulary = source.vocabulary;
  shape.tokens = source.tokens;
  shape.layers = source.layers;
  shape.answers = 0;
  shape.reading = Reading::everything;
  shape.source = {};
  return shape;
}

ModelPlaces places_of(const ModelShape& shape) {
  ModelPlaces places;
  Surveyor surveyor(places);
  if (shape.source.tokens > 0) places.source = surveyor.stack("encoder.", shape.of_source());
  places.stack = surveyor.stack("", shape);
  places.answer = surveyor.linear("lm_head", shape.answers, shape.width);
  return places;
}

}  // namespace attnlab
