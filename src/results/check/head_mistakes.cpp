// Heads: split from one another, joined again, or shared in another way.
#include "results/check/check.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;
using Shape = std::vector<std::size_t>;

/// The axes from `shape`'s end: heads, length, width.
struct HeadAxes {
  std::size_t heads = 0;
  std::size_t length = 0;
  std::size_t width = 0;

  explicit HeadAxes(const Shape& shape) {
    const std::size_t rank = shape.size();
    if (rank < 3) throw ShapeMismatch("no heads");
    heads = shape[rank - 3];
    length = shape[rank - 2];
    width = shape[rank - 1];
  }
};

/// Head h from head `source(h)`, where there are several.
template <class Source>
Array with_heads_from(const Array& array, Source source) {
  const HeadAxes as(array.shape);
  if (as.heads < 2) throw ShapeMismatch("one head");
  const std::size_t cells = as.length * as.width;
  Array result = array;
  for (std::size_t i = 0; cells > 0 && i < array.data.size(); ++i) {
    const std::size_t head = i / cells % as.heads;
    result.data[i] = array.data[i - head * cells + source(head) * cells];
  }
  return result;
}

/// Side by side, as they were before they were split.
Array joined_heads(const Array& heads) { return computed(derived::join_heads("heads"), {&heads}); }

/// Every row's columns, read as a matrix of so many rows and then down its columns.
Array turned_rows(const Array& array, std::size_t rows) {
  const std::size_t columns = array.shape.back();
  const Array cut = reshaped(array, {array.data.size() / columns, rows, columns / rows});
  return reshaped(transposed(cut), array.shape);
}

/// Head h of H takes the columns h, h + H, h + 2H, ... instead of neighbours.
Array interleaved(const Array& heads) {
  const HeadAxes as(heads.shape);
  const Array turned = turned_rows(joined_heads(heads), as.width);
  return computed(derived::split_heads("turned", as.heads), {&turned});
}

Array joined_interleaved(const Array& heads) {
  return turned_rows(joined_heads(heads), HeadAxes(heads.shape).heads);
}

/// Whether one matrix for all heads, or the heads' own matrices at once, gave the stage (..., heads, length,
/// width).
bool splits_heads(const Site& site) {
  const std::size_t rank = site.stage().array.shape.size();
  return operation_of(site.stage()) == Operation::split_heads ||
         (rank >= 3 && site.operand(0).array.shape.size() + 1 == rank);
}

UsualMistake other_split(const char* id, Array (*wrong)(const Array& right)) {
  return {id,
          {Operation::split_heads, Operation::product},
          [wrong](const Site& site, const Operands& of) {
            return wrong(made_again(site.stage().derivation, of));
          },
          splits_heads};
}

/// Every order of up to four heads; of more, the reverse.
std::vector<Way> with_other_orders(const Site& site) {
  std::vector<std::size_t> order(HeadAxes(site.operand(0).array.shape).heads);
  std::iota(order.begin(), order.end(), 0);
  std::vector<Way> ways;
  const auto add = [&] {
    ways.push_back({[order](const Operands& of) {
                      return joined_heads(
                          with_heads_from(*of[0], [&](std::size_t head) { return order[head]; }));
                    },
                    joined(order, ", ")});
  };
  if (order.size() > 4) {
    std::reverse(order.begin(), order.end());
    add();
  } else {
    while (std::next_permutation(order.begin(), order.end())) add();
  }
  return ways;
}

/// Whether a head on the right serves several on the left.
bool shares_heads(const Site& site) {
  const Shape& left = site.operand(0).array.shape;
  const Shape& right = site.operand(1).array.shape;
  if (left.size() < 3 || right.size() < 3) return false;
  const std::size_t heads = HeadAxes(left).heads;
  const std::size_t shared = HeadAxes(right).heads;
  return shared > 1 && heads > shared && heads % shared == 0;
}

/// Head h of the left takes head h modulo their number instead of h divided by the size of the group.
Array with_tiled_heads(const Site& site, const Operands& of) {
  const std::size_t heads = HeadAxes(of[0]->shape).heads;
  const std::size_t shared = HeadAxes(of[1]->shape).heads;
  const Array tiled = with_heads_from(repeated_for(*of[0], *of[1]),
                                      [&](std::size_t head) { return head % shared * (heads / shared); });
  return made_again(site.stage().derivation, {of[0], &tiled});
}

Array first_head_for_all(const Array& heads) {
  return with_heads_from(heads, [](std::size_t) { return std::size_t{0}; });
}

Array heads_reversed(const Array& heads) {
  const std::size_t last = HeadAxes(heads.shape).heads - 1;
  return with_heads_from(heads, [last](std::size_t head) { return last - head; });
}

/// The mean of the heads, or their sum, as often as there are heads: block after block, or column by column.
std::vector<Way> without_concatenation(const Site&) {
  std::vector<Way> ways;
  for (const bool by_column : {false, true}) {
    for (const bool is_mean : {true, false}) {
      ways.push_back({[by_column, is_mean](const Operands& of) {
        const HeadAxes as(of[0]->shape);
        if (as.heads < 2) throw ShapeMismatch("one head");
        const std::size_t cells = as.length * as.width;
        Array together = *of[0];
        for (std::size_t i = 0; i < together.data.size(); ++i) {
          const std::size_t first = i / (cells * as.heads) * cells * as.heads + i % cells;
          double sum = 0.0;
          for (std::size_t head = 0; head < as.heads; ++head) sum += of[0]->data[first + head * cells];
          together.data[i] = is_mean ? sum / static_cast<double>(as.heads) : sum;
        }
        return by_column ? joined_interleaved(together) : joined_heads(together);
      }});
    }
  }
  return ways;
}

}  // namespace

Array reshaped(const Array& array, const Shape& shape) {
  Array result = array;
  result.shape = shape;
  return result;
}

Array repeated_for(const Array& left, const Array& right) {
  if (left.shape.size() < 3 || right.shape.size() < 3) return right;
  const HeadAxes as(right.shape);
  const std::size_t heads = HeadAxes(left.shape).heads;
  if (as.heads == 0 || heads % as.heads != 0 || heads == as.heads) return right;
  Shape shape = right.shape;
  shape[shape.size() - 3] = heads;
  const std::size_t cells = as.length * as.width;
  const std::size_t group = heads / as.heads;
  Array result{shape, right.axes, std::vector<double>(right.data.size() * group)};
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    result.data[i] = right.data[i / (cells * group) * cells + i % cells];
  }
  return result;
}

const std::vector<UsualMistake>& head_mistakes() {
  static const std::vector<UsualMistake> list{
      other_split("split-without-transpose",
                  [](const Array& right) { return reshaped(joined_heads(right), right.shape); }),
      other_split("split-interleaved", interleaved),
      other_split("every-head-the-first", first_head_for_all),
      other_split("heads-reversed", heads_reversed),
      {"heads-averaged", {Operation::join_heads}, without_concatenation},
      {"reshaped-without-transpose",
       {Operation::join_heads},
       [](const Site& site, const Operands& of) { return reshaped(*of[0], site.stage().array.shape); }},
      {"joined-interleaved", {Operation::join_heads}, joined_interleaved},
      {"heads-in-another-order", {Operation::join_heads}, with_other_orders},
      {"heads-tiled",
       {Operation::product, Operation::product_with_transpose},
       with_tiled_heads,
       shares_heads}};
  return list;
}

}  // namespace attnlab
