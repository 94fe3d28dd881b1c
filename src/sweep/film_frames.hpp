// One figure of an experiment for each value of a swept parameter.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "plotting/figure/figure.hpp"
#include "sweep/sweep_values.hpp"

namespace attnlab {

struct FilmFrames {
  std::vector<Figure> figures;     // aligned, each with its slider
  std::vector<Text> warnings;      // of the runs, and of values that the experiment does not take; each once
  std::vector<std::string> names;  // of all figures that the experiment has
};

/// Which figure of a report becomes a frame. Throws Error when it has none that was asked for.
using ChooseFigure = std::function<Figure(Report)>;

/// Runs the experiment with `arguments` and every value; `context.for_each` divides the runs. A value that
/// does not go together with the other arguments is left out with a warning. Throws Error (usage) when fewer
/// than two values are left.
FilmFrames film_frames(const Experiment& experiment, const Arguments& arguments, const SweepValues& values,
                       const ChooseFigure& choose, const Context& context);

}  // namespace attnlab
