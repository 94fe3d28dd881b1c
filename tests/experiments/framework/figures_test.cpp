// Every figure of every experiment, on every page a user is likely to ask for: nothing overlaps, nothing is
// cut, everything can be read.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/figure/numbers.hpp"
#include "plotting/layout/display_list.hpp"
#include "plotting/layout/layout.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {
namespace {

constexpr double tolerated_overlap = 0.5;  // points
constexpr double inches_per_centimetre = 1.0 / 2.54;

struct Sheet {
  std::string description;
  DisplayList list;
};

PageSize square_of(double centimetres) {
  return {centimetres * inches_per_centimetre, centimetres * inches_per_centimetre};
}

std::vector<PageSize> page_sizes(const Figure& figure) {
  return {figure.page, {16.0, 9.0}, {30.0, 8.0}, square_of(12.0), square_of(10.0)};
}

std::string name_of(Theme theme) {
  return theme == Theme::light ? "light" : theme == Theme::dark ? "dark" : "print";
}

LayoutOptions options_of(const Preset& preset, Language language) {
  LayoutOptions options{language, Theme::print, preset.page};
  options.measures = preset.measures;
  options.caption = preset.caption;
  return options;
}

// As the program does it: a figure that has no room gets a larger page.
DisplayList list_on(const Preset& preset, const Figure& figure, Language language) {
  constexpr double larger = 1.15;
  constexpr int steps = 8;
  LayoutOptions options = options_of(preset, language);
  for (int i = 0; i < steps; ++i) {
    try {
      return lay_out(figure, options).list;
    } catch (const NoRoom&) {
      options.page = {options.page.width * larger, options.page.height * larger};
    }
  }
  return lay_out(figure, options).list;
}

// On pages for a purpose, in grey: large letters for the page's size.
void add_presets(const std::string& description, const Figure& figure, Language language,
                 std::vector<Sheet>& made) {
  for (const Preset& preset : presets()) {
    made.push_back({description + " " + preset.name, list_on(preset, figure, language)});
  }
}

// Laid out once for all subcases.
const std::vector<Sheet>& sheets() {
  static const std::vector<Sheet> all = [] {
    std::vector<Sheet> made;
    for (const Experiment& experiment : experiments()) {
      const Report report = run(experiment, Arguments(experiment.parameters));
      for (const Figure& figure : report.figures)
        for (const PageSize& page : page_sizes(figure))
          for (const Language language : {Language::ja, Language::en})
            for (const Theme theme : {Theme::light, Theme::dark})
              made.push_back({experiment.name + " " + figure.name + " " + std::to_string(page.width) + "x" +
                                  std::to_string(page.height) + "in " +
                                  (language == Language::ja ? "ja " : "en ") + name_of(theme),
                              lay_out(figure, {language, theme, page}).list});
      for (const Figure& figure : report.figures)
        for (const Language language : {Language::ja, Language::en})
          add_presets(experiment.name + " " + figure.name + (language == Language::ja ? " ja" : " en"),
                      figure, language, made);
    }
    return made;
  }();
  return all;
}

struct NamedLabel {
  const std::string& id;
  const Label& label;
};

std::vector<NamedLabel> labels_of(const DisplayList& list) {
  std::vector<NamedLabel> labels;
  for (const Item& item : list.items)
    if (const auto* label = std::get_if<Label>(&item.shape)) labels.push_back({item.id, *label});
  return labels;
}

void check_texts_apart(const Sheet& sheet) {
  INFO(sheet.description);
  const std::vector<NamedLabel> labels = labels_of(sheet.list);
  std::vector<Corners> inks;
  std::vector<Box> bounds;
  for (const NamedLabel& label : labels) {
    inks.push_back(ink_corners(label.label));
    bounds.push_back(bounds_of(inks.back()));
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      const bool apart =
          bounds[i].x + bounds[i].width < bounds[j].x || bounds[j].x + bounds[j].width < bounds[i].x ||
          bounds[i].y + bounds[i].height < bounds[j].y || bounds[j].y + bounds[j].height < bounds[i].y;
      if (apart) continue;
      const double depth = overlap(inks[i], inks[j]);
      if (depth > tolerated_overlap) {
        INFO(labels[i].id, " '", labels[i].label.markup, "' and ", labels[j].id, " '", labels[j].label.markup,
             "'");
        CHECK(depth <= tolerated_overlap);
      }
    }
}

void check_texts_inside(const Sheet& sheet) {
  INFO(sheet.description);
  for (const NamedLabel& label : labels_of(sheet.list)) {
    const Box ink = bounds_of(ink_corners(label.label));
    const bool inside = ink.x >= 0.0 && ink.y >= 0.0 && ink.x + ink.width <= sheet.list.width &&
                        ink.y + ink.height <= sheet.list.height;
    if (!inside) {
      INFO(label.id, " '", label.label.markup, "'");
      CHECK(inside);
    }
  }
}

void check_shapes_inside(const Sheet& sheet) {
  const auto leaves = [&sheet](double x, double y) {
    constexpr double rounding = 1e-6;
    return x < -rounding || y < -rounding || x > sheet.list.width + rounding ||
           y > sheet.list.height + rounding;
  };
  INFO(sheet.description);
  for (const Item& item : sheet.list.items) {
    bool outside = false;
    if (const auto* filled = std::get_if<FilledBox>(&item.shape))
      outside = leaves(filled->box.x, filled->box.y) || leaves(filled->box.right(), filled->box.bottom());
    if (const auto* path = std::get_if<Path>(&item.shape); path != nullptr && !path->clip)
      for (const Position& point : path->points) outside = outside || leaves(point.x, point.y);
    if (outside) FAIL_CHECK(item.id);
  }
}

void check_contrast() {
  for (const Sheet& sheet : sheets())
    for (const NamedLabel& label : labels_of(sheet.list))
      if (contrast(label.label.colour, label.label.background) < 4.5) {
        INFO(sheet.description, ": ", label.id);
        CHECK(contrast(label.label.colour, label.label.background) >= 4.5);
      }
}

void check_cells() {
  std::size_t cells = 0;
  for (const Sheet& sheet : sheets()) {
    std::map<std::string, const FilledBox*> boxes;
    for (const Item& item : sheet.list.items) {
      // A bar's id has no comma: its number stands above it.
      const auto* filled = std::get_if<FilledBox>(&item.shape);
      if (filled != nullptr && item.id.find(',') != std::string::npos) boxes[item.id + ".text"] = filled;
    }
    for (const NamedLabel& label : labels_of(sheet.list)) {
      const auto box = boxes.find(label.id);
      if (box == boxes.end()) continue;
      ++cells;
      CHECK(label.label.background.red == box->second->fill.red);
      CHECK(label.label.background.green == box->second->fill.green);
      CHECK(label.label.background.blue == box->second->fill.blue);
    }
  }
  CHECK(cells > 100);
}

void check_size_of_text() {
  for (const Sheet& sheet : sheets())
    for (const NamedLabel& label : labels_of(sheet.list))
      if (label.label.size < smallest_text) {
        INFO(sheet.description, ": ", label.id);
        CHECK(label.label.size >= smallest_text);
      }
}

void check_slides() {
  std::size_t slides = 0;
  for (const Sheet& sheet : sheets()) {
    if (sheet.description.find("slide") == std::string::npos) continue;
    ++slides;
    INFO(sheet.description);
    for (const NamedLabel& label : labels_of(sheet.list)) {
      if (label.label.size < 18.0) {
        INFO(label.id);
        CHECK(label.label.size >= 18.0);
      }
    }
  }
  CHECK(slides > 100);
}

void check_ids() {
  for (const Sheet& sheet : sheets()) {
    std::vector<std::string> ids;
    for (const Item& item : sheet.list.items) ids.push_back(item.id);
    std::sort(ids.begin(), ids.end());
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice != ids.end()) {
      INFO(sheet.description, ": ", *twice);
      CHECK(twice == ids.end());
    }
  }
}

