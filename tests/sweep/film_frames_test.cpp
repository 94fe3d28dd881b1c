// Films of the real experiments: what moves is the data only.
#include "sweep/sweep.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "plotting/layout/display_list.hpp"
#include "plotting/layout/layout.hpp"

namespace attnlab {
namespace {

const Experiment& experiment_named(const std::string& name) {
  return *std::find_if(experiments().begin(), experiments().end(),
                       [&](const Experiment& experiment) { return experiment.name == name; });
}

struct Sweep {
  std::string experiment;
  std::string parameter;
  std::string words;
  std::string figure;
};

struct FilmFrames {
  std::vector<Figure> figures;
  std::vector<Text> warnings;
};

template <class Choose>
FilmFrames film_frames(const Experiment& experiment, const Arguments& arguments, const SweepValues& values,
                       Choose choose, const Context& context) {
  FrameGrid grid = frame_grid(
      experiment, arguments, {values},
      [&](const Report& report) {
        return GridFrame{choose(report), {}};
      },
      context);
  std::vector<Text> warnings = grid.warnings;
  return {with_slider(std::move(grid)), std::move(warnings)};
}

FilmFrames frames_of(const Sweep& sweep) {
  const Experiment& experiment = experiment_named(sweep.experiment);
  const auto parameter = std::find_if(experiment.parameters.begin(), experiment.parameters.end(),
                                      [&](const Parameter& one) { return one.name == sweep.parameter; });
  const auto choose = [&](const Report& report) {
    for (const Figure& figure : report.figures) {
      if (figure.name == sweep.figure) return figure;
    }
    throw Error(ErrorKind::usage, Text::same("no such figure"), Text::same(""));
  };
  return film_frames(experiment, Arguments(experiment.parameters), sweep_values(*parameter, sweep.words, ""),
                     choose, quiet_context());
}

std::vector<DisplayList> pages_of(const std::vector<Figure>& figures, const LayoutOptions& options) {
  Space space = lay_out(figures.front(), options).space;
  for (const Figure& figure : figures) space = united(space, lay_out(figure, options).space);
  LayoutOptions with_space = options;
  with_space.reserved = space;
  std::vector<DisplayList> pages;
  for (const Figure& figure : figures) pages.push_back(lay_out(figure, with_space).list);
  return pages;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Axes, ticks, grid lines, colour bars, and the fixed parts of the slider.
bool stands_still(const std::string& id) {
  for (const char* part : {".grid.", ".x[", ".y[", ".bar", ".row[", ".column["}) {
    if (id.find(part) != std::string::npos) return true;
  }
  for (const char* end : {".axis", ".x.title", ".y.title", ".row.title", ".column.title"}) {
    if (ends_with(id, end)) return true;
  }
  return id == "slider.name" || id == "slider.track" || id == "slider.first" || id == "slider.last";
}

struct Standing {
  Box bounds;
  std::string words;
};

std::map<std::string, Standing> standing_in(const DisplayList& page) {
  std::map<std::string, Standing> items;
  for (const Item& item : page.items) {
    if (!stands_still(item.id)) continue;
    const auto* label = std::get_if<Label>(&item.shape);
    items[item.id] = {bounds_of(item), label == nullptr ? "" : label->markup};
  }
  return items;
}

Position first_line(const DisplayList& page, const std::string& id) {
  for (const Item& item : page.items) {
    if (item.id == id) return std::get<Label>(item.shape).position;
  }
  return {};
}

void check_still(const std::vector<DisplayList>& pages) {
  const std::map<std::string, Standing> first = standing_in(pages.front());
  CHECK(first.size() > 8);
  for (const DisplayList& page : pages) {
    CHECK(first_line(page, "title[0]").y == first_line(pages.front(), "title[0]").y);
    CHECK(first_line(page, "caption[0]").y == first_line(pages.front(), "caption[0]").y);
    const std::map<std::string, Standing> items = standing_in(page);
    REQUIRE(items.size() == first.size());
    for (const auto& named : items) {
      CAPTURE(named.first);
      const Standing& item = named.second;
      const Standing& there = first.at(named.first);
      CHECK(item.words == there.words);
      CHECK(item.bounds.x == doctest::Approx(there.bounds.x));
      CHECK(item.bounds.y == doctest::Approx(there.bounds.y));
      CHECK(item.bounds.width == doctest::Approx(there.bounds.width));
      CHECK(item.bounds.height == doctest::Approx(there.bounds.height));
    }
  }
}

}  // namespace

TEST_CASE("Axes, ticks, colour bars and titles stand at the same places in all frames") {
  for (const Sweep& sweep :
       {Sweep{"scaling", "high-dim", "2:1024:log:12", "scatter"},
        Sweep{"softmax", "temperature", "0.1:10:log:9", "temperature"},
        Sweep{"vectors", "query-angle", "0:360:9", "arrows"}, Sweep{"heads", "seed", "0:5", "weights"},
        Sweep{"self-attention", "scale", "0.1:5:log:6", "weights"},
        Sweep{"positional", "base", "10:1e6:log:4", "encoding"}, Sweep{"encoder", "seed", "0:5", "flow"}}) {
    CAPTURE(sweep.experiment);
    const FilmFrames frames = frames_of(sweep);
    CHECK(frames.warnings.empty());
    for (const Language language : {Language::ja, Language::en}) {
      check_still(pages_of(frames.figures, {language, Theme::dark, frames.figures.front().page}));
    }
  }
}

TEST_CASE("Every frame says which value it shows, with decimal points below each other") {
  const FilmFrames frames = frames_of({"softmax", "temperature", "0.1:10:log:9", "temperature"});
  REQUIRE(frames.figures.size() == 9);
  std::vector<double> points;
  std::vector<double> knobs;
  for (const DisplayList& page :
       pages_of(frames.figures, {Language::en, Theme::light, frames.figures.front().page})) {
    for (const Item& item : page.items) {
      if (item.id == "slider.value.rest") points.push_back(std::get<Label>(item.shape).position.x);
      if (item.id == "slider.knob") knobs.push_back(std::get<Disc>(item.shape).centre.x);
    }
  }
  REQUIRE(points.size() == 9);
  for (const double point : points) CHECK(point == doctest::Approx(points.front()));
  REQUIRE(knobs.size() == 9);
  for (std::size_t i = 2; i < knobs.size(); ++i) {
    CHECK(knobs[i] - knobs[i - 1] == doctest::Approx(knobs[1] - knobs[0]).epsilon(0.01));
  }
}

TEST_CASE("A value that does not fit the other parameters is left out with a warning") {
  const FilmFrames frames = frames_of({"encoder", "heads", "1:16", "flow"});
  REQUIRE(frames.figures.size() == 5);  // the divisors of 16
  CHECK(frames.figures.front().slider->values == std::vector<std::string>{"1", "2", "4", "8", "16"});
  CHECK(frames.figures.back().slider->frame == 4);
  CHECK(frames.figures.back().slider->places.back() == 1.0);
  REQUIRE(frames.warnings.size() == 1);
  CHECK(frames.warnings.front().en().find("heads = 3, 5, ..., 15") != std::string::npos);
}

TEST_CASE("Fewer than two values that fit are an error with the experiment's reason") {
  CHECK_THROWS_WITH_AS(frames_of({"scaling", "low-dim", "100:200", "scatter"}),
                       doctest::Contains("--low-dim 100"), Error);
}

TEST_CASE("A frame shows what a run with that value shows") {
  const FilmFrames frames = frames_of({"scaling", "high-dim", "10,100", "scatter"});
  const Experiment& experiment = experiment_named("scaling");
  Arguments arguments(experiment.parameters);
  arguments.set("high-dim", "10");
  arguments.sources.nested_sizes = {"high-dim"};
  CHECK(frames.figures.front().title.en() == run(experiment, arguments).figures.front().title.en());
}

TEST_CASE("A film whose frames draw new numbers says so, and one with nested draws does not") {
  const auto captions = [](const Sweep& sweep) {
    std::vector<std::string> all;
    for (const Figure& figure : frames_of(sweep).figures) all.push_back(figure.caption.en());
    return all;
  };
  for (const std::string& caption : captions({"variance", "pairs", "100,200,300", "spread"}))
    CHECK(ends_with(caption, " Each value is a new draw."));
  const std::vector<Sweep> nested{{"scaling", "high-dim", "2,20,100", "scatter"},
                                  {"self-attention", "tokens", "4,5,6", "weights"},
                                  {"heads", "width", "8,16,24", "weights"},
                                  {"additive", "units", "5,64,80,200", "weights"},
                                  {"decoder", "layers", "1:4", "next-token"}};
  for (const Sweep& sweep : nested) {
    CAPTURE(sweep.experiment);
    for (const std::string& caption : captions(sweep)) {  // the default's own frame says it, too
      CHECK(ends_with(caption, "continued where more are needed."));
      CHECK(caption.find("Nested draws") == caption.rfind("Nested draws"));
    }
  }
  const std::vector<Sweep> still{{"recurrence", "input-scale", "0.001,0.01,1", "gradient"},
                                 {"vectors", "count", "3:6", "bars"}};
  for (const Sweep& sweep : still) {
    for (const std::string& caption : captions(sweep)) CHECK_FALSE(ends_with(caption, "is a new draw."));
    for (const std::string& caption : captions(sweep)) CHECK(caption.find("Nested") == std::string::npos);
  }
}

TEST_CASE("The frame of the default is the plain run") {
  const Experiment& experiment = experiment_named("scaling");
  Arguments arguments(experiment.parameters);
  arguments.set("keys", "7");
  const auto first = [](const Report& report) { return report.figures.front(); };
  const auto title = [&](const SweepValues& values) {
    return film_frames(experiment, arguments, values, first, quiet_context()).figures.back();
  };
  const SweepValues values = sweep_values(experiment.parameters[1], "20,100", "");
  CHECK(title(values).title.en() == run(experiment, arguments).figures.front().title.en());
}

TEST_CASE("Runs divided over the processors give the same frames") {
  const Experiment& experiment = experiment_named("scaling");
  const SweepValues values = sweep_values(experiment.parameters[1], "2:64:log:8", "");
  const auto choose = [](const Report& report) { return report.figures.front(); };
  Context divided = quiet_context();
  divided.for_each = on_all_processors();
  const Arguments arguments(experiment.parameters);
  const FilmFrames one = film_frames(experiment, arguments, values, choose, quiet_context());
  const FilmFrames other = film_frames(experiment, arguments, values, choose, divided);
  REQUIRE(one.figures.size() == other.figures.size());
  for (std::size_t i = 0; i < one.figures.size(); ++i)
    CHECK(one.figures[i].title.en() == other.figures[i].title.en());
}

}  // namespace attnlab
