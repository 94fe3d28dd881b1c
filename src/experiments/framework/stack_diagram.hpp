// A stack of Transformer layers as a diagram, on one axis: the stream of tokens runs upwards through its
// sub-layers, and around each of them at the side, to be added to what it gives.
#pragma once

#include "attention/transformer_layer.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Fractions of the panel: where the axis stands, where what goes around a sub-layer rises, the height of the
/// lowest box, and the distance between two boxes.
struct StackPlace {
  double axis = 0.5;
  double around = 0.2;
  double bottom = 0.95;
  double step = 0.15;
};

/// What a sub-layer reads from the stream: everything in one (MLP); queries, keys and values; queries alone,
/// where keys and values come from elsewhere.
enum class Reads { stream, queries_keys_values, queries };

/// Adds boxes and arrows to a diagram, from below. Functions return the index of the box they add.
class StackDiagram {
 public:
  /// The diagram must outlive this.
  StackDiagram(Diagram& diagram, std::string id, const StackPlace& place, NormPlacement norm);

  /// A box of the stream, with an arrow from the one below.
  std::size_t add(Text words, Text shape, const Ink& ink = muted_ink);
  /// A sub-layer, and the sum of what it gives and what went around it; layer norm before it or after the
  /// sum.
  std::size_t add_sublayer(const Text& words, Text shape, Reads reads);
  /// After the sub-layers from `first` on: an outline around them, and the last layer norm of pre-norm.
  /// Returns the box at the end of the stream.
  std::size_t close_layers(std::size_t first);
  /// Bare words at the side of a box, or so many steps above its middle.
  void add_beside(std::size_t box, Text words, double x, double above = 0.0);

 private:
  std::size_t add_node(Text words, Text shape, const Ink& ink);
  void add_reading(std::size_t from, std::size_t to, Reads reads);

  Diagram& diagram_;
  std::string id_;
  StackPlace place_;
  NormPlacement norm_;
  double row_ = 0.0;                 // of the next box
  std::optional<std::size_t> last_;  // the stream's last box
};

/// Of so many boxes side by side those that are drawn: up to four; of more the first two, a gap, the last.
std::vector<std::optional<std::size_t>> drawn_boxes(std::size_t boxes);

/// --lit, of an architecture with so many coloured boxes.
Parameter lit_parameter(std::size_t boxes);

/// The first coloured boxes, from the input on, keep their colours and arrows; what comes after them is grey.
/// 0: all keep theirs.
Diagram lit(Diagram diagram, std::size_t boxes);

/// How many steps a stack of so many sub-layers is high, from the embedding to the end of its layers.
double steps_of_stack(std::size_t sublayers, NormPlacement norm);

/// The width of arrows that tell no weight.
constexpr double plain_arrow = 0.12;

}  // namespace attnlab
