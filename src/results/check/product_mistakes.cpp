// Sums, products, scales and functions of single values: an operand left out, taken for another, or turned
// round.
#include "results/check/check.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;
using Shape = std::vector<std::size_t>;

constexpr std::array<std::size_t, 2> both_operands{0, 1};

/// Whether `whole` holds the columns of `joined` cut into heads, in front of whose length they stand.
bool is_split(const Shape& whole, const Shape& joined) {
  const std::size_t rank = whole.size();
  return rank >= 3 && rank == joined.size() + 1 && joined.back() == whole[rank - 3] * whole[rank - 1];
}

/// As one matrix whose columns are cut into as many heads as `like` has.
Array split_like(const Array& joined, const Shape& like) {
  return computed(derived::split_heads("joined", like[like.size() - 3]), {&joined});
}

/// One operand alone, as where W_O or a bias is forgotten; `value` names the other.
std::vector<Way> with_one_alone(const Site& site) {
  std::vector<Way> ways;
  const Shape& shape = site.stage().array.shape;
  for (const std::size_t kept : both_operands) {
    const Shape& alone = site.operand(kept).array.shape;
    if (alone == shape) {
      ways.push_back({[kept](const Operands& of) { return *of[kept]; }, site.name(1 - kept)});
    } else if (is_split(shape, alone)) {
      ways.push_back(
          {[kept, shape](const Operands& of) { return split_like(*of[kept], shape); }, site.name(1 - kept)});
    }
  }
  return ways;
}

bool adds_no_mask(const Site& site) {
  return !is_mask(site.operand(0).array) && !is_mask(site.operand(1).array);
}

Array product_as(const Site& site, const Array& left, const Array& right) {
  return operation_of(site.stage()) == Operation::product ? times(left, right)
                                                          : times_transposed(left, right);
}

/// Another array in a factor's place, as in A K for A V. Not one that the factor was made of: there a step is
/// missing, which is another mistake.
std::vector<Way> with_wrong_operand(const Site& site) {
  std::vector<Way> ways;
  for (const std::size_t factor : both_operands) {
    const std::string& right = site.name(factor);
    const std::vector<bool> makes_it = made_of(*site.trace, index_of(*site.trace, right));
    for (std::size_t other = 0; other < site.index; ++other) {
      const Stage& wrong = (*site.trace)[other];
      if (makes_it[other] || wrong.array.shape != site.operand(factor).array.shape) continue;
      ways.push_back({[site, factor, &wrong](const Operands& of) {
                        return factor == 0 ? product_as(site, wrong.array, *of[1])
                                           : product_as(site, *of[0], wrong.array);
                      },
                      wrong.name, right});
    }
  }
  return ways;
}

// --- A matrix of weights, or one for each head that are columns of one

bool is_by_weight(const Site& site) { return site.name(1).find("w_") != std::string::npos; }

Array with_right_transposed(const Array& left, const Array& right) {
  if (right.shape.size() <= left.shape.size()) return times_transposed(left, right);
  const Array matrix = transposed(computed(derived::join_heads("weights"), {&right}));
  const Array heads = split_like(matrix, right.shape);
  return times(left, heads);
}

// --- A value that was turned by the keys' angles, too

std::vector<Way> with_turned_values(const Site& site) {
  std::vector<Way> ways;
  const Array& value = site.operand(1).array;
  for (std::size_t i = 0; i < site.index; ++i) {
    const Stage& turned = (*site.trace)[i];
    const Derivation& how = turned.derivation;
    if (how.operation != Operation::rotary_pairs && how.operation != Operation::rotary_halves) continue;
    const Array& angles = (*site.trace)[index_of(*site.trace, how.operands[1])].array;
    if (value.shape.size() < 2 || angles.shape[0] != value.shape[value.shape.size() - 2] ||
        2 * angles.shape[1] > value.shape.back()) {
      continue;
    }
    ways.push_back({[how, &angles](const Operands& of) {
                      const Array wrong = computed(how, {of[1], &angles});
                      return times(*of[0], wrong);
                    },
                    turned.name});
  }
  return ways;
}

// --- Scales

/// Multiplied by another factor than the stage's own.
Array scaled_by(double wrong, const Site& site, const Operands& of) {
  const double right = site.stage().derivation.number;
  if (!std::isfinite(wrong) || std::abs(wrong - right) <= 1e-9 * std::abs(right)) {
    throw ShapeMismatch("no other scale");
  }
  return by_values(*of[0], [wrong](double x) { return wrong * x; });
}

UsualMistake other_scale(const char* id, double (*wrong)(double right)) {
  return {id, {Operation::scaled}, [wrong](const Site& site, const Operands& of) {
            return scaled_by(wrong(site.stage().derivation.number), site, of);
          }};
}

Array unchanged(const Array& operand) { return operand; }

}  // namespace

const std::vector<UsualMistake>& product_mistakes() {
  using At = const Site&;
  using Of = const Operands&;
  using One = const Array&;
  static const UsualMistake::Operations product{Operation::product};
  static const UsualMistake::Operations with_transpose{Operation::product_with_transpose};
  static const UsualMistake::Operations products{Operation::product, Operation::product_with_transpose};
  static const std::vector<UsualMistake> list{
      {"operands-swapped", product, [](One left, One right) { return times(right, left); }},
      {"operand-transposed.weight", product, with_right_transposed, is_by_weight},
      {"operand-transposed.right", product, with_right_transposed,
       [](At site) { return !is_by_weight(site); }},
      {"operand-transposed.left", product,
       [](One left, One right) { return times(transposed(left), right); }},
      {"operands-swapped.roles", with_transpose,
       [](One left, One right) { return times_transposed(right, left); }},
      {"not-transposed", with_transpose, times},
      {"not-multiplied", products, with_one_alone},
      {"wrong-operand", products, with_wrong_operand},
      {"values-turned", product, with_turned_values},
      {"not-added",
       {Operation::sum},
       [](At site) { return adds_no_mask(site) ? with_one_alone(site) : std::vector<Way>{}; }},
      {"sign",
       {Operation::difference},
       [](One left, One right) {
         return computed(derived::difference("right", "left"), {&right, &left});
       }},
      other_scale("not-scaled", [](double) { return 1.0; }),
      other_scale("scaled-twice", [](double scale) { return scale * scale; }),
      other_scale("scale-inverted", [](double scale) { return 1.0 / scale; }),
      {"scale-of-wrong-width",
       {Operation::scaled},
       [](At site) {
         return for_each_root(site, [site](double root, Of of) { return scaled_by(1.0 / root, site, of); });
       }},
      {"no-exp", {Operation::power}, unchanged},
      {"powers-of-e",
       {Operation::power},
       [](One exponents) { return computed(derived::exponential("a"), {&exponents}); }},
      {"not-normalised", {Operation::row_share}, unchanged},
      {"no-tanh", {Operation::tanh}, unchanged},
      {"no-relu", {Operation::relu}, unchanged},
      {"entropy-in-bits", {Operation::row_entropy}, [](At site, Of of) {
         return by_values(computed(site.stage().derivation, of),
                          [](double nats) { return nats / std::log(2.0); });
       }}};
  return list;
}

}  // namespace attnlab
