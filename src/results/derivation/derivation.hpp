// How a stage of the trace came from earlier stages: enough to recompute it, and to write the computation
// out.
#pragma once

#include "core/formula.hpp"

namespace attnlab {

/// One line of a computation as it stands on a blackboard.
/// left = a ≈ b: each link is a relation and what stands behind it.
struct Chain {
  struct Link {
    std::string relation;  // "=", "≈", "<", "→"
    Formula right;
  };
  Formula left;
  std::vector<Link> links;
};

/// What an array is multiplied with, or divided by, and how a program writes it.
struct Factor {
  double number = 1.0;
  bool divides = false;
  std::string code = {};
};
/// times(0.1): x * 0.1
Factor times(double number);
/// over(4): x / 4
Factor over(std::size_t count);
/// over_root(256): x / math.sqrt(256)
Factor over_root(std::size_t count);

/// Plain values. `operands` name earlier stages of the same trace; all operations follow NumPy: the last two
/// axes are the matrix, the axes before broadcast, and a vector (n,) is a column on the right and a row on
/// the left of a product.
struct Derivation {
  enum class Operation {
    input,                   // an input: typed, read or drawn at random
    measured,                // read off a clock: another run gives other numbers
    learned,                 // by a training: the last digits of another machine lead it elsewhere
    product,                 // A B
    product_with_transpose,  // A Bᵀ
    sum,                     // A + B
    difference,              // A - B
    scaled,                  // number · A
    softmax,                 // along the last axis, stable
    power,                   // number^A, element by element; exp where the number is e
    row_share,               // A / its sum along the last axis
    tanh,                    // element by element
    relu,                    // max(0, A), element by element
    layer_norm,              // along the last axis, with the variance (ddof 0) and eps = number
    rms_norm,                // x / sqrt(mean x² + number) · gain, over stretches as long as the gain
    rotary_pairs,   // neighbouring pairs (2i, 2i + 1) turned by angles (length, pairs); the rest stays
    rotary_halves,  // the same for the pairs (i, i + pairs)
    split_heads,    // (..., length, heads * width) to (..., heads, length, width); heads = number
    join_heads,     // (..., heads, length, width) to (..., length, heads * width)
    row_entropy,    // -sum p ln p in nats along the last axis, which disappears
    worked,         // anything else: the experiment writes it out itself, row by row
  };

  Operation operation = Operation::input;
  std::vector<std::string> operands = {};
  double number = 0.0;             // scaled, power, layer_norm, rms_norm, split_heads
  std::vector<Chain> worked = {};  // worked: one line per entry of the first axis, numbers substituted
  /// worked: the same as a NumPy expression over the operands' names, "np.sum(query * key, axis=-1)", in the
  /// words that results/code/python_code.cpp translates to PyTorch. Of `given`: how it follows from other
  /// arrays, "key[:, :4]"; empty where its values say all. Of `scaled`: " / math.sqrt(8)" where that is its
  /// number.
  std::string code = {};
  /// worked: the operation that it is but for heads on the right that several on the left share, or, of a
  /// softmax, for rows without a score, which hold `number`: enough to replay it.
  Operation as = Operation::worked;
  /// How far another order of the same sums may move a value, where that is more than a program's 8 digits; a
  /// program takes such a float32 input as float64.
  double rounding = 0.0;
  bool rows_sum_to_one = false;  // along the last axis, but for rows without a value

  /// Whether it came from other arrays by mathematics.
  bool is_computed() const {
    return operation != Operation::input && operation != Operation::measured &&
           operation != Operation::learned;
  }

  /// Of a power: whether it is exp.
  bool is_of_e() const { return number == std::exp(1.0); }