Box bounds_of_points(const std::vector<Position>& points) {
  Box box{points.front().x, points.front().y, 0.0, 0.0};
  for (const Position& point : points) box = united(box, {point.x, point.y, 0.0, 0.0});
  return box;
}

bool crosses(const std::vector<Position>& line, const Box& box) {
  constexpr int steps = 50;
  for (int i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / steps;
    const double x = line.front().x + part * (line.back().x - line.front().x);
    const double y = line.front().y + part * (line.back().y - line.front().y);
    if (x > box.x && x < box.right() && y > box.y && y < box.bottom()) return true;
  }
  return false;
}

/// How many named rows and columns of a figure's matrices stand without their names.
std::size_t names_left_out(const Figure& figure, const DisplayList& list) {
  std::set<std::string> ids;
  for (const Item& item : list.items) ids.insert(item.id);
  std::size_t left_out = 0;
  const auto count = [&](const std::vector<ShortText>& names, const std::string& prefix) {
    std::size_t written = 0;
    for (std::size_t i = 0; i < names.size(); ++i)
      written += ids.count(prefix + "[" + std::to_string(i) + "]");
    if (written > 0) left_out += names.size() - written;  // else its neighbour has them
  };
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::string panel = "panel[" + std::to_string(i) + "]";
    if (const auto* map = std::get_if<HeatMap>(&figure.panels[i].content)) {
      count(map->row_labels, panel + ".row");
      count(map->column_labels, panel + ".column");
    }
    if (const auto* equation = std::get_if<MatrixEquation>(&figure.panels[i].content)) {
      for (const auto& term : equation->terms)
        if (const auto* matrix = std::get_if<MatrixTerm>(&term))
          count(matrix->row_labels, matrix->id + ".row");
    }
  }
  return left_out;
}

