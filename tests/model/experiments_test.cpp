// The book's experiments over a model: their weights are the model's own, in every family that fits.
#include <doctest/doctest.h>

#include "core/named.hpp"
#include "model/experiments/experiments.hpp"
#include "model/model_experiment.hpp"
#include "model/reference_model.hpp"

using namespace attnlab;

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

Arguments opened(const Values& values) {
  Arguments arguments(model_experiment().parameters);
  for (const auto& [name, value] : values) arguments.set(name, value);
  arguments.sources.files = open_model_files(arguments);
  return arguments;
}

const Array& array_of(const Report& report, const std::string& name) {
  const Stage* found = find_named(report.stages, name);
  REQUIRE(found != nullptr);
  return found->array;
}

/// The largest difference of two arrays, of which one is a part of the other from `first` on.
double spacing(const Array& part, const Array& all, std::size_t first) {
  double largest = 0.0;
  REQUIRE(first + part.data.size() <= all.data.size());
  for (std::size_t i = 0; i < part.data.size(); ++i)
    largest = std::max(largest, std::abs(part.data[i] - all.data[first + i]));
  return largest;
}

void check_holds(const Report& report) {
  for (const Invariant& one : report.invariants) {
    INFO(one.name);
    CHECK(holds(one));
  }
}

void check_heads(const Values& values, bool is_output_added = true) {
  Values with_layer = values;
  with_layer.insert(with_layer.end(), {{"layer", "1"}, {"head", "1"}});
  const Arguments arguments = opened(with_layer);
  const Report model = run(model_experiment(), arguments);
  const Report heads = heads_over_model(arguments, quiet_context());
  const Report one = self_attention_over_model(arguments, quiet_context());
  check_holds(heads);
  check_holds(one);
  const std::size_t layer = array_of(heads, "weights").data.size();
  CHECK(spacing(array_of(heads, "weights"), array_of(model, "weights"), layer) < 1e-5);
  CHECK(spacing(array_of(one, "weights"), array_of(heads, "weights"), array_of(one, "weights").data.size()) <
        1e-14);
  if (is_output_added)
    CHECK(spacing(array_of(heads, "output"), array_of(model, "layer_1_attention"), 0) < 1e-4);
}

}  // namespace

TEST_CASE(
    "heads and self-attention over a model compute its own weights and its own output, in every family") {
  check_heads({{"model", "world"}, {"text", "the dog was tired . it did not cross the street"}});
  const std::set<std::string> norm_output{"olmo2", "olmo3", "gemma3"};  // before it is added
  for (const std::string& name : reference_families()) {
    INFO(name);
    const Folder folder;
    write_model(reference_of(name), folder);
    const auto check = [&] {
      check_heads({{"model", folder.path().string()}, {"tokens", "3,7,1,3,7,12,0"}},
                  norm_output.count(name) == 0);
    };
    if (name != "gemma2") check();
    if (name == "gemma2") CHECK_THROWS_WITH_AS(check(), doctest::Contains("caps its scores"), Error);
  }
}

TEST_CASE("whatever runs over a model warns of keys of its configuration that are not known here") {
  const Folder folder;
  Config reference = reference_of("gpt2");
  reference["config"]["attention_sharpening"] = 3;
  write_model(reference, folder);
  const auto warns = [&](const Experiment& experiment, const std::map<std::string, std::string>& values) {
    Arguments arguments(experiment.parameters);
    for (const auto& [name, value] : values) arguments.set(name, value);
    const Report report = run(experiment, arguments);
    return std::any_of(report.warnings.begin(), report.warnings.end(),
                       [](const Text& one) { return contains(one.en(), "attention_sharpening = 3"); });
  };
  const std::string path = folder.path().string();
  CHECK(warns(model_experiment(), {{"model", path}, {"tokens", "3,7,1"}}));
  CHECK(warns(generation_experiment(), {{"model", path}, {"tokens", "3,7,1"}, {"generate", "2"}}));
  CHECK(warns(*experiment_over_model("positional"), {{"model", path}}));
}

TEST_CASE("decoder over a model: nothing leaks with its mask, much does without, and BERT is no decoder") {
  for (const std::string& name : reference_families()) {
    if (contains(name, "bert")) continue;
    INFO(name);
    const Folder folder;
    write_model(reference_of(name), folder);
    const Report report = decoder_over_model(
        opened({{"model", folder.path().string()}, {"tokens", "3,7,1,3,7"}}), quiet_context());
    check_holds(report);
    const Array& with_mask = array_of(report, "reaction");
    const Array& without = array_of(report, "reaction_without_mask");
    CHECK(with_mask.data[4] < 1e-5);  // the first place, when the last word is another
    CHECK(without.data[4] > 1e-4);
    CHECK(with_mask.data[4 * 5 + 4] > 1e-4);
    const bool is_gpt = name == "gpt2" || name == "opt";
    CHECK(report.figures.size() == (is_gpt ? 6 : 5));
  }
  const Folder folder;
  write_model(reference_of("bert"), folder);
  CHECK_THROWS_AS(
      decoder_over_model(opened({{"model", folder.path().string()}, {"tokens", "3,7"}}), quiet_context()),
      Error);
}

TEST_CASE("positional over a model shows the table that its file holds, and says what stands in its place") {
  const Report report = positional_over_model(opened({{"model", "world"}}), quiet_context());
  const Array& encoding = array_of(report, "encoding");
  const Array& similarity = array_of(report, "similarity");
  CHECK(encoding.shape == std::vector<std::size_t>{64, 64});
  double product = 0.0;
  double first = 0.0;
  double second = 0.0;
  for (std::size_t i = 0; i < 64; ++i) {
    product += encoding.data[i] * encoding.data[64 + i];
    first += encoding.data[i] * encoding.data[i];
    second += encoding.data[64 + i] * encoding.data[64 + i];
  }
  CHECK(similarity.data[1] == doctest::Approx(product / std::sqrt(first * second)));
  const Folder folder;
  write_model(reference_of("llama"), folder);
  CHECK_THROWS_WITH_AS(positional_over_model(opened({{"model", folder.path().string()}}), quiet_context()),
                       doctest::Contains("RoPE"), Error);
  CHECK_THROWS_AS(positional_over_model(opened({{"model", "sense"}}), quiet_context()), Error);
}
