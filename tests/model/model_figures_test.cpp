// The figures of models of every shape, in both languages and themes: nothing overlaps, nothing is cut.
#include <doctest/doctest.h>

#include "core/named.hpp"
#include "experiments/framework/caption_checks.hpp"
#include "model/attribution.hpp"
#include "model/card/card.hpp"
#include "model/model_experiment.hpp"
#include "model/reference_model.hpp"
#include "plotting/layout/label_checks.hpp"
#include "plotting/layout/layout.hpp"

using namespace attnlab;

namespace {

void check_pages(const std::vector<Figure>& figures) {
  for (const Figure& figure : figures) {
    for (const Language language : {Language::ja, Language::en}) {
      for (const Theme theme : {Theme::light, Theme::dark}) {
        INFO(figure.name);
        const Layout layout = lay_out(figure, {language, theme, figure.page});
        check_labels(layout.list);
        CHECK(wrong_words(figure, layout.list) == "");
      }
    }
  }
}

void check_figures(const std::vector<std::pair<std::string, std::string>>& values, std::size_t figures) {
  Arguments arguments(model_experiment().parameters);
  for (const auto& [name, value] : values) arguments.set(name, value);
  const Report report = run(model_experiment(), arguments);
  CHECK(report.figures.size() == figures);
  check_pages(report.figures);
}

/// GPT-2 without weights that do anything.
void write_blank_model(const Folder& folder, std::size_t layers, std::size_t heads) {
  const std::size_t width = 2 * heads;
  Config tensors = Config::object();
  const auto add = [&](const std::string& name, const std::vector<std::size_t>& shape) {
    std::size_t size = 1;
    for (const std::size_t length : shape) size *= length;
    tensors[name] = {{"shape", shape}, {"values", std::vector<double>(size, 0.125)}};
  };
  const auto add_linear = [&](const std::string& name, std::size_t in, std::size_t out) {
    add(name + ".weight", {in, out});
    add(name + ".bias", {out});
  };
  add("wte.weight", {9, width});
  add("wpe.weight", {9, width});
  for (std::size_t layer = 0; layer <= layers; ++layer) {
    const std::string name = layer == layers ? "ln_f" : fmt::format("h.{}.ln_1", layer);
    for (const char* part : {".weight", ".bias"}) add(name + part, {width});
    if (layer == layers) break;
    for (const char* part : {"weight", "bias"}) add(fmt::format("h.{}.ln_2.{}", layer, part), {width});
    add_linear(fmt::format("h.{}.attn.c_attn", layer), width, 3 * width);
    add_linear(fmt::format("h.{}.attn.c_proj", layer), width, width);
    add_linear(fmt::format("h.{}.mlp.c_fc", layer), width, 4 * width);
    add_linear(fmt::format("h.{}.mlp.c_proj", layer), 4 * width, width);
  }
  const Config config{{"model_type", "gpt2"}, {"n_embd", width}, {"n_layer", layers},
                      {"n_head", heads},      {"vocab_size", 9}, {"n_positions", 9}};
  write_model({{"config", config}, {"tensors", tensors}}, folder);
}

}  // namespace

TEST_CASE("a page of heads holds 16 columns at most, and its title says which of them") {
  for (const auto& [layers, heads, panels, title] :
       {std::tuple{3, 4, 12, "The weights of 3 layers × 4 heads"},
        std::tuple{13, 12, 84, "The weights of one layer in 2"},
        std::tuple{4, 20, 40, "The weights of 4 layers, one head in 2"},
        std::tuple{32, 32, 128, "The weights of one layer in 4, one head in 2"}}) {
    const Folder folder;
    write_blank_model(folder, static_cast<std::size_t>(layers), static_cast<std::size_t>(heads));
    Arguments arguments(model_experiment().parameters);
    arguments.set("model", folder.path().string());
    arguments.set("tokens", "1,2");
    const Report report = run(model_experiment(), arguments);
    const Figure& figure = *find_named(report.figures, "heads");
    CHECK(figure.panels.size() == static_cast<std::size_t>(panels));
    CHECK(figure.title.en() == title);
    CHECK_NOTHROW(lay_out(figure, {Language::ja, Theme::light, figure.page}));
  }
}

TEST_CASE("the figures of a model that writes on lie on their pages") {
  check_figures({{"model", "text"},
                 {"text", "Alice was beginning to get"},
                 {"generate", "12"},
                 {"ablate", "on"},
                 {"without", "L0H1"},
                 {"corrupt", "Alice was beginning to set"},
                 {"token", "e"},
                 {"against", "x"}},
                13);
}

TEST_CASE("so do those of one token, of a model without words and of every family") {
  check_figures({{"model", "text"}, {"text", "A"}}, 10);
  check_figures({{"model", "topic"}, {"text", "吾輩は猫である"}}, 6);
  for (const std::string& name : reference_families()) {
    INFO(name);
    const Folder folder;
    write_model(reference_of(name), folder);
    const bool has_attribution = is_attributable(model_of(open_checkpoint(folder.path().string())));
    check_figures({{"model", folder.path().string()}, {"tokens", "3,7,1,3,7,12,0"}},
                  has_attribution ? 10 : 8);
  }
}

TEST_CASE("so does the architecture of every family, of one that is not known and of one layer") {
  std::vector<Config> configs{
      Config::parse(R"({"model_type": "unheard_of", "hidden_size": 1024, "num_hidden_layers": 24,
                        "num_attention_heads": 16, "num_key_value_heads": 1})"),
      Config::parse(R"({"model_type": "gpt2", "n_embd": 8, "n_layer": 1, "n_head": 1, "vocab_size": 9,
                        "n_positions": 9})")};
  for (const char* name :
       {"gpt2", "llama", "mistral", "qwen2", "qwen3", "gpt_neox", "bert", "roberta", "distilbert"})
    configs.push_back(reference_of(name)["config"]);
  for (const Config& config : configs) {
    CAPTURE(config.dump());
    Checkpoint checkpoint;
    checkpoint.place = "config.json";
    checkpoint.config = config;
    const Figure figure = architecture_figure(card_of(checkpoint));
    CHECK(figure.name == "architecture");
    CHECK(figure.panels.size() == 2);
    check_pages({figure});
  }
}

TEST_CASE("so do those of models whose numbers break down") {
  const std::string layer = "model.layers.0.self_attn.";
  for (const std::string& tensor :
       {layer + "q_proj.weight", layer + "o_proj.weight", std::string("lm_head.weight")}) {
    INFO(tensor);
    Config reference = reference_of("llama");
    for (auto& number : reference["tensors"][tensor]["values"]) number = 3.4e38;
    const Folder folder;
    write_model(reference, folder);
    check_figures({{"model", folder.path().string()}, {"tokens", "3,7,1,3,7,12,0"}},
                  tensor == layer + "q_proj.weight" ? 6 : 7);
  }
}
