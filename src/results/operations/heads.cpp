// Heads split and joined: (..., length, heads · width) to (..., heads, length, width), and back.
#include "results/operations/operation.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sym;

/// Heads that stand one after the other, and how the same numbers lie side by side.
struct Heads {
  std::size_t heads = 0;
  std::size_t length = 0;
  std::size_t width = 0;

  /// The place in (..., length, heads * width) of what stands at `flat` in (..., heads, length, width).
  std::size_t joined(std::size_t flat) const {
    const std::size_t column = flat % width;
    const std::size_t row = flat / width % length;
    const std::size_t head = flat / (width * length) % heads;
    const std::size_t batch = flat / (width * length * heads);
    return ((batch * length + row) * heads + head) * width + column;
  }
};

/// (..., length, heads * width) to (..., heads, length, width).
Array computed_split_heads(const Operands& of) {
  const Array& operand = of.a;
  const std::size_t rank = operand.shape.size();
  const auto heads = static_cast<std::size_t>(of.number);
  if (rank < 2 || heads == 0 || operand.shape.back() % heads != 0) {
    throw ShapeMismatch("split_heads does not make " + std::to_string(heads) + " heads of shape " +
                        shape_text(operand.shape));
  }
  const Heads as{heads, operand.shape[rank - 2], operand.shape[rank - 1] / heads};
  Array result;
  result.shape.assign(operand.shape.begin(), operand.shape.end() - 2);
  result.shape.insert(result.shape.end(), {as.heads, as.length, as.width});
  result.data.resize(operand.data.size());
  for (std::size_t i = 0; i < operand.data.size(); ++i) result.data[i] = operand.data[as.joined(i)];
  return result;
}

/// (..., heads, length, width) to (..., length, heads * width).
Array computed_join_heads(const Operands& of) {
  const Array& operand = of.a;
  const std::size_t rank = operand.shape.size();
  if (rank < 3) throw ShapeMismatch("join_heads needs three axes, got shape " + shape_text(operand.shape));
  const Heads as{operand.shape[rank - 3], operand.shape[rank - 2], operand.shape[rank - 1]};
  Array result;
  result.shape.assign(operand.shape.begin(), operand.shape.end() - 3);
  result.shape.insert(result.shape.end(), {as.length, as.heads * as.width});
  result.data.resize(operand.data.size());
  for (std::size_t i = 0; i < operand.data.size(); ++i) result.data[as.joined(i)] = operand.data[i];
  return result;
}

/// "projected_query[0, 2, 4:8]": the columns of one head.
Formula columns_of_head(const Scene& scene, std::size_t head) {
  const std::size_t width = width_of(scene.stage.array);
  std::vector<std::string> places = texts_of(row_index_of(scene.array(0), scene.row));
  places.push_back(fmt::format("{}:{}", head * width, (head + 1) * width));
  return element_name(scene.name(0), places);
}

ExplanationLines explained_splitting(const Scene& scene) {
  const Array& split = scene.stage.array;
  const std::size_t heads = split.shape[split.shape.size() - 3];
  ExplanationLines lines{Text{"行を同じ幅に切り、ヘッドに 1 つずつ渡します。",
                              "Every row is cut into pieces of equal width, one for each head."}};
  const Shown places = shown_entries(heads);
  for (std::size_t i = 0; i < places.places.size(); ++i) {
    if (places.dots_before(i)) lines.push_back(Chain{sym("⋯"), {}});
    Index index = row_index_of(split, scene.row);
    index[index.size() - 2] = places.places[i];
    lines.push_back(
        Chain{element_name(scene.stage.name, index), {{"=", columns_of_head(scene, places.places[i])}}});
  }
  return lines;
}

ExplanationLines explained_joining(const Scene& scene) {
  const Array& heads = scene.array(0);
  const std::size_t rank = heads.shape.size();
  const Shown places = shown_terms(heads.shape[rank - 3]);
  const Written names = joined(places, ",", [&](std::size_t head) {
    Index index(rank - 1, 0);
    index[rank - 3] = head;
    index[rank - 2] = scene.row;
    return Written{element_name(scene.name(0), index), true};
  });
  const Formula name = element_name(scene.stage.name, row_index_of(scene.stage.array, scene.row));
  return {Text{"各ヘッドの同じ行を横に並べます。", "The same row of every head, side by side."},
          Chain{name, {{"=", row({sym("["), names.formula, sym("]")})}}}};
}

}  // namespace

const OperationKind split_heads_kind(Operation::split_heads, 1, computed_split_heads, explained_splitting,
                                     "split_heads({0}, {3})", "{0} の列を {2} 等分し、ヘッドに 1 つずつ渡す",
                                     "the columns of {0} cut into {2} equal pieces, one for each head");
const OperationKind join_heads_kind(Operation::join_heads, 1, computed_join_heads, explained_joining,
                                    "join_heads({0})", "{0} の各ヘッドの同じ行を横に並べる",
                                    "the same row of every head of {0}, side by side");

}  // namespace attnlab
