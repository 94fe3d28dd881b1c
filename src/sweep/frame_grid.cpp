// Runs an experiment for every combination of the values of one or two sliders.
#include "sweep/attempt.hpp"
#include "sweep/new_draws.hpp"
#include "sweep/sweep.hpp"

namespace attnlab {
namespace {

/// What became of one combination: a frame, or the reason why there is none.
struct GridPlace {
  std::optional<GridFrame> frame;
  std::optional<Error> refusal;
  std::vector<std::string> names;
  std::vector<Text> warnings;
  Draws drawn;
};

/// Counts the combinations; the values of the first slider change fastest.
class Combinations {
 public:
  explicit Combinations(const std::vector<SweepValues>& sliders) : sliders_(sliders) {}

  std::size_t count() const {
    std::size_t product = 1;
    for (const SweepValues& slider : sliders_) product *= slider.texts.size();
    return product;
  }

  /// Which value of each slider.
  std::vector<std::size_t> at(std::size_t combination) const {
    std::vector<std::size_t> values;
    for (const SweepValues& slider : sliders_) {
      values.push_back(combination % slider.texts.size());
      combination /= slider.texts.size();
    }
    return values;
  }

  Arguments arguments(Arguments base, std::size_t combination) const {
    const std::vector<std::size_t> values = at(combination);
    for (std::size_t i = 0; i < sliders_.size(); ++i)
      base.set(sliders_[i].parameter, sliders_[i].texts[values[i]]);
    return base;
  }

 private:
  const std::vector<SweepValues>& sliders_;
};

GridPlace run_cell(const Experiment& experiment, const Arguments& arguments, const KeepFrame& keep,
                   const Context& context) {
  Attempt one = attempt(experiment, arguments, context);
  if (one.refusal) return {{}, std::move(one.refusal), {}, {}, {}};
  GridPlace cell;
  for (const Figure& figure : one.report->figures) cell.names.push_back(figure.name);
  cell.warnings = std::move(one.report->warnings);
  cell.drawn = draws_of(*one.report);
  cell.frame = keep(std::move(*one.report));
  return cell;
}

/// Of one slider, which values have a frame with some value of the other.
std::vector<bool> taken_values(const std::vector<GridPlace>& cells, const Combinations& combinations,
                               std::size_t slider, std::size_t count) {
  std::vector<bool> taken(count, false);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].frame) taken[combinations.at(i)[slider]] = true;
  }
  return taken;
}

const Error& first_refusal(const std::vector<GridPlace>& cells) {
  return *std::find_if(cells.begin(), cells.end(), [](const GridPlace& cell) {
            return cell.refusal;
          })->refusal;
}

/// The slider with the values that were taken; the others are warned of.
SweepValues taken_slider(const SweepValues& slider, const std::vector<bool>& taken,
                         const std::vector<GridPlace>& cells, std::vector<Text>& warnings) {
  SweepValues left{slider.parameter, {}, {}};
  std::vector<std::string> refused;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i]) {
      left.texts.push_back(slider.texts[i]);
      left.places.push_back(slider.places[i]);
    } else {
      refused.push_back(slider.texts[i]);
    }
  }
  if (left.texts.size() < least_frames) throw Error(first_refusal(cells));
  if (!refused.empty()) warnings.push_back(no_frame_for(slider.parameter, refused, first_refusal(cells)));
  return left;
}

}  // namespace

FrameGrid frame_grid(const Experiment& experiment, const Arguments& arguments,
                     const std::vector<SweepValues>& sliders, const KeepFrame& keep, const Context& context) {
  const Combinations combinations(sliders);
  std::vector<GridPlace> cells(combinations.count());
  const Context alone{context.seconds, [](double) {}, one_after_another};
  std::vector<std::string> names(sliders.size());
  std::transform(sliders.begin(), sliders.end(), names.begin(),
                 [](const SweepValues& slider) { return slider.parameter; });
  const Arguments nested = with_nested_draws(experiment, arguments, names);
  context.for_each(cells.size(), [&](std::size_t i) {
    cells[i] = run_cell(experiment, combinations.arguments(nested, i), keep, alone);
  });
  FrameGrid grid;
  std::vector<std::vector<bool>> taken;
  for (std::size_t i = 0; i < sliders.size(); ++i) {
    taken.push_back(taken_values(cells, combinations, i, sliders[i].texts.size()));
    grid.sliders.push_back(taken_slider(sliders[i], taken[i], cells, grid.warnings));
  }
  std::vector<Figure> figures;
  std::vector<Draws> drawn;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::vector<std::size_t> values = combinations.at(i);
    bool is_in_grid = true;
    for (std::size_t slider = 0; slider < sliders.size(); ++slider) {
      is_in_grid = is_in_grid && taken[slider][values[slider]];
    }
    if (!is_in_grid) continue;
    GridPlace& cell = cells[i];
    if (cell.refusal) throw Error(*cell.refusal);
    grid.names = std::move(cell.names);
    for (const Text& warning : cell.warnings) add_once(grid.warnings, warning);
    figures.push_back(std::move(cell.frame->figure));
    drawn.push_back(std::move(cell.drawn));
    grid.frames.push_back({Figure{}, std::move(cell.frame->stages)});
  }
  figures = aligned(std::move(figures));
  report_draws(drawn, figures);
  for (std::size_t i = 0; i < figures.size(); ++i) grid.frames[i].figure = std::move(figures[i]);
  return grid;
}

}  // namespace attnlab
