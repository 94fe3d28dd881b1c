// Every box stands a step above the one that it reads.
#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {

StackDiagram::StackDiagram(Diagram& diagram, std::string id, const StackPlace& place, NormPlacement norm)
    : diagram_(diagram), id_(std::move(id)), place_(place), norm_(norm) {}

std::size_t StackDiagram::add_node(Text words, Text shape, const Ink& ink) {
  const std::size_t node = diagram_.nodes.size();
  diagram_.nodes.push_back(
      {fmt::format("{}[{}]", id_, node), std::move(words), place_.axis, place_.bottom - place_.step * row_});
  diagram_.nodes.back().note = std::move(shape);
  diagram_.nodes.back().ink = ink;
  row_ += 1.0;
  return node;
}

std::size_t StackDiagram::add(Text words, Text shape, const Ink& ink) {
  const std::size_t box = add_node(std::move(words), std::move(shape), ink);
  if (last_) diagram_.edges.push_back({*last_, box, plain_arrow});
  last_ = box;
  return box;
}

void StackDiagram::add_reading(std::size_t from, std::size_t to, Reads reads) {
  constexpr double distance = 0.065;
  Edge edge{from, to, plain_arrow};
  if (reads == Reads::stream) return diagram_.edges.push_back(edge);
  const auto add = [&](const char* letter, const Ink& ink, double aside) {
    edge.label = Text::same(letter);
    edge.ink = ink;
    edge.aside = aside;
    diagram_.edges.push_back(edge);
  };
  if (reads == Reads::queries) return add("Q", query_ink, 0.0);
  add("Q", query_ink, -distance);
  add("K", key_ink, 0.0);
  add("V", value_ink, distance);
}

std::size_t StackDiagram::add_sublayer(const Text& words, Text shape, Reads reads) {
  const bool is_post = norm_ == NormPlacement::post;
  const std::size_t below = *last_;
  const std::size_t sublayer = add_node(is_post ? words : text("LN → {0}", "LN → {0}", words),
                                        std::move(shape), reads == Reads::stream ? mlp_ink : attention_ink);
  add_reading(below, sublayer, reads);
  last_ = sublayer;
  const std::size_t sum = add(Text::same(is_post ? "+ LN" : "+"), Text::none());
  Edge around{below, sum, plain_arrow};
  around.detour = Detour{Detour::Direction::vertical, place_.around};
  around.ink = muted_ink;
  diagram_.edges.push_back(std::move(around));
  return sublayer;
}

std::size_t StackDiagram::close_layers(std::size_t first) {
  Enclosure layer{id_ + ".layer", {}};
  for (std::size_t node = first; node < diagram_.nodes.size(); ++node) layer.nodes.push_back(node);
  diagram_.enclosures.push_back(std::move(layer));
  return norm_ == NormPlacement::post ? *last_ : add(Text::same("LN"), Text::none());
}

void StackDiagram::add_beside(std::size_t box, Text words, double x, double above) {
  const double y = diagram_.nodes[box].y - above * place_.step;
  diagram_.nodes.push_back(
      {fmt::format("{}.beside[{}]", id_, diagram_.nodes.size()), std::move(words), x, y});
  diagram_.nodes.back().framed = false;
}

std::vector<std::optional<std::size_t>> drawn_boxes(std::size_t boxes) {
  if (boxes > 4) return {0, 1, std::nullopt, boxes - 1};
  std::vector<std::optional<std::size_t>> drawn(boxes);
  std::iota(drawn.begin(), drawn.end(), std::size_t{0});
  return drawn;
}

Parameter lit_parameter(std::size_t boxes) {
  return parameter("lit", IntegerKind{{0, static_cast<long long>(boxes)}}, "0",
                   "図 architecture で色を付ける箱の数（入力から、0 はすべて）",
                   "how many boxes of the figure architecture are coloured, from the input on; 0: all");
}

Diagram lit(Diagram diagram, std::size_t boxes) {
  if (boxes == 0) return diagram;
  std::size_t first_grey = diagram.nodes.size();
  std::size_t coloured = 0;
  for (std::size_t i = 0; i < diagram.nodes.size(); ++i) {
    std::optional<Ink>& ink = diagram.nodes[i].ink;
    if (!ink || ink->role != Ink::Role::series || ++coloured <= boxes) continue;
    ink = muted_ink;
    first_grey = std::min(first_grey, i);
  }
  for (Edge& edge : diagram.edges)
    if (edge.to >= first_grey) edge.ink = muted_ink;
  return diagram;
}

double steps_of_stack(std::size_t sublayers, NormPlacement norm) {
  return 1.0 + 2.0 * static_cast<double>(sublayers) + (norm == NormPlacement::post ? 0.0 : 1.0);
}

}  // namespace attnlab
