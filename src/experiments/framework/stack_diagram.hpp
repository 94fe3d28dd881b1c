// A stack of Transformer layers as a diagram: the stream of tokens runs upwards, and at its side stands what
// is added to it.
#pragma once

#include "attention/transformer_layer.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Fractions of the panel: where the stream and the boxes at its side stand, the height of the lowest box,
/// and the distance between two boxes of the stream.
struct StackPlace {
  double stream = 0.5;
  double elbow = 0.4;  // where arrows between them rise
  double side = 0.2;
  double bottom = 0.95;
  double step = 0.15;
};

/// Adds boxes and arrows to a diagram, from below. Functions return the index of the box they add.
class StackDiagram {
 public:
  /// The diagram must outlive this.
  StackDiagram(Diagram& diagram, std::string id, const StackPlace& place, NormPlacement norm);

  /// A box of the stream, with an arrow from the one below.
  std::size_t add(Text words);
  /// Something at the side that is added to the stream without reading it.
  std::size_t add_constant(Text words);
  /// A sub-layer, which reads the stream and is added to it; with layer norm before it or after the sum.
  std::size_t add_sublayer(const Text& words);
  /// After the sub-layers from `first` on: an outline around them with a few words, and the last layer norm
  /// of pre-norm. Returns the box at the end of the stream.
  std::size_t close_layers(std::size_t first, Text words);
  /// Bare words at the side, level with the stream's last box.
  void add_remark(Text words);

 private:
  std::size_t add_node(Text words, double x, double row);
  std::size_t add_at_side(Text words);
  std::size_t add_plus();
  void add_elbow(std::size_t from, std::size_t to);

  Diagram& diagram_;
  std::string id_;
  StackPlace place_;
  NormPlacement norm_;
  double row_ = 0.0;                 // of the stream's next box
  std::optional<std::size_t> last_;  // the stream's last box
};

/// How many steps a stack of so many sub-layers is high, from the embedding to the end of its layers.
double steps_of_stack(std::size_t sublayers, NormPlacement norm);

/// The width of arrows that tell no weight.
constexpr double plain_arrow = 0.12;

}  // namespace attnlab
