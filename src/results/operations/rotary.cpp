// Pairs of coordinates turned by angles: neighbours (2i, 2i + 1), or (i, i + pairs) of both halves.
#include "results/operations/operation.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::row;
using formula::sym;

using Shape = std::vector<std::size_t>;

/// What a rotary operation does to one value: turned with its partner by an angle, all of them flat places.
struct Rotation {
  bool is_first = true;  // of its pair: x cos - partner sin; the second is x cos + partner sin
  std::size_t partner = 0;
  std::size_t angle = 0;  // in angles (length, pairs)
};

/// Of the value at `flat` in an array of `shape` (..., length, width); nothing where it is not turned.
std::optional<Rotation> rotation_of(const Shape& shape, const Shape& angles, bool halves, std::size_t flat) {
  const std::size_t pairs = angles.back();
  const std::size_t column = flat % shape.back();
  if (column >= 2 * pairs) return std::nullopt;
  const std::size_t pair = halves ? column % pairs : column / 2;
  const bool is_first = halves ? column < pairs : column % 2 == 0;
  const std::size_t distance = halves ? pairs : 1;
  const std::size_t position = flat / shape.back() % angles.front();
  return Rotation{is_first, is_first ? flat + distance : flat - distance, position * pairs + pair};
}

/// What sines and cosines are multiplied with: a derivation without a number has none.
double factor_of(double number) { return number == 0.0 ? 1.0 : number; }

Array turned(const Array& operand, const Array& angles, bool halves, double factor) {
  const std::size_t rank = operand.shape.size();
  if (rank < 2 || angles.shape.size() != 2 || operand.shape[rank - 2] != angles.shape[0] ||
      operand.shape.back() < 2 * angles.shape[1]) {
    refuse_shapes("rotary", operand.shape, angles.shape);
  }
  Array result{operand.shape, operand.axes, operand.data};
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    if (const std::optional<Rotation> at = rotation_of(operand.shape, angles.shape, halves, i)) {
      const double angle = angles.data[at->angle];
      const double other = operand.data[at->partner] * std::sin(angle);
      const double own = operand.data[i] * std::cos(angle);
      result.data[i] = factor * (own + (at->is_first ? -other : other));
    }
  }
  return result;
}

/// x cos θ ∓ partner sin θ, and what is beyond the pairs as it is.
ExplanationLines explained_rotation(const Scene& scene) {
  const bool halves = scene.stage.derivation.operation == Operation::rotary_halves;
  const Array& x = scene.array(0);
  const Array& angles = scene.array(1);
  const double factor = factor_of(scene.stage.derivation.number);
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const std::size_t flat = flat_of(x, scene.row, column);
    const auto named = [&](std::size_t operand, std::size_t place) {
      return element_name(scene.name(operand), index_at(place, scene.array(operand).shape));
    };
    const std::optional<Rotation> at = rotation_of(x.shape, angles.shape, halves, flat);
    if (!at) return {{{"=", named(0, flat)}}, true};
    const char* sign = at->is_first ? "−" : "+";
    const auto turned = [&](const Formula& own, const Formula& partner, const Formula& angle) {
      Formula sum =
          row({own, sym("·"), call("cos", angle), sym(sign), partner, sym("·"), call("sin", angle)});
      if (factor == 1.0) return sum;
      return row({written(factor).formula, sym("· ("), sum, sym(")")});
    };
    return {{{"=", turned(named(0, flat), named(0, at->partner), named(1, at->angle))},
             {relation(false), turned(written_in_brackets(x.data[flat]).formula,
                                      written_in_brackets(x.data[at->partner]).formula,
                                      written(angles.data[at->angle]).formula)}}};
  });
}

Array computed_rotary_pairs(const Operands& of) { return turned(of.a, of.b, false, factor_of(of.number)); }

Array computed_rotary_halves(const Operands& of) { return turned(of.a, of.b, true, factor_of(of.number)); }

std::string rotation_in_numpy(const Stage& stage, const std::vector<Stage>& /*trace*/) {
  const Derivation& how = stage.derivation;
  const char* function = how.operation == Operation::rotary_halves ? "rotary_halves" : "rotary_pairs";
  const double factor = factor_of(how.number);
  return fmt::format("{}({}, {}{})", function, how.operands[0], how.operands[1],
                     factor == 1.0 ? "" : ", " + python_repr(factor));
}

}  // namespace

const OperationKind rotary_pairs_kind(
    Operation::rotary_pairs, 2, computed_rotary_pairs, explained_rotation, "",
    "{0} の隣り合う 2 つの座標の組を、{1} の角度だけ回す",
    "every pair of neighbouring coordinates of {0} turned by the angles {1}", "", rotation_in_numpy);
const OperationKind rotary_halves_kind(
    Operation::rotary_halves, 2, computed_rotary_halves, explained_rotation, "",
    "{0} の前半と後半の同じ番号の座標の組を、{1} の角度だけ回す",
    "the pairs of coordinates i of both halves of {0} turned by the angles {1}", "", rotation_in_numpy);

}  // namespace attnlab
