// The frames of a page: every value of one slider, or every pair of values of two.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "sweep/sweep.hpp"

namespace attnlab {
namespace {

struct Slide {
  std::string parameter;
  std::string words;
};

const Experiment& experiment_in_grid(const std::string& name) {
  return *std::find_if(experiments().begin(), experiments().end(),
                       [&](const Experiment& experiment) { return experiment.name == name; });
}

FrameGrid grid_of(const std::string& name, const std::vector<Slide>& slides) {
  const Experiment& experiment = experiment_in_grid(name);
  std::vector<SweepValues> sliders;
  for (const Slide& slide : slides) {
    const auto parameter = std::find_if(experiment.parameters.begin(), experiment.parameters.end(),
                                        [&](const Parameter& one) { return one.name == slide.parameter; });
    sliders.push_back(sweep_values(*parameter, slide.words, "", "slide"));
  }
  const auto keep = [](Report report) -> GridFrame {
    return {report.figures.front(), {stage(report, "weights")}};
  };
  return frame_grid(experiment, Arguments(experiment.parameters), sliders, keep, quiet_context());
}

}  // namespace

TEST_CASE("The values of the first slider change fastest") {
  const FrameGrid grid = grid_of("vectors", {{"query-angle", "0,90"}, {"count", "3,5,10"}});
  REQUIRE(grid.frames.size() == 6);
  CHECK(grid.frames[0].stages[0].array.data.size() == 3);
  CHECK(grid.frames[1].stages[0].array.data.size() == 3);
  CHECK(grid.frames[2].stages[0].array.data.size() == 5);
  CHECK(grid.frames[0].stages[0].array.data != grid.frames[1].stages[0].array.data);
}

TEST_CASE("A frame has the numbers of a run with its values") {
  const FrameGrid grid = grid_of("vectors", {{"query-angle", "0:350:36"}});
  REQUIRE(grid.frames.size() == 36);
  const Experiment& experiment = experiment_in_grid("vectors");
  Arguments arguments(experiment.parameters);
  arguments.set("query-angle", "130");
  CHECK(grid.frames[13].stages[0].array.data == stage(run(experiment, arguments), "weights").array.data);
}

TEST_CASE("All frames have the same axes and colours") {
  const FrameGrid grid = grid_of("vectors", {{"query-angle", "0,90"}, {"count", "3,10"}});
  const auto high_of = [](const GridFrame& frame) {
    const auto& chart = std::get<Chart>(frame.figure.panels.front().content);
    for (const Layer& layer : chart.layers) {
      const auto* arrows = std::get_if<Arrows>(&layer);
      if (arrows != nullptr && arrows->scale) return arrows->scale->high;
    }
    return 0.0;
  };
  for (const GridFrame& frame : grid.frames) CHECK(high_of(frame) == high_of(grid.frames.front()));
}

TEST_CASE("A value that the experiment never takes is left out with a warning") {
  const FrameGrid grid = grid_of("heads", {{"heads", "2,3,4"}, {"seed", "0,1"}});
  REQUIRE(grid.sliders.size() == 2);
  CHECK(grid.sliders[0].texts == std::vector<std::string>{"2", "4"});
  CHECK(grid.frames.size() == 4);
  REQUIRE(grid.warnings.size() == 1);
  CHECK(grid.warnings[0].en().find("no frame for heads = 3") == 0);
}

TEST_CASE("Values that go together with some but not all of the other slider are refused") {
  CHECK_THROWS_AS(grid_of("heads", {{"heads", "2,3"}, {"width", "12,16"}}), Error);
}

}  // namespace attnlab
