// A classic mistake as plain values: the right result beside the wrong one, and the invariant that tells them
// apart.
#pragma once

#include <string>
#include <vector>

#include "core/tensor.hpp"
#include "core/text.hpp"
#include "experiments/framework/random_stream.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// What one drawing of random numbers gives.
struct MistakeRun {
  Tensor<double> right;  // (rows, columns)
  Tensor<double> wrong;  // (rows, columns)
  double right_error = 0.0;
  double wrong_error = 0.0;
  std::vector<Stage> steps;  // from the inputs to the stages "right" and "wrong"
};

/// What stands beside the rows: their index, or their sum where that is what goes wrong.
enum class RowNames { numbers, sums };

/// Which cells are framed.
enum class Framed { none, largest_of_row };

/// How the two matrices are drawn.
struct MistakePicture {
  Text row_title;
  Text column_title;
  Text quantity;  // beside the colour bar
  Palette palette = Palette::blues;
  int decimals = no_numbers;
  RowNames row_names = RowNames::numbers;
  std::vector<bool> hidden = {};  // HeatMap::hidden: the cells that must be 0
  Framed framed = Framed::none;
};

/// Whether a seed changes what is computed.
enum class Inputs { random, fixed };

struct Mistake {
  std::string name;        // what `attnlab mistakes NAME` takes
  Text title;              // a few words: "softmax along the wrong axis"
  Text message;            // what the picture shows: "Softmax along the wrong axis: rows no longer sum to 1"
  Text why;                // how it happens
  Text consequence;        // what it does to a model, and what to look for
  std::string right_line;  // NumPy or PyTorch
  std::string wrong_line;
  std::string invariant;  // "rows_sum_to_one"
  Text statement;         // "every row sums to 1"
  double tolerance = 0.0;
  Text reason;  // why the tolerance is what it is
  MistakePicture picture;
  MistakeRun (*compute)(RandomStream& random);
  Inputs inputs = Inputs::random;
};

/// Every mistake, from the scores to the positions: the table.
const std::vector<Mistake>& mistakes();

/// The factories, a file for each stage of the computation.
std::vector<Mistake> softmax_mistakes();
std::vector<Mistake> scaling_mistakes();
std::vector<Mistake> mask_mistakes();
std::vector<Mistake> head_mistakes();
std::vector<Mistake> dropout_mistakes();
std::vector<Mistake> position_mistakes();

/// "0.31", or "NaN" for the infinite error that NaN counts as.
std::string mistake_error_text(double error);

}  // namespace attnlab