  Derivation like(Operation operation_, double filler = 0.0) && {
    as = operation_;
    number = filler;
    return std::move(*this);
  }
  Derivation with_rows_of_one() && {
    rows_sum_to_one = true;
    return std::move(*this);
  }
  Derivation rounded_by(double most) && {
    rounding = most;
    return std::move(*this);
  }
};

/// What a program that computes in another order may differ by, where the tool computed in float32.
constexpr double rounding_in_float32 = 1e-4;

/// An array that a run began with, or the stream that the next ones are drawn from, in the order of the run.
/// The trace may show it in another place, or not at all.
struct Origin {
  enum class Kind { stream, drawn, listed, read, opened, function };
  Kind kind = Kind::drawn;
  /// Of the array; of a stream that of --rng: "numpy", "torch"; opened: of the tensors of a file.
  std::string name;
  std::vector<std::size_t> shape = {};  // of the array
  /// drawn: "randn(4, 8) * 0.1"; given: how it was made, empty where its values say all; of a stream its
  /// seed; of a function all its lines.
  std::string code = {};
  std::string file = {};            // read; opened: as a text of Python's
  std::vector<double> values = {};  // given, read: row-major
  bool is_float32 = false;
};

/// Builders: {"scores", formula, array, derived::scaled("raw_scores", 0.5)}.
struct derived {
  using Operation = Derivation::Operation;
  using Name = const std::string&;  // of an earlier stage

  static Derivation input(std::string code) { return {Operation::input, {}, 0.0, {}, std::move(code)}; }
  static Derivation measured() { return {Operation::measured}; }
  static Derivation learned() { return {Operation::learned}; }
  static Derivation product(Name left, Name right) { return {Operation::product, {left, right}}; }
  static Derivation product_with_transpose(Name left, Name right) {
    return {Operation::product_with_transpose, {left, right}};
  }
  static Derivation sum(Name left, Name right) { return {Operation::sum, {left, right}}; }
  static Derivation difference(Name left, Name right) { return {Operation::difference, {left, right}}; }
  static Derivation scaled(Name operand, double number) { return {Operation::scaled, {operand}, number}; }
  static Derivation scaled(Name operand, const Factor& factor) {
    if (!factor.divides) return scaled(operand, factor.number);
    return {Operation::scaled, {operand}, 1.0 / factor.number, {}, factor.code};
  }
  static Derivation softmax(Name operand) {
    return Derivation{Operation::softmax, {operand}}.with_rows_of_one();
  }
  static Derivation power(Name exponent, double base) { return {Operation::power, {exponent}, base}; }
  static Derivation exponential(Name exponent) { return power(exponent, std::exp(1.0)); }
  static Derivation row_share(Name operand) {
    return Derivation{Operation::row_share, {operand}}.with_rows_of_one();
  }
  static Derivation tanh(Name operand) { return {Operation::tanh, {operand}}; }
  static Derivation relu(Name operand) { return {Operation::relu, {operand}}; }
  static Derivation layer_norm(Name operand, double eps) { return {Operation::layer_norm, {operand}, eps}; }
  static Derivation rms_norm(Name operand, Name gain, double eps) {
    return {Operation::rms_norm, {operand, gain}, eps};
  }
  static Derivation rotary_pairs(Name operand, Name angles) {
    return {Operation::rotary_pairs, {operand, angles}};
  }
  static Derivation rotary_halves(Name operand, Name angles) {
    return {Operation::rotary_halves, {operand, angles}};
  }
  static Derivation split_heads(Name operand, std::size_t heads) {
    return {Operation::split_heads, {operand}, static_cast<double>(heads)};
  }
  static Derivation join_heads(Name operand) { return {Operation::join_heads, {operand}}; }
  static Derivation row_entropy(Name operand) { return {Operation::row_entropy, {operand}}; }
  static Derivation worked(std::vector<std::string> operands, std::vector<Chain> lines,
                           std::string code = {}) {
    return {Operation::worked, std::move(operands), 0.0, std::move(lines), std::move(code)};
  }
};

}  // namespace attnlab

extern template class std::vector<attnlab::Chain::Link>;
extern template class std::vector<attnlab::Chain>;
