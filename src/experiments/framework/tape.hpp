// The tape on which an experiment computes, in float32 or float64: one line gives a stage its numbers, name,
// formula, axes and derivation.
//
//   run.x = run.tape.normal("x", {tokens, width}, {"tokens", "width"});
//   run.query = run.tape.product("query", "X W_Q", "x", "w_query", {"queries", "width"});
//
// What follows the numbers is told from here; results/derivation/recompute.cpp computes it again by itself.
#pragma once

#include "attention/scaled_dot_product.hpp"
#include "experiments/framework/inputs.hpp"
#include "results/report/report.hpp"

namespace attnlab {

using Axes = std::vector<std::string>;

/// A formula, or how formula::read() takes it.
struct Spelt {
  Spelt(Formula as_it_is) : formula(std::move(as_it_is)) {}           // NOLINT(google-explicit-constructor)
  Spelt(const char* typed) : formula(formula::read(typed)) {}         // NOLINT(google-explicit-constructor)
  Spelt(const std::string& typed) : formula(formula::read(typed)) {}  // NOLINT(google-explicit-constructor)
  Formula formula;
};

/// How softmax(Q Kᵀ · scale + M) V is told: the formulas of its stages, and what stands before and behind
/// their names: raw_scores, scores, masked, weights, output.
struct RecordedAttention {
  Spelt product = "Q K^T";
  Spelt scores = "\\frac{Q K^T}{\\sqrt{d}}";
  Spelt weights = "softmax(S)";
  Spelt output = "A V";
  std::string prefix = {};
  std::string suffix = {};
  std::optional<Spelt> masked = {};  // none: the trace goes from the scores to the weights
  std::string mask = {};             // the stage that is added; empty where `masked` is the scores once more
  std::optional<Tensor<double>> user_mask = {};  // the numbers of a mask that only now enters the trace
  const char* output_name = "output";
};

/// Begins with the run's inputs; operands are named as their stages are, and a name that no stage has throws
/// std::logic_error. Axes that a line leaves out are those of its first operand. Behind a prefix of names
/// (Inputs::prefix_names) stand stages, their operands and the names in their code as well.
class Tape : public Inputs {
 public:
  using Name = const std::string&;

  using Inputs::Inputs;
  using Inputs::normal;

  // --- What the run begins with: Inputs' words, and the axes

  Tensor<double> normal(Name name, const std::vector<std::size_t>& shape, Axes axes,
                        const Factor& factor = {});
  Tensor<double> input_or(Name name, const Tensor<double>& assumed, Axes axes, const std::string& code = {});
  /// What was drawn or assumed before, where the trace shows it.
  Tensor<double> input(Name name, const Tensor<double>& values, Axes axes);

  // --- What is computed from it; of a product, a vector is a row on the left and a column on the right

  Tensor<double> product(Name name, Spelt formula, Name left, Name right, Axes axes);
  Tensor<double> product_with_transpose(Name name, Spelt formula, Name left, Name right, Axes axes);
  Tensor<double> sum(Name name, Spelt formula, Name left, Name right);
  Tensor<double> difference(Name name, Spelt formula, Name left, Name right);
  Tensor<double> scaled(Name name, Spelt formula, Name operand, const Factor& factor);
  Tensor<double> softmax(Name name, Spelt formula, Name scores);
  Tensor<double> relu(Name name, Spelt formula, Name operand);
  Tensor<double> layer_norm(Name name, Spelt formula, Name operand);
  Tensor<double> power(Name name, Spelt formula, Name exponents, double base);
  Tensor<double> row_share(Name name, Spelt formula, Name terms);
  /// (..., length, heads * width) to (..., heads, length, width), and back.
  Tensor<double> split_heads(Name name, Spelt formula, Name joined, std::size_t heads, Axes axes);
  Tensor<double> join_heads(Name name, Spelt formula, Name heads, Axes axes);
  /// With told.mask, where it names one.
  AttentionStages<double> attention(Name query, Name key, Name value, std::optional<double> scale,
                                    const RecordedAttention& recorded);
  /// Anything else: the experiment computes it, as it stands there, and says how.
  Tensor<double> step(Name name, Spelt formula, const Tensor<double>& values, Axes axes,
                      Derivation derivation);

  Tensor<double> numbers_of(Name stage) const;
  bool has(Name stage) const;
  const std::vector<Stage>& stages() const { return stages_; }

 private:
  const Array& array_of(Name stage) const;
  Axes axes_of(Name stage, std::size_t dropped = 0) const;  // without the last of them

  std::vector<Stage> stages_;
};

}  // namespace attnlab
