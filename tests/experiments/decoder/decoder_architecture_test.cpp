// The diagram of GPT: PyTorch's shapes in its boxes, and as many weights as PyTorch's model has.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {
namespace {

bool says(const Diagram& diagram, const std::string& words) {
  return std::any_of(diagram.nodes.begin(), diagram.nodes.end(), [&](const Node& node) {
    return (node.note.en().empty() ? node.text.en() : node.text.en() + " " + node.note.en()) == words;
  });
}

std::string gpt_box(const std::string& name, const nlohmann::json& shape) {
  return name + " (" + std::to_string(shape[0].get<int>()) + ", " + std::to_string(shape[1].get<int>()) + ")";
}

}  // namespace

TEST_CASE("the boxes of GPT hold the shapes and numbers of weights of PyTorch's model") {
  const nlohmann::json gpt = reference("architecture/pytorch.txt").at("gpt");
  const nlohmann::json& shapes = gpt.at("shapes");
  const nlohmann::json& weights = gpt.at("weights");
  const Report report = run_with(decoder_experiment(), {});
  const Figure& picture = figure(report, "architecture");
  const auto& diagram = std::get<Diagram>(picture.panels.front().content);
  for (const std::string& words : {gpt_box("Embed + position", shapes.at("embedding")),
                                   gpt_box("LN → Causal attention", shapes.at("layers.1.self_attn")),
                                   gpt_box("LN → MLP", shapes.at("layers.1.linear1")),
                                   gpt_box("Linear, softmax", shapes.at("linear"))}) {
    INFO(words);
    CHECK(says(diagram, words));
  }
  const auto number = [&](const char* part) { return std::to_string(weights.at(part).get<int>()); };
  CHECK(says(diagram, number("embedding") + " weights"));
  CHECK(says(diagram, "2 × " + number("attention") + " weights"));
  CHECK(says(diagram, "2 × " + number("mlp") + " weights"));
  CHECK(says(diagram, number("linear") + " weights"));
  CHECK(scalar(report, "weights_in_all") == weights.at("all").get<double>());
  const double inside = 2.0 * (weights.at("attention").get<double>() + weights.at("mlp").get<double>());
  const int percent = static_cast<int>(100.0 * inside / weights.at("all").get<double>() + 0.5);
  CHECK(picture.title.en().find(std::to_string(percent) + "%") != std::string::npos);
}

TEST_CASE("GPT's boxes follow the flags, and no box reads an encoder") {
  const Report report = run_with(
      decoder_experiment(),
      {{"vocabulary", "a,b,c"}, {"prompt", "c,a,a,b"}, {"layers", "3"}, {"width", "6"}, {"heads", "2"}});
  const auto& diagram = std::get<Diagram>(figure(report, "architecture").panels.front().content);
  for (const char* words : {"LN → Causal attention (4, 4)", "LN → MLP (4, 24)", "Linear, softmax (4, 3)",
                            "3 × 144 weights", "3 × 288 weights", "×3, 2 heads"}) {
    INFO(words);
    CHECK(says(diagram, words));
  }
  CHECK(std::none_of(diagram.nodes.begin(), diagram.nodes.end(),
                     [](const Node& node) { return node.text.en().find("Cross") != std::string::npos; }));
}

}  // namespace attnlab