/// The straight parts of a diagram's arrows.
std::vector<std::vector<Position>> arrow_parts(const Item& item) {
  const auto ends_with = [&item](const std::string& end) {
    return item.id.size() > end.size() && item.id.compare(item.id.size() - end.size(), end.size(), end) == 0;
  };
  std::vector<std::vector<Position>> parts;
  if (item.id.find("->") == std::string::npos || !(ends_with(".shaft") || ends_with(".way"))) return parts;
  const std::vector<Position>& points = std::get<Path>(item.shape).points;
  for (std::size_t i = 1; i < points.size(); ++i) parts.push_back({points[i - 1], points[i]});
  return parts;
}

/// Returns how many straight parts of arrows there are.
std::size_t check_arrows_clear(const Sheet& sheet) {
  std::vector<Box> obstacles;
  for (const Item& item : sheet.list.items) {
    const auto* path = std::get_if<Path>(&item.shape);
    const bool is_box = path != nullptr && path->closed && path->points.size() == 4;
    if (is_box && path->fill) obstacles.push_back(bounds_of_points(path->points));
    if (const auto* label = std::get_if<Label>(&item.shape))
      obstacles.push_back(bounds_of(ink_corners(*label)));
  }
  std::size_t arrows = 0;
  for (const Item& item : sheet.list.items) {
    for (const std::vector<Position>& part : arrow_parts(item)) {
      ++arrows;
      INFO(sheet.description, ": ", item.id);
      CHECK(std::none_of(obstacles.begin(), obstacles.end(),
                         [&](const Box& box) { return crosses(part, box); }));
    }
  }
  return arrows;
}

}  // namespace

TEST_CASE("every figure on every page") {
  SUBCASE(
      "There are figures of all experiments in both languages and themes and five sizes, and on named "
      "pages") {
    std::size_t figures = 0;
    for (const Experiment& experiment : experiments())
      figures += run(experiment, Arguments(experiment.parameters)).figures.size();
    CHECK(figures >= experiments().size());
    CHECK(sheets().size() == figures * 32);
  }
  SUBCASE("No text runs into another") {
    for (const Sheet& sheet : sheets()) check_texts_apart(sheet);
  }
  SUBCASE("No text leaves the page") {
    for (const Sheet& sheet : sheets()) check_texts_inside(sheet);
  }
  SUBCASE("No box and no path leaves the page") {
    for (const Sheet& sheet : sheets()) check_shapes_inside(sheet);
  }
  SUBCASE("Text has a contrast of at least 4.5 on what it stands on") {
    check_contrast();
  }
  SUBCASE("Text in a cell stands on that cell's colour") {
    check_cells();
  }
  SUBCASE("No text is smaller than seven points") {
    check_size_of_text();
  }
  SUBCASE("No text on a slide is smaller than 18 points") {
    check_slides();
  }
  SUBCASE("Ids are unique on every page") {
    check_ids();
  }
}

TEST_CASE("Diagrams keep all their words on every page that has a name") {
  for (const Experiment& experiment : experiments())
    for (const Figure& figure : run(experiment, Arguments(experiment.parameters)).figures) {
      if (!std::holds_alternative<Diagram>(figure.panels.front().content)) continue;
      for (const Preset& preset : presets()) {
        if (preset.name == "column") continue;  // smaller than the words themselves
        INFO(experiment.name, " ", figure.name, " ", preset.name);
        const Layout layout = lay_out(figure, options_of(preset, Language::ja));
        for (const Text& warning : layout.warnings) CHECK(warning.en() == "");
      }
    }
}

