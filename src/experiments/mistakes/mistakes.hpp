// Classic mistakes as plain values: the right result beside the wrong one, and the invariant that tells them
// apart.
#pragma once

#include "core/sentences.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

struct Mistake;

/// What one drawing of random numbers gives. The steps lead from the inputs to the stages "right" and
/// "wrong".
struct MistakeRun {
  Tensor<double> right;  // (rows, columns)
  Tensor<double> wrong;  // (rows, columns)
  double right_error = 0.0;
  double wrong_error = 0.0;
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
  MistakeRun (*compute)(Tape& tape) = nullptr;
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

/// Both results with their errors.
MistakeRun compared(Tensor<double> right, Tensor<double> wrong, double (*error)(const Tensor<double>&));

/// "wrong-axis" as the beginning of an array's name.
std::string array_name(const Mistake& mistake);

/// "0.31", or "NaN" for the infinite error that NaN counts as.
std::string mistake_error_text(double error);

/// One mistake, or all of them.
struct MistakesRun {
  Tape tape;
  std::vector<MistakeRun> runs;

  static MistakesRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Invariant> invariants(const MistakesRun& run);
/// Right beside wrong on one colour scale, named after the mistake.
std::vector<Figure> figures(const MistakesRun& run);

// --- The steps that mistakes share

inline const Axes pair_axes{"queries", "keys"};

/// "query" and "key", standard normals of that shape.
void draw_queries_and_keys(Tape& tape, const std::vector<std::size_t>& shape);

/// The stages raw_scores and scores, Q Kᵀ / √d_k of these two; returns the scores.
Tensor<double> record_scores(Tape& tape, const std::string& query = "query", const std::string& key = "key",
                             const std::string& prefix = {});

}  // namespace attnlab
