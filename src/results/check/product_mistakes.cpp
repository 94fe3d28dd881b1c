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

// --- Scores of another kind

/// Of every query and key `score(q · k, q · q, k · k)`.
using Scoring = double (*)(double product, double of_query, double of_key);
Way other_scores(const Site& site, Scoring score, std::string name = {}) {
  return {
      [site, score](const Operands& of) {
        const auto squares_of = [](const Array& rows) {
          std::vector<double> squares;
          by_rows(rows, [&](const double* row, std::size_t width) {
            squares.push_back(std::inner_product(row, row + width, row, 0.0));
          });
          return squares;
        };
        Array scores = made_again(site.stage().derivation, of);
        const Array repeated = repeated_for(*of[0], *of[1]);
        const std::vector<double> query = squares_of(*of[0]);
        const std::vector<double> key = squares_of(repeated);
        const std::size_t keys = scores.shape.back();
        if (scores.shape.size() < 2 || repeated.shape.size() < 2 || query.size() * keys != scores.data.size())
          throw ShapeMismatch("no scores");
        const std::size_t queries = scores.shape[scores.shape.size() - 2];
        if (key.size() * queries != scores.data.size()) throw ShapeMismatch("no scores");
        for (std::size_t i = 0; i < scores.data.size(); ++i) {
          const std::size_t row = i / keys;
          scores.data[i] = score(scores.data[i], query[row], key[row / queries * keys + i % keys]);
        }
        return scores;
      },
      std::move(name)};
}

std::vector<Way> by_distance(const Site& site) {
  return {
      other_scores(
          site, [](double qk, double qq, double kk) { return 2.0 * qk - qq - kk; }, "-|q - k|²"),
      other_scores(
          site, [](double qk, double qq, double kk) { return qk - (qq + kk) / 2.0; }, "-|q - k|²/2"),
      other_scores(
          site, [](double qk, double qq, double kk) { return -std::sqrt(std::max(0.0, qq + kk - 2.0 * qk)); },
          "-|q - k|"),
      other_scores(
          site, [](double qk, double qq, double kk) { return std::sqrt(std::max(0.0, qq + kk - 2.0 * qk)); },
          "|q - k|")};
}

std::vector<Way> by_cosine(const Site& site) {
  return {other_scores(site, [](double qk, double qq, double kk) { return qk / std::sqrt(qq * kk); })};
}

// --- Activations

struct Activation {
  const char* name;
  double (*of)(double x);
};
constexpr std::array<Activation, 7> activations{
    {{"ReLU", [](double x) { return std::max(0.0, x); }},
     {"GELU", [](double x) { return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0))); }},
     {"GELU (tanh)",
      [](double x) { return 0.5 * x * (1.0 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }},
     {"SiLU", [](double x) { return x / (1.0 + std::exp(-x)); }},
     {"sigmoid", [](double x) { return 1.0 / (1.0 + std::exp(-x)); }},
     {"tanh", [](double x) { return std::tanh(x); }},
     {"leaky ReLU", [](double x) { return x > 0.0 ? x : 0.01 * x; }}}};

/// As Derivation::code names it; tanh and ReLU are operations of their own.
std::string activation_of(const Derivation& how) {
  if (how.operation == Operation::worked) return how.code;
  return how.operation == Operation::tanh ? "tanh" : "ReLU";
}

bool is_no_identity(const Site& site) { return site.stage().derivation.code != "identity"; }

std::vector<Way> with_other_activation(const Site& site) {
  std::vector<Way> ways;
  const std::string right = activation_of(site.stage().derivation);
  for (const Activation& other : activations) {
    if (right == other.name) continue;
    ways.push_back({[other](const Operands& of) { return by_values(*of[0], other.of); }, other.name, right});
  }
  return ways;
}

std::vector<Way> without_activation(const Site& site) {
  return {{[](const Operands& of) { return *of[0]; }, activation_of(site.stage().derivation)}};
}

/// Once more behind the product that follows it.
std::vector<Way> with_second_activation(const Site& site) {
  const Stage& left = site.operand(0);
  if (operation_of(left) != Operation::relu && operation_of(left) != Operation::tanh) return {};
  return {{[site, how = left.derivation](const Operands& of) {
             const Array right = made_again(site.stage().derivation, of);
             return made_again(how, {&right});
           },
           activation_of(left.derivation)}};
}

// --- Sums

Array sum_of(const Array& left, const Array& right) {
  return computed(derived::sum("left", "right"), {&left, &right});
}

/// Twice one of both, or the one with another stage: a residual of another place.
std::vector<Way> with_one_twice(const Site& site) {
  const auto with = [&](std::size_t twice) {
    return Way{[twice](const Operands& of) { return sum_of(sum_of(*of[0], *of[1]), *of[twice]); },
               site.name(twice)};
  };
  return {with(0), with(1)};
}

