// The gradients of whole models agree with central differences, whatever the options; the forward pass is
// that of src/attention.
#include "training/model.hpp"

#include <doctest/doctest.h>

#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "attention/transformer_layer.hpp"
#include "training/initialise.hpp"

namespace attnlab {
namespace {

ModelShape small_shape() {
  ModelShape shape;
  shape.vocabulary = 5;
  shape.answers = 4;
  shape.tokens = 6;
  shape.width = 8;
  shape.heads = 2;
  shape.layers = 2;
  shape.hidden = 12;
  return shape;
}

Batch small_batch(const ModelShape& shape, std::uint32_t seed) {
  NumpyRandom random(seed);
  Batch batch{3, shape.tokens, {}, {}};
  for (std::size_t i = 0; i < batch.sequences * batch.tokens; ++i) {
    batch.inputs.push_back(static_cast<int>(random.uniform() * static_cast<double>(shape.vocabulary)));
    const bool counts = random.uniform() < 0.8;
    batch.targets.push_back(counts ? static_cast<int>(random.uniform() * static_cast<double>(shape.answers))
                                   : no_target);
  }
  batch.pixels = shape.pixels;
  for (std::size_t i = 0; i < batch.sequences * batch.tokens * shape.pixels; ++i)
    batch.patches.push_back(static_cast<float>(2.0 * random.uniform() - 1.0));
  return batch;
}

/// The shape with an encoder, whose sources are longer and of other words.
ModelShape with_source(ModelShape shape) {
  shape.source = {7, 9, 2};
  return shape;
}

/// Sources of different lengths.
Batch with_sources(Batch batch, const ModelShape& shape, std::uint32_t seed) {
  NumpyRandom random(seed);
  batch.source_tokens = shape.source.tokens;
  for (std::size_t i = 0; i < batch.sequences; ++i)
    batch.source_lengths.push_back(shape.source.tokens - 2 * i);
  for (std::size_t i = 0; i < batch.sequences * batch.source_tokens; ++i)
    batch.sources.push_back(
        static_cast<int>(random.uniform() * static_cast<double>(shape.source.vocabulary)));
  return batch;
}

double loss_of(const Model<double>& model, const Batch& batch) {
  Pass<double> pass(model, batch.sequences);
  pass.forward(model, batch, 0, batch.sequences);
  return pass.loss(batch, 1.0).loss / static_cast<double>(batch.counted());
}

std::vector<double> gradient_of(const Model<double>& model, const Batch& batch) {
  Pass<double> pass(model, batch.sequences);
  std::vector<double> gradient(model.places.size, 0.0);
  pass.forward(model, batch, 0, batch.sequences);
  pass.loss(batch, 1.0 / static_cast<double>(batch.counted()));
  pass.backward(model, gradient.data());
  return gradient;
}

/// The largest |analytic - numeric| over all parameters, relative to the largest gradient.
double gradient_error(const ModelShape& shape, std::uint32_t seed) {
  Model<double> model(shape);
  initialise(model, NumpyRandom(seed));
  for (double& parameter : model.parameters) parameter *= 1.3;  // norms beside 1 and 0, too
  const Batch alone = small_batch(shape, seed + 1);
  const Batch batch = shape.source.tokens > 0 ? with_sources(alone, shape, seed + 2) : alone;
  const std::vector<double> gradient = gradient_of(model, batch);
  constexpr double h = 1e-5;
  double largest = 0.0;
  double error = 0.0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double kept = model.parameters[i];
    model.parameters[i] = kept + h;
    const double above = loss_of(model, batch);
    model.parameters[i] = kept - h;
    const double below = loss_of(model, batch);
    model.parameters[i] = kept;
    error = std::max(error, std::abs((above - below) / (2.0 * h) - gradient[i]));
    largest = std::max(largest, std::abs(gradient[i]));
  }
  return error / largest;
}

TEST_CASE("one more in the denominator is the softmax over one key more, of score 0 and value 0") {
  for (const std::vector<double>& scores :
       {std::vector<double>{0.5}, {-3.0, 1.0, 2.0, 0.25, -1.0}, {-800.0, -900.0}, {800.0, 799.0, 0.0}}) {
    std::vector<double> weights = scores;
    softmax_row(weights.data(), weights.size(), Denominator::sum_plus_one);
    std::vector<double> with_nothing = scores;
    with_nothing.push_back(0.0);
    softmax_row(with_nothing.data(), with_nothing.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
      CHECK(weights[i] == doctest::Approx(with_nothing[i]).epsilon(1e-14));
  }
  std::vector<double> even{0.0, 0.0, 0.0};
  softmax_row(even.data(), even.size(), Denominator::sum_plus_one);
  for (const double weight : even) CHECK(weight == doctest::Approx(0.25));  // 1 / (1 + 3)
}

TEST_CASE("gradients agree with central differences for every option") {
  std::uint32_t seed = 0;
  for (const NormPlace norm : {NormPlace::none, NormPlace::post, NormPlace::pre}) {
    for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
      for (const Positions positions :
           {Positions::none, Positions::sinusoidal, Positions::learned, Positions::rotary}) {
        for (const Reading reading : {Reading::everything, Reading::what_came_before}) {
          ModelShape shape = small_shape();
          shape.norm = norm;
          shape.norm_kind = kind;
          shape.positions = positions;
          shape.reading = reading;
          shape.activation = seed % 2 == 0 ? Activation::gelu : Activation::relu;
          if (seed % 3 == 0) shape.scale = 1.0;
          if (seed % 5 == 0) shape.hidden = 0;
          if (seed % 4 == 1) shape.score = Score::additive;
          shape.is_gated = seed % 5 >= 2;
          if (seed % 7 >= 5) shape.softmax.axis = SoftmaxAxis::queries;
          if (seed % 7 <= 1) shape.softmax.denominator = Denominator::sum_plus_one;
          CAPTURE(static_cast<int>(norm));
          CAPTURE(static_cast<int>(kind));
          CAPTURE(static_cast<int>(positions));
          CHECK(gradient_error(shape, seed++) < 1e-6);
        }
      }
    }
  }
}

TEST_CASE("gradients reach the projection of the patches that tokens show") {
  std::uint32_t seed = 40;
  for (const Positions positions : {Positions::none, Positions::learned}) {
    ModelShape shape = small_shape();
    shape.norm = NormPlace::pre;
    shape.positions = positions;
    shape.pixels = 5;
    CHECK(gradient_error(shape, seed++) < 1e-6);
  }
}

TEST_CASE("a token is its word's vector and its patch's, as one product says") {
  ModelShape shape = small_shape();
  shape.positions = Positions::none;
  shape.pixels = 5;
  Model<double> model(shape);
  initialise(model, NumpyRandom(7));
  const Batch batch = small_batch(shape, 8);
  Pass<double> pass(model, batch.sequences);
  pass.forward(model, batch, 1, 2);  // a part: its patches begin behind those of the first
  const Tensor<double> words = parameter_of(model, model.places.parameters[0]);
  const Tensor<double> weight = parameter_of(model, model.places.parameters[1]);
  const Tensor<double> bias = parameter_of(model, model.places.parameters[2]);
  REQUIRE(model.places.parameters[1].name == "patch_embed.proj.weight");
  const StridedMatrix<const double> x = pass.stack().residual(0);
  for (std::size_t row = 0; row < 2 * batch.tokens; ++row) {
    const std::size_t token = batch.tokens + row;
    for (std::size_t k = 0; k < shape.width; ++k) {
      double sum = words(static_cast<std::size_t>(batch.inputs[token]), k) + bias(k);
      for (std::size_t p = 0; p < 5; ++p)
        sum += weight(k, p) * static_cast<double>(batch.patches[token * 5 + p]);
      CHECK(x.row(row)[k] == doctest::Approx(sum).epsilon(1e-14));
    }
  }
}

TEST_CASE("gradients through an encoder agree with central differences for every option") {
  std::uint32_t seed = 0;
  for (const NormPlace norm : {NormPlace::none, NormPlace::post, NormPlace::pre}) {
    for (const Positions positions :
         {Positions::none, Positions::sinusoidal, Positions::learned, Positions::rotary}) {
      ModelShape shape = with_source(small_shape());
      shape.reading = Reading::what_came_before;
      shape.norm = norm;
      shape.positions = positions;
      if (seed % 3 == 1) shape.hidden = 0;
      if (seed % 4 == 2) shape.score = Score::additive;
      shape.is_gated = seed % 2 == 1;
      CAPTURE(static_cast<int>(norm));
      CAPTURE(static_cast<int>(positions));
      CHECK(gradient_error(shape, seed++) < 1e-6);
    }
  }
}

TEST_CASE("what stands behind a source's end changes nothing") {
  const ModelShape shape = with_source(small_shape());
  Model<double> model(shape);
  initialise(model, NumpyRandom(5));
  const Batch batch = with_sources(small_batch(shape, 6), shape, 7);
  Pass<double> all(model, batch.sequences);
  const StridedMatrix<double> logits = all.forward(model, batch, 0, batch.sequences);
  for (std::size_t i = 0; i < batch.sequences; ++i) {
    Batch one = part_of(batch, i, 1);
    one.source_tokens = one.source_lengths.front();
    one.sources.resize(one.source_tokens);
    one.source_lengths.clear();
    Pass<double> pass(model, 1);
    const StridedMatrix<double> self = pass.forward(model, one, 0, 1);
    for (std::size_t row = 0; row < batch.tokens; ++row) {
      for (std::size_t k = 0; k < shape.answers; ++k)
        CHECK(self.row(row)[k] == doctest::Approx(logits.row(i * batch.tokens + row)[k]).epsilon(1e-12));
    }
    const StridedMatrix<const double> weights = all.stack().head(1, 0, i).weights;
    CHECK(weights.columns == shape.source.tokens);
    for (std::size_t row = 0; row < batch.tokens; ++row) {
      double sum = 0.0;
      for (std::size_t key = 0; key < weights.columns; ++key) {
        sum += weights.row(row)[key];
        if (key >= one.source_tokens) CHECK(weights.row(row)[key] == 0.0);
      }
      CHECK(sum == doctest::Approx(1.0));
    }
  }
}

TEST_CASE("without its only head a layer adds the bias of W_O alone, and another head's output stays") {
  for (const std::size_t heads : std::vector<std::size_t>{1, 2}) {
    ModelShape shape = small_shape();
    shape.heads = heads;
    shape.layers = 1;
    shape.hidden = 0;
    Model<double> model(shape);
    initialise(model, NumpyRandom(9));
    const Model<double> ablated = without_head(model, 0);
    const Batch batch = small_batch(shape, 10);
    Pass<double> pass(ablated, batch.sequences);
    pass.forward(ablated, batch, 0, batch.sequences);
    const double* bias = model.parameters.data() + model.places.stack.layers[0].self.output.bias;
    const StridedMatrix<const double> before = pass.stack().residual(0);
    const StridedMatrix<const double> after = pass.stack().residual(1);
    double moved = 0.0;
    for (std::size_t row = 0; row < after.rows; ++row) {
      for (std::size_t k = 0; k < shape.width; ++k)
        moved = std::max(moved, std::abs(after.row(row)[k] - before.row(row)[k] - bias[k]));
    }
    CHECK((moved < 1e-14) == (heads == 1));
  }
}

TEST_CASE("an open gate is none, and behind a shut one a layer adds the bias of W_O alone") {
  ModelShape shape = small_shape();
  shape.layers = 1;
  shape.hidden = 0;
  const ModelShape plain_shape = shape;
  shape.is_gated = true;
  Model<double> gated(shape);
  initialise(gated, NumpyRandom(9));
  Model<double> plain(plain_shape);
  const AttentionPlaces& attention = gated.places.stack.layers[0].self;
  double* const gate = gated.parameters.data() + attention.gate.weight;
  std::fill_n(gate, shape.width * shape.width, 0.0);
  for (ParameterPlace& place : plain.places.parameters) {
    const auto same = std::find_if(gated.places.parameters.begin(), gated.places.parameters.end(),
                                   [&](const ParameterPlace& other) { return other.name == place.name; });
    std::copy_n(gated.parameters.begin() + static_cast<std::ptrdiff_t>(same->begin), place.size,
                plain.parameters.begin() + static_cast<std::ptrdiff_t>(place.begin));
  }
  const Batch batch = small_batch(shape, 10);
  const auto added = [&](const Model<double>& model) {
    Pass<double> pass(model, batch.sequences);
    pass.forward(model, batch, 0, batch.sequences);
    std::vector<double> difference;
    for (std::size_t row = 0; row < batch.sequences * batch.tokens; ++row) {
      for (std::size_t k = 0; k < shape.width; ++k)
        difference.push_back(pass.stack().residual(1).row(row)[k] - pass.stack().residual(0).row(row)[k]);
    }
    return difference;
  };
  double* const bias = gated.parameters.data() + attention.gate.bias;
  const std::vector<double> without = added(plain);
  const double* const of_output = gated.parameters.data() + attention.output.bias;
  for (const double opening : {800.0, 0.0, -800.0}) {
    std::fill_n(bias, shape.width, opening);
    const double open = 1.0 / (1.0 + std::exp(-opening));
    const std::vector<double> with = added(gated);
    for (std::size_t i = 0; i < with.size(); ++i) {
      const double b = of_output[i % shape.width];
      CHECK(with[i] == doctest::Approx(b + open * (without[i] - b)).epsilon(1e-12));
    }
  }
}

Tensor<double> tensor_at(const Model<double>& model, const std::string& name) {
  for (const ParameterPlace& place : model.places.parameters) {
    if (place.name == name) return parameter_of(model, place);
  }
  throw std::logic_error("no parameter " + name);
}

TEST_CASE("the forward pass is a Transformer layer of src/attention") {
  for (const NormPlacement placement : {NormPlacement::post, NormPlacement::pre}) {
    ModelShape shape = small_shape();
    shape.layers = 1;
    shape.norm = placement == NormPlacement::post ? NormPlace::post : NormPlace::pre;
    shape.positions = Positions::none;
    Model<double> model(shape);
    initialise(model, NumpyRandom(3));
    const Batch batch = small_batch(shape, 4);
    Pass<double> pass(model, batch.sequences);
    pass.forward(model, batch, 0, batch.sequences);

    TransformerLayer<double> layer;
    const std::string attention = "h.0.attn.";
    const Tensor<double> joint = tensor_at(model, attention + "c_attn.weight");  // (3 width, width)
    const Tensor<double> bias = tensor_at(model, attention + "c_attn.bias");
    const std::size_t head_width = shape.head_width();
    const std::vector<std::size_t> of_heads{shape.heads, head_width, shape.width};
    // (width of all heads, width) becomes (heads, width, width of one).
    const auto weight = [&](std::size_t part) {
      Tensor<double> rows =
          xt::view(joint, xt::range(part * shape.width, (part + 1) * shape.width), xt::all());
      rows.reshape(of_heads);
      return transpose(rows);
    };
    const auto bias_of_heads = [&](std::size_t part) {
      Tensor<double> self = xt::view(bias, xt::range(part * shape.width, (part + 1) * shape.width));
      self.reshape({shape.heads, head_width});
      return self;
    };
    layer.attention = {weight(0),        weight(1),
                       weight(2),        transpose(tensor_at(model, attention + "c_proj.weight")),
                       bias_of_heads(0), bias_of_heads(1),
                       bias_of_heads(2), tensor_at(model, attention + "c_proj.bias")};
    layer.mlp.first = {tensor_at(model, "h.0.mlp.c_fc.weight"), tensor_at(model, "h.0.mlp.c_fc.bias")};
    layer.mlp.second = {tensor_at(model, "h.0.mlp.c_proj.weight"), tensor_at(model, "h.0.mlp.c_proj.bias")};
    layer.placement = placement;
    const StridedMatrix<const double> x = pass.stack().residual(0);
    Tensor<double> input = Tensor<double>::from_shape({batch.sequences, batch.tokens, shape.width});
    std::copy_n(x.data, input.size(), input.begin());
    const TransformerLayerStages<double> expected = transformer_layer(layer, input);
    const StridedMatrix<const double> output = pass.stack().residual(1);
    for (std::size_t i = 0; i < expected.output.size(); ++i) {
      CHECK(output.data[i] == doctest::Approx(expected.output.data()[i]).epsilon(1e-12));
    }
    for (std::size_t head = 0; head < shape.heads; ++head) {
      const StridedMatrix<const double> weights = pass.stack().head(0, head, 2).weights;
      for (std::size_t i = 0; i < batch.tokens; ++i) {
        for (std::size_t j = 0; j < batch.tokens; ++j) {
          CHECK(weights.row(i)[j] ==
                doctest::Approx(expected.attention.attention.weights(2, head, i, j)).epsilon(1e-12));
        }
      }
    }
  }
}

}  // namespace
}  // namespace attnlab