TEST_CASE(
    "with numbers written in, or without any, nothing meets a text or leaves a page that has a name, and no "
    "arrow runs through a box") {
  std::size_t made = 0;
  std::size_t arrows = 0;
  for (const Experiment& experiment : experiments()) {
    const Report report = run(experiment, Arguments(experiment.parameters));
    std::vector<std::string> given;
    for (const UsedParameter& parameter : report.parameters) given.push_back(parameter.text);
    for (const Figure& figure : report.figures)
      for (const auto& [decoration, decorated] : {std::pair{"annotated", annotated(figure)},
                                                  std::pair{"blank", blank(figure, experiment.shows, given)}})
        for (const Preset& preset : presets())
          for (const Language language : {Language::ja, Language::en}) {
            const Sheet sheet{experiment.name + " " + figure.name + " " + decoration + " " + preset.name +
                                  (language == Language::ja ? " ja" : " en"),
                              list_on(preset, decorated, language)};
            check_texts_apart(sheet);
            check_texts_inside(sheet);
            check_shapes_inside(sheet);
            arrows += check_arrows_clear(sheet);
            ++made;
          }
  }
  CHECK(made >= experiments().size() * 24);
  CHECK(arrows > 1000);
}

TEST_CASE("What the matrices of these figures hold is written on every slide") {
  const std::vector<std::pair<std::string, std::string>> figures{
      {"additive", "weights"},   {"pooling", "schemes"},  {"encoder", "reaction"},
      {"encoder", "layer-norm"}, {"mistakes", "dropout"}, {"mistakes", "off-by-one"},
      {"decoder", "next-token"}, {"filters", "inputs"}};
  std::size_t looked_at = 0;
  for (const Experiment& experiment : experiments()) {
    const Report report = run(experiment, Arguments(experiment.parameters));
    for (const Figure& figure : report.figures) {
      if (std::find(figures.begin(), figures.end(), std::pair{experiment.name, figure.name}) == figures.end())
        continue;
      ++looked_at;
      for (const char* slide : {"slide-16x9", "slide-4x3"}) {
        for (const Language language : {Language::ja, Language::en}) {
          CAPTURE(experiment.name + " " + figure.name + " " + slide);
          for (const Text& warning : lay_out(figure, options_of(preset_named(slide), language)).warnings)
            FAIL_CHECK(warning.en());
        }
      }
    }
  }
  CHECK(looked_at == figures.size());
}

TEST_CASE("No arrow of a diagram runs through a box or a word") {
  std::size_t arrows = 0;
  for (const Sheet& sheet : sheets()) arrows += check_arrows_clear(sheet);
  CHECK(arrows > 1000);
}

TEST_CASE("Every token, sum and head is named on every page that has a name") {
  const std::vector<std::pair<std::string, std::string>> figures{
      {"decoder", "weights"}, {"decoder", "next-token"}, {"mistakes", "wrong-axis"}, {"mistakes", "dropout"},
      {"heads", "roles"},     {"pooling", "animal"},     {"permutation", "rows"}};
  std::size_t looked_at = 0;
  for (const Experiment& experiment : experiments()) {
    for (const Figure& figure : run(experiment, Arguments(experiment.parameters)).figures) {
      if (std::find(figures.begin(), figures.end(), std::pair{experiment.name, figure.name}) == figures.end())
        continue;
      ++looked_at;
      for (const Preset& preset : presets()) {
        for (const Language language : {Language::ja, Language::en}) {
          CAPTURE(experiment.name + " " + figure.name + " " + preset.name);
          CHECK(names_left_out(figure, list_on(preset, figure, language)) == 0);
        }
      }
    }
  }
  CHECK(looked_at == figures.size());
}

TEST_CASE("Panels that share a colour bar have its colours") {
  for (const Experiment& experiment : experiments())
    for (const Figure& figure : run(experiment, Arguments(experiment.parameters)).figures) {
      if (!figure.shared_scale) continue;
      for (const Panel& panel : figure.panels) {
        const auto* map = std::get_if<HeatMap>(&panel.content);
        if (map == nullptr) continue;
        INFO(experiment.name, " ", figure.name, " ", map->id);
        CHECK(map->scale.low == figure.shared_scale->low);
        CHECK(map->scale.high == figure.shared_scale->high);
      }
    }
}

TEST_CASE("Every figure has a title and an alternative text in both languages") {
  for (const Experiment& experiment : experiments())
    for (const Figure& figure : run(experiment, Arguments(experiment.parameters)).figures) {
      INFO(experiment.name, " ", figure.name);
      CHECK_FALSE(figure.title.ja().empty());
      CHECK_FALSE(figure.title.en().empty());
      CHECK(figure.description.ja().size() > 30);
      CHECK(figure.description.en().size() > 30);
    }
}

}  // namespace attnlab
