// A classic mistake as plain values: the right result beside the wrong one, and the invariant that tells them
// apart.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attention/scaled_dot_product.hpp"
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
  std::vector<Stage> steps = {};  // from the inputs to the stages "right" and "wrong"
};

/// What stands beside the rows: their index, or their sum where that is what goes wrong.
enum class RowNames { numbers, sums };

/// Which cells are framed.
enum class Framed { none, largest_of_row };

/// Whether a seed changes what is computed.
enum class Inputs { random, fixed };

/// Mistake{"wrong-axis", {..a few words..}, {..what the picture shows..}, wrong_axis}.because(how it happens)
///     .leading_to(...).coded(right, wrong).caught_by(...).drawn_as(...)
struct Mistake {
  std::string name;  // what `attnlab mistakes NAME` takes
  Text title;        // "softmax along the wrong axis"
  Text message;      // "Softmax along the wrong axis: rows no longer sum to 1"
  MistakeRun (*compute)(RandomStream& random);
  Text why = Text::none();
  Text consequence = Text::none();  // what it does to a model, and what to look for
  std::string right_line = {};      // NumPy or PyTorch
  std::string wrong_line = {};
  std::string invariant = {};     // "rows_sum_to_one"
  Text statement = Text::none();  // "every row sums to 1"
  double tolerance = 0.0;
  HeatMap picture = {};  // titles, colours without their range, hidden cells: of right and wrong alike
  RowNames row_names = RowNames::numbers;
  Framed framed = Framed::none;
  Inputs inputs = Inputs::random;

  Mistake&& because(Text reason) && {
    why = std::move(reason);
    return std::move(*this);
  }
  Mistake&& leading_to(Text effect) && {
    consequence = std::move(effect);
    return std::move(*this);
  }
  Mistake&& coded(std::string right, std::string wrong) && {
    right_line = std::move(right);
    wrong_line = std::move(wrong);
    return std::move(*this);
  }
  Mistake&& caught_by(std::string check, double allowed, Text what_holds) && {
    invariant = std::move(check);
    tolerance = allowed;
    statement = std::move(what_holds);
    return std::move(*this);
  }
  Mistake&& drawn_as(HeatMap map, RowNames names = RowNames::numbers, Framed frames = Framed::none) && {
    picture = std::move(map);
    row_names = names;
    framed = frames;
    return std::move(*this);
  }
  Mistake&& from(Inputs origin) && {
    inputs = origin;
    return std::move(*this);
  }
};

/// Every mistake, from the scores to the positions: the table.
const std::vector<Mistake>& mistakes();

/// The factories, one for each stage of the computation.
std::vector<Mistake> softmax_mistakes();
std::vector<Mistake> scaling_mistakes();
std::vector<Mistake> mask_mistakes();
std::vector<Mistake> head_mistakes();
std::vector<Mistake> dropout_mistakes();
std::vector<Mistake> position_mistakes();

/// Both results with their errors, without steps.
MistakeRun compared(Tensor<double> right, Tensor<double> wrong, double (*error)(const Tensor<double>&));

/// "0.31", or "NaN" for the infinite error that NaN counts as.
std::string mistake_error_text(double error);

/// Right beside wrong on one colour scale, named after the mistake; `seed` as it was typed.
Figure mistake_figure(const Mistake& mistake, const MistakeRun& run, const std::string& seed);

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
