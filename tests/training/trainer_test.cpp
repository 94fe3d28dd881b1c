// Optimisers, losses, and steps that are the same on any number of threads.
#include "training/trainer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/constants.hpp"
#include "training/initialise.hpp"

namespace attnlab {
namespace {

TEST_CASE("AdamW's first step is as long as the rate, against the gradient's sign") {
  OptimiserSettings settings;
  std::vector<double> parameters{1.0, 2.0, 3.0};
  Optimiser<double> optimiser(settings, 3);
  optimiser.step(parameters, {5.0, -1e-3, 0.0}, 1.0, 0.1);
  CHECK(parameters[0] == doctest::Approx(0.9).epsilon(1e-6));
  CHECK(parameters[1] == doctest::Approx(2.1).epsilon(1e-5));
  CHECK(parameters[2] == 3.0);
}

TEST_CASE("decay shrinks parameters, apart from their gradient") {
  OptimiserSettings settings;
  settings.decay = 0.5;
  std::vector<double> parameters{4.0};
  Optimiser<double> optimiser(settings, 1);
  optimiser.step(parameters, {0.0}, 1.0, 0.1);
  CHECK(parameters[0] == doctest::Approx(4.0 * 0.95));
}

TEST_CASE("SGD carries momentum from step to step") {
  OptimiserSettings settings;
  settings.kind = OptimiserKind::sgd;
  std::vector<double> parameters{0.0};
  Optimiser<double> optimiser(settings, 1);
  optimiser.step(parameters, {1.0}, 1.0, 0.1);
  CHECK(parameters[0] == doctest::Approx(-0.1));
  optimiser.step(parameters, {1.0}, 1.0, 0.1);
  CHECK(parameters[0] == doctest::Approx(-0.1 - 0.1 * 1.9));
}

TEST_CASE("the rate rises evenly and falls along a cosine") {
  OptimiserSettings settings;
  settings.rate = 1.0;
  settings.warm_up = 4;
  CHECK(rate_of(settings, 0, 104) == doctest::Approx(0.25));
  CHECK(rate_of(settings, 3, 104) == doctest::Approx(1.0));
  CHECK(rate_of(settings, 54, 104) == doctest::Approx(0.5));
  CHECK(rate_of(settings, 103, 104) < 0.001);
  settings.course = RateCourse::constant;
  CHECK(rate_of(settings, 103, 104) == 1.0);
}

TEST_CASE("a gradient that is too long is shortened to the limit, a short one stays") {
  CHECK(clipping(std::vector<double>{3.0, 4.0}, 1.0) == doctest::Approx(0.2));
  CHECK(clipping(std::vector<double>{0.3, 0.4}, 1.0) == 1.0);
  CHECK(clipping(std::vector<double>{3.0, 4.0}, 0.0) == 1.0);
}

TEST_CASE("the loss of equal logits is the logarithm of their number, and no score is too large for it") {
  std::vector<double> logits{2.0, 2.0, 2.0, 1000.0, 0.0, -1000.0, 7.0, 8.0, 9.0};
  const std::vector<int> targets{1, 2, no_target};
  const LossSum sum = cross_entropy(matrix_at(logits.data(), 3, 3), targets.data(), 0.5);
  CHECK(sum.loss == doctest::Approx(std::log(3.0) + 2000.0));
  CHECK(sum.counted == 2);
  CHECK(sum.correct == 0);
  const double third = 1.0 / 3.0;
  CHECK(logits[0] == doctest::Approx(0.5 * third));
  CHECK(logits[1] == doctest::Approx(0.5 * (third - 1.0)));
  CHECK(logits[5] == doctest::Approx(-0.5));
  CHECK(logits[8] == 0.0);
}

TEST_CASE("the squared error and its gradient") {
  std::vector<double> y{1.0, 5.0};
  const std::vector<double> target{0.0, 2.0};
  CHECK(squared_error(y.data(), target.data(), 2, 0.5) == doctest::Approx(5.0));
  CHECK(y[0] == doctest::Approx(1.0));
  CHECK(y[1] == doctest::Approx(3.0));
}

std::vector<float> trained_on(const ForEach& for_each, std::size_t kept = 13) {
  ModelShape shape;
  shape.vocabulary = shape.answers = 7;
  shape.tokens = 9;
  shape.width = 16;
  shape.heads = 2;
  shape.hidden = 24;
  shape.norm = NormPlace::pre;
  Model<float> model(shape);
  initialise(model, NumpyRandom(1));
  Trainer<float> trainer(model, {}, 12, kept, for_each);
  NumpyRandom random(2);
  for (int step = 0; step < 12; ++step) {
    Batch batch{13, 9, {}, {}};
    for (std::size_t i = 0; i < 13 * 9; ++i) {
      batch.inputs.push_back(static_cast<int>(7.0 * random.uniform()));
      batch.targets.push_back(static_cast<int>(7.0 * random.uniform()));
    }
    trainer.step(batch);
  }
  return model.parameters;
}

TEST_CASE("the number of threads changes no bit") {
  const ForEach backwards = [](std::size_t count, const std::function<void(std::size_t)>& work) {
    for (std::size_t index = count; index-- > 0;) work(index);
  };
  const std::vector<float> alone = trained_on(one_after_another);
  CHECK(trained_on(backwards) == alone);
  CHECK(trained_on(on_all_processors()) == alone);
}

TEST_CASE("a batch that has no room at once is learned piece by piece: the same sums, up to rounding") {
  const std::vector<float> whole = trained_on(one_after_another);
  const std::vector<float> pieces = trained_on(one_after_another, 1);  // a sequence at a time
  CHECK(pieces != whole);
  for (std::size_t i = 0; i < whole.size(); ++i) CHECK(pieces[i] == doctest::Approx(whole[i]).epsilon(1e-3));
  ModelShape large;
  large.vocabulary = large.answers = 1000;
  large.tokens = large.width = large.hidden = 512;
  large.layers = 8;
  for (const std::size_t batch : std::vector<std::size_t>{1, 64, 4096})
    CHECK(numbers_of_pass(large, sequences_at_once(large, batch)) < 3e7);
  CHECK(sequences_at_once(ModelShape{5, 5, 16}, 64) == 64);
}

TEST_CASE("PyTorch's stream fills a model as its modules do, NumPy's with the same bounds") {
  ModelShape shape;
  shape.vocabulary = shape.answers = 5;
  shape.tokens = 4;
  shape.width = 8;
  shape.norm = NormPlace::pre;
  Model<double> numpy(shape);
  initialise(numpy, NumpyRandom(0));
  Model<double> torch(shape);
  initialise(torch, TorchRandom(0));
  for (const Model<double>* model : {&numpy, &torch}) {
    for (const ParameterPlace& place : model->places.parameters) {
      const Tensor<double> values = parameter_of(*model, place);
      if (place.name == "h.0.ln_1.weight") CHECK(values(3) == 1.0);
      if (place.name == "h.0.ln_1.bias") CHECK(values(3) == 0.0);
      if (place.name.find("c_attn") == std::string::npos) continue;
      for (const double value : values) CHECK(std::abs(value) <= 1.0 / std::sqrt(8.0));
    }
  }
  CHECK(numpy.parameters != torch.parameters);
}

}  // namespace
}  // namespace attnlab
