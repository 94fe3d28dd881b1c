// Boxes of the stream stand a step apart, those at the side half a step above what they read.
#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {

StackDiagram::StackDiagram(Diagram& diagram, std::string id, const StackPlace& place, NormPlacement norm)
    : diagram_(diagram), id_(std::move(id)), place_(place), norm_(norm) {}

std::size_t StackDiagram::add_node(Text words, double x, double row) {
  const std::size_t node = diagram_.nodes.size();
  diagram_.nodes.push_back(
      {fmt::format("{}[{}]", id_, node), std::move(words), x, place_.bottom - place_.step * row});
  return node;
}

std::size_t StackDiagram::add(Text words) {
  const std::size_t box = add_node(std::move(words), place_.stream, row_);
  if (last_) diagram_.edges.push_back({*last_, box, plain_arrow});
  last_ = box;
  row_ += 1.0;
  return box;
}

std::size_t StackDiagram::add_plus() {
  const std::size_t box = add({"＋", "+"});
  diagram_.nodes[box].framed = false;
  return box;
}

/// Half a step above the stream's last box.
std::size_t StackDiagram::add_at_side(Text words) {
  return add_node(std::move(words), place_.side, row_ - 0.5);
}

/// Between the side and the stream, nearer to the narrow boxes of the stream.
void StackDiagram::add_elbow(std::size_t from, std::size_t to) {
  diagram_.edges.push_back(
      {from, to, plain_arrow, Text::none(), Detour{Detour::Direction::vertical, place_.elbow}});
}

std::size_t StackDiagram::add_constant(Text words) {
  const std::size_t side = add_at_side(std::move(words));
  add_elbow(side, add_plus());
  return side;
}

std::size_t StackDiagram::add_sublayer(const Text& words) {
  const bool is_post = norm_ == NormPlacement::post;
  const std::size_t below = *last_;
  const std::size_t side = add_at_side(is_post ? words : text("LN → {0}", "LN → {0}", words));
  add_elbow(below, side);
  add_elbow(side, is_post ? add(Text::same("+ LN")) : add_plus());
  return side;
}

std::size_t StackDiagram::close_layers(std::size_t first, Text words) {
  Enclosure layer{id_ + ".layer", {}};
  for (std::size_t node = first; node < diagram_.nodes.size(); ++node) layer.nodes.push_back(node);
  diagram_.enclosures.push_back(std::move(layer));
  add_remark(std::move(words));
  return norm_ == NormPlacement::post ? *last_ : add(Text::same("LN"));
}

void StackDiagram::add_remark(Text words) {
  diagram_.nodes[add_node(std::move(words), place_.side, row_ - 1.0)].framed = false;
}

double steps_of_stack(std::size_t sublayers, NormPlacement norm) {
  return 1.0 + static_cast<double>(sublayers) + (norm == NormPlacement::post ? 0.0 : 1.0);
}

}  // namespace attnlab
