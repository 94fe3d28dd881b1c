// What --check makes mistakes in: the operations inside a model's stages, with the weights of its file.
#include <doctest/doctest.h>

#include "experiments/framework/experiment.hpp"
#include "model/block_stages.hpp"
#include "model/model_experiment.hpp"
#include "model/reference_model.hpp"
#include "results/check/mistake.hpp"
#include "results/derivation/recompute.hpp"

using namespace attnlab;

TEST_CASE("the steps inside every stage of every family make that stage") {
  for (const std::string& family : reference_families()) {
    CAPTURE(family);
    const Config reference = reference_of(family);
    const Folder folder;
    write_model(reference, folder);
    const std::vector<std::size_t> tokens = tokens_of(reference);
    Arguments arguments(model_experiment().parameters);
    arguments.set("model", folder.path().string());
    arguments.set("tokens", fmt::format("{}", fmt::join(tokens, ",")));
    arguments.sources.files = open_model_files(arguments);
    const std::vector<Stage> trace = run(model_experiment(), arguments).stages;
    const StepsInside inside = steps_inside(
        std::static_pointer_cast<const ModelFiles>(arguments.sources.files)->opened, tokens.size());
    std::size_t made = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const Stage& stage = trace[i];
      CAPTURE(stage.name);
      const std::vector<Stage> steps = inside(stage.name);
      if (steps.empty()) continue;
      std::vector<Stage> so_far(trace.begin(), trace.begin() + static_cast<std::ptrdiff_t>(i));
      for (Stage step : steps) {
        if (step.array.data.empty()) step.array = made_again(step.derivation, operands_of(step, so_far));
        so_far.push_back(std::move(step));
      }
      const Array& last = so_far.back().array;
      CHECK(so_far.back().name == stage.name);
      REQUIRE(last.shape == stage.array.shape);
      for (std::size_t k = 0; k < last.data.size(); ++k) {
        if (std::isinf(stage.array.data[k])) CHECK(last.data[k] == stage.array.data[k]);
        if (!std::isinf(stage.array.data[k]))
          CHECK(last.data[k] == doctest::Approx(stage.array.data[k]).epsilon(1e-3));
      }
      ++made;
    }
    const std::size_t of_layer = family == "mixtral" || family == "olmo2" || family == "olmo3" ? 7 : 9;
    CHECK(made == 2 * of_layer + 1);  // of two layers, and the logits
  }
}
