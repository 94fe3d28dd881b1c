// A sweep: one figure of an experiment for each value of a parameter, "1:1024:log:40" or "1,2,4,8".
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

constexpr std::size_t least_frames = 2;
constexpr std::size_t most_frames = 1000;

struct SweepValues {
  std::string parameter;           // "high-dim"
  std::vector<std::string> texts;  // what would be typed after its flag; each once, in order
  std::vector<double> places;      // of each between the first and the last, 0 to 1
};

/// Whether one number alone is a value of the parameter.
bool takes_number(const Parameter& parameter);

/// `words` is FROM:TO[:lin|log][:FRAMES] or A,B,C,... Without FRAMES there are 40, or all whole numbers where
/// those are no more than 100. Whole-number parameters get whole numbers, each once; others are rounded so
/// that the picture does not feel it (a tenth of a step; with `log` three digits), because what is shown is
/// what is computed. With a `pattern`, such as "window:@", each value takes the place of its @; then numbers
/// are whole if both ends are, unless the parameter takes a list of numbers. Throws Error (usage) for other
/// forms, for ends of `log` that are not positive, for fewer than 2 or more than 1000 values, and for values
/// outside the parameter's range; it names `flag`, after which the words stood.
SweepValues sweep_values(const Parameter& parameter, const std::string& words, const std::string& pattern,
                         const std::string& flag = "over");

// --- Frames: one for every value of a slider, or for every pair of values of two

constexpr std::size_t most_grid_frames = 400;

/// A figure and what of the run's stages is kept beside it.
struct GridFrame {
  Figure figure;
  std::vector<Stage> stages;
};

struct FrameGrid {
  std::vector<SweepValues> sliders;  // the values that were taken
  std::vector<GridFrame> frames;     // the values of the first slider change fastest; figures are aligned
  std::vector<Text> warnings;      // of the runs, and of values that the experiment does not take; each once
  std::vector<std::string> names;  // of all figures that the experiment has
};

/// What of a report is kept. Throws Error when it has no figure that was asked for.
using KeepFrame = std::function<GridFrame(Report)>;

/// Runs the experiment with `arguments` and every combination of the sliders' values; `context.for_each`
/// divides the runs. A value that goes together with no value of the other slider, or with none of the other
/// arguments, is left out with a warning. Throws Error (usage) when another combination is refused, or when
/// fewer than two values are left.
FrameGrid frame_grid(const Experiment& experiment, const Arguments& arguments,
                     const std::vector<SweepValues>& sliders, const KeepFrame& keep, const Context& context);

/// The figures of a grid of one slider, each of which shows it.
std::vector<Figure> with_slider(FrameGrid grid);

// --- What moves from one frame to the next is the data, not the axes

/// The same figures on one page size, with axes and colours that serve them all: the limits of an axis run
/// from the lowest to the highest that any frame has, a colour scale likewise (one that is symmetric in every
/// frame stays so), and captions name that range. Panels are matched by their place, so a frame may have more
/// of them than another.
std::vector<Figure> aligned(std::vector<Figure> frames);

}  // namespace attnlab
