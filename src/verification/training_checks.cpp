// Gradients and a course of losses against PyTorch's, as make_training_reference.py writes them.
#include "training/initialise.hpp"
#include "training/trainer.hpp"
#include "verification/function_checks.hpp"

namespace attnlab {
namespace {

ModelShape shape_from(const Json& json) {
  const auto count = [&](const char* key) { return json.at(key).get<std::size_t>(); };
  ModelShape shape;
  shape.vocabulary = count("vocabulary");
  shape.answers = count("answers");
  shape.tokens = count("tokens");
  shape.width = count("width");
  shape.heads = count("heads");
  shape.layers = count("layers");
  shape.hidden = count("hidden");
  shape.norm = chosen<NormPlace>(json.at("norm"), {"none", "post", "pre"});
  shape.norm_kind = chosen<NormKind>(json.at("norm_kind"), {"layer", "rms"});
  shape.positions = chosen<Positions>(json.at("positions"), {"none", "sinusoidal", "learned", "rotary"});
  shape.activation = chosen<Activation>(json.at("activation"), {"relu", "gelu"});
  shape.reading = json.at("causal").get<bool>() ? Reading::what_came_before : Reading::everything;
  if (const Json& source = json.at("source"); !source.is_null()) {
    shape.source = {source.at("vocabulary").get<std::size_t>(), source.at("tokens").get<std::size_t>(),
                    source.at("layers").get<std::size_t>()};
  }
  if (!json.at("scale").is_null()) shape.scale = json.at("scale").get<double>();
  return shape;
}

/// randn · 0.3, and 1 + 0.3 · randn for the gains of norms.
Model<double> drawn_model(const ModelShape& shape, std::uint32_t seed) {
  Model<double> model(shape);
  NumpyRandom random(seed);
  for (const ParameterPlace& place : model.places.parameters) {
    const bool is_gain = place.name.find("ln_") != std::string::npos && place.name.back() == 't';
    for (std::size_t i = 0; i < place.size; ++i) {
      model.parameters[place.begin + i] = 0.3 * random.normal() + (is_gain ? 1.0 : 0.0);
    }
  }
  return model;
}

/// A model's gradient is a sum over all tokens of products through all layers.
constexpr double of_gradients = 1e-11;

Checks check_gradients(const Json& file) {
  Checks checks;
  for (const Json& stored : file) {
    const ModelShape shape = shape_from(stored.at("shape"));
    const Model<double> model = drawn_model(shape, stored.at("seed").get<std::uint32_t>());
    Batch batch{0, shape.tokens, stored.at("inputs").get<std::vector<int>>(),
                stored.at("targets").get<std::vector<int>>()};
    batch.sequences = batch.inputs.size() / batch.tokens;
    if (shape.source.tokens > 0) {
      batch.source_tokens = shape.source.tokens;
      batch.sources = stored.at("sources").get<std::vector<int>>();
      batch.source_lengths = stored.at("lengths").get<std::vector<std::size_t>>();
    }
    const double share = 1.0 / static_cast<double>(batch.counted());
    Pass<double> pass(model, batch.sequences);
    std::vector<double> gradient(model.places.size, 0.0);
    pass.forward(model, batch, 0, batch.sequences);
    const double loss = pass.loss(batch, share).loss * share;
    pass.backward(model, gradient.data());
    const Text detail = Text::same(fmt::format("seed {}", stored.at("seed").get<int>()));
    checks.push_back({deviation({loss}, {stored.at("loss").get<double>()}, of_gradients), Section::layers,
                      "gradients", "loss", detail});
    for (const ParameterPlace& place : model.places.parameters) {
      const auto begin = gradient.begin() + static_cast<std::ptrdiff_t>(place.begin);
      const std::vector<double> own(begin, begin + static_cast<std::ptrdiff_t>(place.size));
      const Json& expected = stored.at("gradients").at(place.name);
      checks.push_back({deviation_from(expected, place.shape, own, of_gradients), Section::layers,
                        "gradients", place.name, detail});
    }
  }
  return checks;
}

/// Float32 sums in another order, a hundred steps on end.
constexpr double of_losses = 1e-4;

Checks check_losses(const Json& stored) {
  const Json& settings = stored.at("settings");
  const auto seed = settings.at("seed").get<std::uint32_t>();
  const auto steps = settings.at("steps").get<std::size_t>();
  const auto sequences = settings.at("batch").get<std::size_t>();
  Model<float> model(shape_from(stored.at("shape")));
  initialise(model, TorchRandom(seed));
  OptimiserSettings optimiser;
  optimiser.rate = settings.at("rate").get<double>();
  optimiser.warm_up = settings.at("warm_up").get<std::size_t>();
  optimiser.clip = settings.at("clip").get<double>();
  optimiser.decay = settings.at("decay").get<double>();
  Trainer<float> trainer(model, optimiser, steps, sequences);
  NumpyRandom random(seed + 1);
  std::vector<double> losses;
  const std::size_t tokens = model.shape.tokens;
  for (std::size_t step = 0; step < steps; ++step) {
    Batch batch{sequences, tokens, std::vector<int>(sequences * tokens),
                std::vector<int>(sequences * tokens)};
    for (int& word : batch.inputs) {
      word = static_cast<int>(random.uniform() * static_cast<double>(model.shape.vocabulary));
    }
    for (std::size_t i = 0; i < sequences; ++i) {
      const auto row = batch.inputs.begin() + static_cast<std::ptrdiff_t>(i * tokens);
      std::reverse_copy(row, row + static_cast<std::ptrdiff_t>(tokens),
                        batch.targets.begin() + static_cast<std::ptrdiff_t>(i * tokens));
    }
    losses.push_back(trainer.step(batch).loss);
  }
  const auto expected = stored.at("losses").get<std::vector<double>>();
  return {{deviation(losses, expected, of_losses), Section::layers, "losses", "loss",
           text("最初の {} ステップ", "the first {} steps", steps)}};
}

}  // namespace

Checks check_training(const std::string& path, const Json& file) {
  return path.find("losses") != std::string::npos ? check_losses(file) : check_gradients(file);
}

}  // namespace attnlab
