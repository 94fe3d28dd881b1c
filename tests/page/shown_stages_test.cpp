// What the figures of the experiments show is what they say of it.
#include <doctest/doctest.h>

#include "core/named.hpp"
#include "experiments/framework/experiment.hpp"
#include "page/answers.hpp"

namespace attnlab {

TEST_CASE("The marks of every figure have the numbers of the stage that they name") {
  for (const Experiment& experiment : experiments()) {
    const Report report = run(experiment, Arguments(experiment.parameters), quiet_context());
    for (const Figure& figure : report.figures) {
      for (const MarkGrid& grid : grids_of(figure)) {
        const Stage* stage = find_named(report.stages, grid.shows.stage);
        if (stage == nullptr || grid.values.empty() || stage->array.shape.empty()) continue;
        const std::vector<double>& data = stage->array.data;
        const std::size_t first = grid.shows.row * grid.columns;
        if (stage->array.shape.back() != grid.columns || first + grid.values.size() > data.size()) continue;
        CAPTURE(experiment.name);
        CAPTURE(figure.name);
        CAPTURE(grid.id);
        const auto same = [](double one, double other) {
          return one == other || (std::isnan(one) && std::isnan(other)) || std::abs(one - other) < 1e-12;
        };
        CHECK(std::equal(grid.values.begin(), grid.values.end(),
                         data.begin() + static_cast<std::ptrdiff_t>(first), same));
      }
    }
  }
}

}  // namespace attnlab
