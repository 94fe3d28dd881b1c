// The diagram of the whole Transformer: PyTorch's shapes in its boxes, and one way from encoder to decoder.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {
namespace {

Diagram transformer(const Flags& flags) {
  const Report report = run_with(encoder_experiment(), flags);
  return std::get<Diagram>(figure(report, "architecture").panels.front().content);
}

/// "Attention (6, 6)".
std::string words_in(const Node& node) {
  return node.note.en().empty() ? node.text.en() : node.text.en() + " " + node.note.en();
}

/// How many boxes say so, in English.
std::size_t boxes(const Diagram& diagram, const std::string& words) {
  return static_cast<std::size_t>(
      std::count_if(diagram.nodes.begin(), diagram.nodes.end(),
                    [&](const Node& node) { return node.framed && words_in(node) == words; }));
}

/// "Attention (6, 6)"; m stands for so many words.
std::string box_words(const std::string& name, const nlohmann::json& shape, std::size_t m) {
  const auto size = [m](std::size_t number) { return number == m ? "m" : std::to_string(number); };
  return name + " (" + size(shape[0]) + ", " + size(shape[1]) + ")";
}

}  // namespace

TEST_CASE("the boxes of the whole Transformer hold the shapes that PyTorch's layers have") {
  const nlohmann::json shapes = reference("architecture/pytorch.txt").at("transformer").at("shapes");
  const Diagram diagram = transformer({});
  constexpr std::size_t so_far = 5;
  for (const auto& [box, module] : {std::pair{"Attention", "encoder.self_attn"},
                                    {"MLP", "encoder.linear1"},
                                    {"Embed + position", "encoder.linear2"},
                                    {"Causal attention", "decoder.self_attn"},
                                    {"Cross-attention", "decoder.multihead_attn"},
                                    {"MLP", "decoder.linear1"},
                                    {"Embed + position", "decoder.linear2"}}) {
    const std::string words = box_words(box, shapes.at(module), so_far);
    INFO(words);
    CHECK(boxes(diagram, words) == 1);
  }
}

TEST_CASE("the boxes follow the sizes of the run") {
  const Diagram diagram = transformer({{"tokens", "3"}, {"width", "8"}, {"heads", "2"}, {"hidden", "7"}});
  for (const char* words : {"Attention (3, 3)", "Cross-attention (m, 3)", "MLP (3, 7)", "MLP (m, 7)",
                            "Embed + position (3, 8)", "Embed + position (m, 8)"}) {
    INFO(words);
    CHECK(boxes(diagram, words) == 1);
  }
}

TEST_CASE("the only arrow between the stacks goes from the encoder's end into cross-attention") {
  for (const char* norm : {"post", "pre"}) {
    INFO(norm);
    const Diagram diagram = transformer({{"norm", norm}});
    const auto stack = [&](std::size_t node) { return diagram.nodes[node].id.substr(0, 7); };
    std::vector<Edge> between;
    for (const Edge& edge : diagram.edges) {
      if (stack(edge.from) != stack(edge.to)) between.push_back(edge);
    }
    REQUIRE(between.size() == 1);
    CHECK(diagram.nodes[between[0].from].text.en() == (std::string(norm) == "post" ? "+ LN" : "LN"));
    CHECK(words_in(diagram.nodes[between[0].to]).find("Cross-attention (m, 6)") != std::string::npos);
    // after it nothing of the encoder follows
    CHECK(std::none_of(diagram.edges.begin(), diagram.edges.end(), [&](const Edge& edge) {
      return edge.from == between[0].from && stack(edge.to) == "encoder";
    }));
  }
}

TEST_CASE("post-norm has a norm after each of five sums, pre-norm one before each and two at the ends") {
  const Diagram post = transformer({});
  CHECK(boxes(post, "+ LN") == 5);
  CHECK(boxes(post, "LN") == 0);
  const Diagram pre = transformer({{"norm", "pre"}});
  CHECK(boxes(pre, "+ LN") == 0);
  CHECK(boxes(pre, "LN") == 2);
  CHECK(std::count_if(pre.nodes.begin(), pre.nodes.end(),
                      [](const Node& node) { return node.text.en().rfind("LN → ", 0) == 0; }) == 5);
}

TEST_CASE("attention reads queries, keys and values of its own stream, cross-attention queries alone") {
  const Diagram diagram = transformer({});
  std::map<std::string, std::string> read;
  for (const Edge& edge : diagram.edges)
    if (!edge.label.en().empty()) read[words_in(diagram.nodes[edge.to])] += edge.label.en();
  CHECK(read == std::map<std::string, std::string>{{"Attention (6, 6)", "QKV"},
                                                   {"Causal attention (m, m)", "QKV"},
                                                   {"Cross-attention (m, 6)", "Q"}});
}

TEST_CASE("around every sub-layer an arrow leads from what it reads to the sum behind it") {
  for (const char* norm : {"post", "pre"}) {
    const Diagram diagram = transformer({{"norm", norm}});
    std::size_t residuals = 0;
    for (const Edge& edge : diagram.edges) {
      if (!edge.detour || diagram.nodes[edge.from].id[0] != diagram.nodes[edge.to].id[0]) continue;
      ++residuals;
      CHECK(edge.to == edge.from + 2);
      CHECK(diagram.nodes[edge.to].text.en().front() == '+');
    }
    CHECK(residuals == 5);
  }
}

TEST_CASE("--lit colours the boxes up to one of them, and no arrow into what is grey") {
  const auto is_coloured = [](const std::optional<Ink>& ink) {
    return ink && ink->role == Ink::Role::series;
  };
  for (const std::size_t boxes : {1U, 3U, 6U, 7U}) {
    const Diagram diagram = transformer({{"lit", std::to_string(boxes)}});
    std::vector<std::string> coloured;
    std::set<std::size_t> grey;
    const Diagram whole = transformer({});
    for (std::size_t i = 0; i < diagram.nodes.size(); ++i) {
      if (is_coloured(diagram.nodes[i].ink)) coloured.push_back(diagram.nodes[i].text.en());
      if (is_coloured(whole.nodes[i].ink) && !is_coloured(diagram.nodes[i].ink)) grey.insert(i);
    }
    CHECK(coloured.size() == boxes);
    CHECK(grey.size() == 7 - boxes);
    CHECK(coloured.back() == (boxes == 1 ? "Embed + position" : boxes == 6 ? "Cross-attention" : "MLP"));
    for (const Edge& edge : diagram.edges)
      if (grey.count(edge.to) != 0) CHECK(edge.ink->role == Ink::Role::muted);
  }
}

}  // namespace attnlab
