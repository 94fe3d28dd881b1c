// The encoder experiment: NumPy's numbers, what holds after every sub-step, and who may look at whom.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/framework/traces.hpp"

namespace attnlab {
namespace {

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments(const std::vector<double>& values, std::size_t first, std::size_t width) {
  Moments result;
  for (std::size_t i = first; i < first + width; ++i) result.mean += values[i] / static_cast<double>(width);
  for (std::size_t i = first; i < first + width; ++i) {
    result.variance += (values[i] - result.mean) * (values[i] - result.mean) / static_cast<double>(width);
  }
  return result;
}

}  // namespace

TEST_CASE("the encoder layer agrees with the slides' layer in NumPy for both places of the norm") {
  check_reference(encoder_experiment(), "encoder/default.json");
  check_reference(encoder_experiment(), "encoder/pre.json");
}

TEST_CASE("every invariant of the encoder holds for other sizes and seeds and PyTorch's stream") {
  for (const Flags& flags :
       std::vector<Flags>{{},
                          {{"norm", "pre"}},
                          {{"tokens", "1"}},
                          {{"width", "2"}, {"heads", "2"}, {"hidden", "1"}},
                          {{"tokens", "13"}, {"seed", "9"}, {"rng", "torch"}},
                          {{"example", "-3,1000,0.5"}},
                          {{"tokens", "64"}, {"width", "256"}, {"heads", "16"}, {"hidden", "1024"}}}) {
    const Report report = run_with(encoder_experiment(), flags);
    check_form(report);
    CHECK(report.invariants.size() >= 6);
    check_invariants_hold(report);
  }
}

TEST_CASE("in a batch each sequence reacts as it does alone and the second reaches nothing of the first") {
  const Report report = run_with(encoder_experiment(), {});
  const Array& alone = stage(report, "attention_reaction").array;
  const Array& batch = stage(report, "batch_attention_reaction").array;
  const Array& mlp = stage(report, "batch_mlp_reaction").array;
  REQUIRE(batch.shape == std::vector<std::size_t>{12, 12});
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < 12; ++j) {
      const double moved = batch.data[12 * i + j];
      if ((i < 6) != (j < 6)) CHECK(moved == 0.0);
      if (i < 6 && j < 6) CHECK(moved == doctest::Approx(alone.data[6 * i + j]).epsilon(1e-12));
      if (i >= 6 && j >= 6) CHECK(moved > 1e-3);
      if (i == j) CHECK(mlp.data[12 * i + j] > 1e-3);
      if (i != j) CHECK(mlp.data[12 * i + j] < 1e-12);
    }
  }
}

TEST_CASE("post-norm leaves every token with mean 0 and variance 1 and pre-norm does not") {
  const Report post = run_with(encoder_experiment(), {});
  const Report pre = run_with(encoder_experiment(), {{"norm", "pre"}});
  for (std::size_t token = 0; token < 6; ++token) {
    const Moments after = moments(values(post, "output"), token * 16, 16);
    CHECK(std::abs(after.mean) < 1e-12);
    CHECK(std::abs(after.variance - 1.0) < 1e-4);
    CHECK(std::abs(moments(values(pre, "output"), token * 16, 16).variance - 1.0) > 1e-3);
  }
}

TEST_CASE("each residual is the sum of the stream and the sub-layer") {
  const Report post = run_with(encoder_experiment(), {});
  const Report pre = run_with(encoder_experiment(), {{"norm", "pre"}});
  for (std::size_t i = 0; i < 96; ++i) {
    CHECK(values(post, "residual_1")[i] == values(post, "x")[i] + values(post, "attention")[i]);
    CHECK(values(post, "residual_2")[i] == values(post, "norm_1")[i] + values(post, "mlp")[i]);
    CHECK(values(pre, "residual_1")[i] == values(pre, "x")[i] + values(pre, "attention")[i]);
    CHECK(values(pre, "output")[i] == values(pre, "residual_1")[i] + values(pre, "mlp")[i]);
  }
}

