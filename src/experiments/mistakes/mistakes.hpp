// Classic mistakes as plain values: the right result beside the wrong one, and the invariant that tells them
// apart.
#pragma once

#include "core/sentences.hpp"
#include "experiments/framework/room.hpp"

namespace attnlab {

struct Mistake;

/// What one drawing of random numbers gives.
struct MistakeRun {
  Tensor<double> right;  // (rows, columns)
  Tensor<double> wrong;  // (rows, columns)
  double right_error = 0.0;
  double wrong_error = 0.0;
  std::vector<Stage> steps = {};  // from the inputs to the stages "right" and "wrong"
  const Mistake* mistake = nullptr;
};

/// What stands beside the rows: their index, or their sum where that is what goes wrong.
enum class RowNames { numbers, sums };

/// Which cells are framed.
enum class Framed { none, largest_of_row };

/// Where the arrays come from, and whether what must hold presumes standard normals: then it is not asked of
/// the user's own arrays.
enum class InputKind { any, normal, fixed };

struct Mistake {
  MistakeRun (*compute)(Inputs& inputs) = nullptr;
  HeatMap picture;  // titles, colours without their range, hidden cells: of right and wrong alike
  RowNames row_names = RowNames::numbers;
  Framed framed = Framed::none;
  InputKind inputs = InputKind::any;
  std::string name = {};   // what `attnlab mistakes NAME` takes
  Sentences words = {};    // its [[mistake]] of mistakes.toml
  double tolerance = 0.0;  // of its "check", which the right result keeps and the wrong one breaks

  const Text& says(const std::string& what) const { return words.at(what); }
};

/// Every mistake, from the scores to the positions: the table.
const std::vector<Mistake>& mistakes();

/// What computes and shows them, by name.
using ShownMistakes = std::map<std::string, Mistake>;
ShownMistakes mistakes_around_softmax();
ShownMistakes mistakes_of_masks();
ShownMistakes mistakes_of_heads();
ShownMistakes mistakes_of_positions();

/// Weights with the queries' and the keys' axes.
HeatMap weights_picture();

/// Both results with their errors, without steps.
MistakeRun compared(Tensor<double> right, Tensor<double> wrong, double (*error)(const Tensor<double>&));

/// "0.31", or "NaN" for the infinite error that NaN counts as.
std::string mistake_error_text(double error);

/// One mistake, or all of them.
struct MistakesRun {
  Inputs inputs;
  std::vector<MistakeRun> runs;

  static MistakesRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Stage> stages(const MistakesRun& run);
std::vector<Scalar> scalars(const MistakesRun& run);
std::vector<Invariant> invariants(const MistakesRun& run);
std::vector<Block> body(const MistakesRun& run, const std::vector<Stage>& stages);
/// Right beside wrong on one colour scale, named after the mistake.
std::vector<Figure> figures(const MistakesRun& run);

/// The steps that lead to a right and a wrong result, as stages with their derivations.
namespace steps {

using Axes = std::vector<std::string>;

const Axes pair_axes{"queries", "keys"};

/// Q Kᵀ, and Q Kᵀ / √(width), of the stages of these names.
Stage raw_scores(const std::string& name, const std::string& query, const std::string& key,
                 const Tensor<double>& values, Axes axes = pair_axes);
Stage scaled_scores(const std::string& name, const std::string& raw, const std::string& width, double scale,
                    const Tensor<double>& values, Axes axes = pair_axes);

/// softmax(S) of a stage of scores.
Stage softmax(const std::string& name, const std::string& scores, const Tensor<double>& values,
              Axes axes = pair_axes);

/// query, key, raw_scores and scores: what comes before the weights.
std::vector<Stage> up_to_scores(const Tensor<double>& query, const Tensor<double>& key,
                                const AttentionStages<double>& attention);

}  // namespace steps

}  // namespace attnlab
