// Models whose numbers overflow, or were none from the start: where that begins is found, and nothing of it
// is given out as a result.
#include "model/soundness.hpp"

#include <doctest/doctest.h>

#include <random>

#include "core/error.hpp"
#include "model/experiments/experiments.hpp"
#include "model/long_maps.hpp"
#include "model/model_experiment.hpp"
#include "model/reference_model.hpp"

using namespace attnlab;

namespace {

/// "llama" with a tensor of one number.
void write_broken(const Folder& folder, const std::string& tensor, double value) {
  Config reference = reference_of("llama");
  for (auto& number : reference["tensors"][tensor]["values"]) number = value;
  write_model(reference, folder);
}

std::optional<Breakdown> breakdown_in(const Folder& folder) {
  const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
  return breakdown_of(model, pass_of(model, {3, 7, 1, 3, 7}));
}

Arguments arguments_of(const Experiment& experiment, const Folder& folder) {
  Arguments arguments(experiment.parameters);
  arguments.set("model", folder.path().string());
  arguments.set("tokens", "3,7,1,3,7");
  return arguments;
}

}  // namespace

TEST_CASE("the first stage that holds no number is found") {
  const std::string layer = "model.layers.1.";
  const std::vector<std::tuple<std::string, std::size_t, std::string>> cases{
      {"model.embed_tokens.weight", 0, "embedding"},
      {layer + "input_layernorm.weight", 2, "normed"},
      {layer + "self_attn.q_proj.weight", 2, "query"},
      {layer + "self_attn.k_proj.weight", 2, "key"},
      {layer + "self_attn.v_proj.weight", 2, "value"},
      {layer + "self_attn.o_proj.weight", 2, "attention"},
      {layer + "post_attention_layernorm.weight", 2, "mlp_input"},
      {layer + "mlp.up_proj.weight", 2, "hidden"},
      {layer + "mlp.down_proj.weight", 2, "mlp"},
      {"lm_head.weight", 3, "logits"}};
  for (const auto& entry : cases) {
    const auto& [tensor, depth, stage] = entry;
    INFO(std::get<0>(entry));
    const Folder folder;
    write_broken(folder, tensor, HUGE_VAL);
    const auto found = breakdown_in(folder);
    REQUIRE(found);
    CHECK(found->depth == depth);
    CHECK(found->stage == stage);
  }
}

TEST_CASE("scores that overflow are found, masked ones are no breakdown") {
  Config reference = reference_of("llama");
  const Folder sound;
  write_model(reference, sound);
  CHECK(!breakdown_in(sound));
  for (const char* projection : {"q_proj", "k_proj"}) {
    for (auto& number :
         reference["tensors"][fmt::format("model.layers.0.self_attn.{}.weight", projection)]["values"])
      number = number.get<double>() * 1e25;
  }
  const Folder folder;
  write_model(reference, folder);
  const auto found = breakdown_in(folder);
  REQUIRE(found);
  CHECK(found->depth == 1);
  CHECK(found->stage == "scores");
}

TEST_CASE("an eps below 0 or NaN is refused by its key") {
  const Folder folder;
  write_model(reference_of("llama"), folder);
  Checkpoint checkpoint = open_checkpoint(folder.path().string());
  for (const double eps : {-1.0, -1e-30, std::nan(""), HUGE_VAL, 1e300}) {
    checkpoint.config["rms_norm_eps"] = eps;
    CHECK_THROWS_WITH_AS(family_of(checkpoint), doctest::Contains("\"rms_norm_eps\" is"), Error);
  }
  checkpoint.config["rms_norm_eps"] = 0.0;
  CHECK(family_of(checkpoint).architecture.eps == 0.0F);
}

TEST_CASE("the largest probabilities come first, NaN last, whatever lies among them") {
  std::minstd_rand random(3);
  for (int i = 0; i < 50; ++i) {
    std::vector<double> values(random() % 200 + 1);
    for (double& value : values)
      value = random() % 3 == 0 ? std::nan("") : static_cast<double>(random() % 50);
    const std::vector<std::size_t> places = largest_places(values, values.size());
    const auto numbers = std::count_if(values.begin(), values.end(), [](double x) { return !std::isnan(x); });
    for (std::size_t k = 1; k < static_cast<std::size_t>(numbers); ++k)
      CHECK(values[places[k - 1]] >= values[places[k]]);
    for (std::size_t k = static_cast<std::size_t>(numbers); k < places.size(); ++k)
      CHECK(std::isnan(values[places[k]]));
  }
}

TEST_CASE("a model without probabilities names no token, and warns") {
  const Folder folder;
  write_broken(folder, "lm_head.weight", 3e38);
  const Report report = run(model_experiment(), arguments_of(model_experiment(), folder));
  REQUIRE(report.warnings.size() == 1);
  CHECK(contains(report.warnings.front().en(), "the first infinity is in the logits"));
  for (const Figure& figure : report.figures) CHECK(figure.name != "next");
  for (const Scalar& scalar : report.scalars) {
    if (contains(scalar.name, "answer")) CHECK(std::isnan(scalar.value));
  }
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph != nullptr) CHECK(!contains(paragraph->text.en(), "ikeliest"));
  }
}

TEST_CASE("nothing is generated, ablated or taken to a room where the numbers broke down") {
  const Folder folder;
  write_broken(folder, "model.layers.0.self_attn.q_proj.weight", 3.4e38);
  for (const char* flag : {"generate", "ablate"}) {
    Arguments arguments = arguments_of(model_experiment(), folder);
    arguments.set(flag, std::string(flag) == "generate" ? "2" : "on");
    CHECK_THROWS_WITH_AS(run(model_experiment(), arguments), doctest::Contains("in layer 0, in "), Error);
  }
  CHECK_THROWS_WITH_AS(run(generation_experiment(), arguments_of(generation_experiment(), folder)),
                       doctest::Contains("after 5 tokens the logits are NaN"), Error);
  Arguments arguments = arguments_of(model_experiment(), folder);
  arguments.sources.files = open_model_files(arguments);
  for (const auto& capacity : {heads_over_model, self_attention_over_model, decoder_over_model})
    CHECK_THROWS_WITH_AS(capacity(arguments, quiet_context()), doctest::Contains("break down"), Error);
}

TEST_CASE("NaN shows in the map of a long text, and in its head's entropy") {
  Architecture architecture;
  architecture.layers = architecture.heads = 1;
  const std::vector<std::size_t> tokens(300, 0);
  LongMapsFiller filler(architecture, tokens, 0);
  std::vector<float> row(300, 0.0F);
  row[0] = 1.0F;
  filler.add(0, 0, 0, row.data());
  row[1] = std::nanf("");
  filler.add(0, 0, 299, row.data());
  const LongMaps maps = filler.filled();
  CHECK(maps.maps[0](0, 0, 0) == 1.0F);
  CHECK(std::isnan(maps.maps[0](0, maps.side - 1, 0)));
  CHECK(std::isnan(maps.roles[0][0].entropy));
  CHECK(maps.faults.of_sum == 0.0);
}