TEST_CASE("a changed token moves every row of attention but only its own in layer norm and MLP") {
  const Report report = run_with(encoder_experiment(), {});
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      CHECK(values(report, "attention_reaction")[i * 6 + j] > 0.01);
      CHECK((values(report, "norm_reaction")[i * 6 + j] > 1e-12) == (i == j));
      CHECK((values(report, "mlp_reaction")[i * 6 + j] > 1e-12) == (i == j));
    }
  }
}

TEST_CASE("the figure of reactions shows each change as a share of its map's largest") {
  const Report report = run_with(encoder_experiment(), {});
  for (const Panel& panel : figure(report, "reaction").panels) {
    const auto& map = std::get<HeatMap>(panel.content);
    const std::vector<double>& changes = values(report, map.id);
    const double most = *std::max_element(changes.begin(), changes.end());
    CHECK(*std::max_element(map.values.values.begin(), map.values.values.end()) == doctest::Approx(1.0));
    CHECK(map.values.values.at(1) == doctest::Approx(changes.at(1) / most));
  }
}

TEST_CASE("the slide's divisor leaves the standard deviation as the variance whatever the token's spread") {
  const Report report = run_with(encoder_experiment(), {{"example", "0,2,10"}});
  const std::vector<double>& deviation = values(report, "deviation");
  for (std::size_t i = 0; i < deviation.size(); ++i) {
    CHECK(std::abs(values(report, "variance_after")[i] - 1.0) < 1e-3);
    CHECK(std::abs(values(report, "variance_after_slide")[i] - deviation[i]) < 2e-5);
  }
  CHECK(deviation.back() / deviation.front() == doctest::Approx(100.0));
}

TEST_CASE("every computed stage names earlier stages as its operands") {
  for (const char* norm : {"post", "pre"}) {
    check_derivations(run_with(encoder_experiment(), {{"norm", norm}}));
  }
}

TEST_CASE("an example without spread and heads that do not divide the width are refused") {
  CHECK(
      usage_error(encoder_experiment(), {{"example", "2,2,2"}}) ==
      "the numbers of --example are all equal: their variance is 0; give numbers that differ, such as --example 1,2,3,4");
  CHECK(contains(usage_error(encoder_experiment(), {{"heads", "3"}}), "choose a divisor of 16"));
}

TEST_CASE("the title of the flow tells the share that each sub-layer adds") {
  const Report report = run_with(encoder_experiment(), {});
  CHECK(scalar(report, "length_attention") / scalar(report, "length_x") ==
        doctest::Approx(0.035).epsilon(0.01));
  CHECK(contains(figure(report, "flow").title.en(), "a small correction (4% and 23%)"));
  CHECK(contains(figure(report, "flow").caption.en(), "untrained"));
}

TEST_CASE("own weights of zeros leave a pre-norm layer's tokens as they are") {
  const Experiment experiment = encoder_experiment();
  const Flags flags{{"norm", "pre"}, {"heads", "2"}};
  const Numbers tokens{1e3, -2, 0.5, 4, 0, 0, 0, 0};
  const std::vector<InputArray> arrays{own("x", {2, 4}, tokens), own("w_value", {2, 4, 2}, Numbers(16, 0.0)),
                                       own("w_2", {3, 4}, Numbers(12, 0.0))};
  const Report report = run_with(experiment, flags, arrays);
  CHECK(values(report, "output") == tokens);
  check_invariants_hold(report, 8);
  CHECK(contains(figure(report, "flow").caption.en(), "Seed 0, x: x.npy"));
  CHECK_FALSE(contains(paragraphs(report, Role::say), "untrained"));
  CHECK(contains(usage_error(experiment, {{"heads", "4"}}, arrays), "contradicts --heads 4"));
}

}  // namespace attnlab