std::vector<Way> with_wrong_summand(const Site& site) {
  std::vector<Way> ways;
  for (const std::size_t summand : both_operands) {
    for (std::size_t other = 0; other < site.index; ++other) {
      const Stage& wrong = (*site.trace)[other];
      if (wrong.array.shape != site.stage().array.shape || is_mask(site.operand(1 - summand).array)) continue;
      if (wrong.name == site.name(0) || wrong.name == site.name(1)) continue;
      ways.push_back({[summand, &wrong](const Operands& of) { return sum_of(wrong.array, *of[1 - summand]); },
                      wrong.name, site.name(summand)});
    }
  }
  return ways;
}

/// √d times what positions are added to, as the first Transformer has it.
std::vector<Way> with_scaled_embedding(const Site& site) {
  std::vector<Way> ways;
  for (const std::size_t place : both_operands) {
    if (site.name(place).find("position") == std::string::npos) continue;
    const std::size_t width = site.stage().array.shape.empty() ? 1 : site.stage().array.shape.back();
    ways.push_back({[place, width](const Operands& of) {
                      const double root = std::sqrt(static_cast<double>(width));
                      return sum_of(by_values(*of[1 - place], [root](double x) { return root * x; }),
                                    *of[place]);
                    },
                    site.name(1 - place), std::to_string(width)});
  }
  return ways;
}

/// [k; q] for [q; k].
std::vector<Way> joined_the_other_way(const Site& site) {
  const Stage& joint = site.stage();
  if (joint.derivation.operands.size() != 2 || joint.array.shape.empty()) return {};
  const Shape& left = site.operand(0).array.shape;
  const Shape& right = site.operand(1).array.shape;
  if (left.empty() || right.empty() || left.back() + right.back() != joint.array.shape.back()) return {};
  return {{[site, by = left.back()](const Operands&) {
    return by_rows(site.stage().array,
                   [by](double* row, std::size_t length) { std::rotate(row, row + by, row + length); });
  }}};
}

std::vector<Way> with_other_root(const Site& site) {
  return for_each_root(site,
                       [site](double root, const Operands& of) { return scaled_by(1.0 / root, site, of); });
}

bool is_scaled(const Site& site) { return site.stage().derivation.number != 1.0; }

/// The factor 1 of scores, not the one of a mask that is none, behind the scale.
bool is_not_scaled(const Site& site) {
  return !is_scaled(site) && operation_of(site.operand(0)) != Operation::scaled;
}

}  // namespace

double activation(const std::string& name, double x) {
  const auto* const found = std::find_if(activations.begin(), activations.end(),
                                         [&](const Activation& one) { return name == one.name; });
  return found == activations.end() ? x : found->of(x);
}

const std::vector<UsualMistake>& product_mistakes() {
  using At = const Site&;
  using Of = const Operands&;
  using One = const Array&;
  static const UsualMistake::Operations product{Operation::product};
  static const UsualMistake::Operations with_transpose{Operation::product_with_transpose};
  static const UsualMistake::Operations products{Operation::product, Operation::product_with_transpose};
  static const UsualMistake::Operations activations_at{Operation::tanh, Operation::relu};
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
      {"not-added", {Operation::sum}, with_one_alone, adds_no_mask},
      {"sign",
       {Operation::difference},
       [](One left, One right) {
         return computed(derived::difference("right", "left"), {&right, &left});
       }},
      other_scale("not-scaled", [](double) { return 1.0; }),
      other_scale("scaled-twice", [](double scale) { return scale * scale; }),
      other_scale("scale-inverted", [](double scale) { return 1.0 / scale; }),
      {"needlessly-scaled", {Operation::scaled}, with_other_root, is_not_scaled},
      {"scale-of-wrong-width", {Operation::scaled}, with_other_root, is_scaled},
      {"no-exp", {Operation::power}, unchanged},
      {"powers-of-e",
       {Operation::power},
       [](One exponents) { return computed(derived::exponential("a"), {&exponents}); }},
      {"not-normalised", {Operation::row_share}, unchanged},
      {"no-activation", activations_at, without_activation, is_no_identity},
      {"other-activation", activations_at, with_other_activation, is_no_identity},
      {"second-activation", product, with_second_activation},
      {"distance", with_transpose, by_distance},
      {"cosine", with_transpose, by_cosine},
      {"added-twice", {Operation::sum}, with_one_twice, adds_no_mask},
      {"wrong-summand", {Operation::sum}, with_wrong_summand},
      {"embedding-scaled", {Operation::sum}, with_scaled_embedding},
      {"joined-in-another-order", {Operation::worked}, joined_the_other_way},
      {"entropy-in-bits", {Operation::row_entropy}, [](At site, Of of) {
         return by_values(computed(site.stage().derivation, of),
                          [](double nats) { return nats / std::log(2.0); });
       }}};
  return list;
}

}  // namespace attnlab
