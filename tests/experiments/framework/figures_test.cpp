// Every figure of every experiment, on every page a user is likely to ask for: nothing overlaps, nothing is
// cut, everything can be read.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "caption_checks.hpp"
#include "cell_checks.hpp"
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

/// A figure laid out on a page; a preset where the page has a name.
struct Sheet {
  std::string description;
  const Figure& figure;
  Layout layout;
  const Preset* preset = nullptr;

  const DisplayList& list() const { return layout.list; }
};

PageSize square_of(double centimetres) {
  return {centimetres * inches_per_centimetre, centimetres * inches_per_centimetre};
}

// Under sanitizers each sheet takes several times as long, and other pages reach the same code.
#ifdef __SANITIZE_ADDRESS__
constexpr bool looks_at_all = false;
#else
constexpr bool looks_at_all = true;
#endif

std::vector<PageSize> page_sizes(const Figure& figure) {
  if (!looks_at_all) return {figure.page};
  return {figure.page, {16.0, 9.0}, {30.0, 8.0}, square_of(12.0), square_of(10.0)};
}

std::string name_of(Language language) { return language == Language::ja ? "ja" : "en"; }

LayoutOptions options_of(const Preset& preset, Language language) {
  LayoutOptions options{language, Theme::print, preset.page};
  options.measures = preset.measures;
  options.caption = preset.caption;
  return options;
}

// As the program does it: a figure that has no room gets a larger page.
Layout layout_on(const Preset& preset, const Figure& figure, Language language) {
  constexpr double larger = 1.15;
  constexpr int steps = 8;
  LayoutOptions options = options_of(preset, language);
  for (int i = 0; i < steps; ++i) {
    try {
      return lay_out(figure, options);
    } catch (const NoSpace&) {
      options.page = {options.page.width * larger, options.page.height * larger};
    }
  }
  return lay_out(figure, options);
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
  const std::vector<NamedLabel> labels = labels_of(sheet.list());
  std::vector<Corners> inks;
  std::vector<Box> bounds;
  for (const NamedLabel& label : labels) {
    inks.push_back(ink_corners(label.label));
    bounds.push_back(bounds_of(inks.back()));
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      const bool gap =
          bounds[i].x + bounds[i].width < bounds[j].x || bounds[j].x + bounds[j].width < bounds[i].x ||
          bounds[i].y + bounds[i].height < bounds[j].y || bounds[j].y + bounds[j].height < bounds[i].y;
      if (gap) continue;
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
  for (const NamedLabel& label : labels_of(sheet.list())) {
    const Box ink = bounds_of(ink_corners(label.label));
    const bool inside = ink.x >= 0.0 && ink.y >= 0.0 && ink.x + ink.width <= sheet.list().width &&
                        ink.y + ink.height <= sheet.list().height;
    if (!inside) {
      INFO(label.id, " '", label.label.markup, "'");
      CHECK(inside);
    }
  }
}

void check_shapes_inside(const Sheet& sheet) {
  const auto leaves = [&sheet](double x, double y) {
    constexpr double rounding = 1e-6;
    return x < -rounding || y < -rounding || x > sheet.list().width + rounding ||
           y > sheet.list().height + rounding;
  };
  INFO(sheet.description);
  for (const Item& item : sheet.list().items) {
    bool outside = false;
    if (const auto* filled = std::get_if<FilledBox>(&item.shape))
      outside = leaves(filled->box.x, filled->box.y) || leaves(filled->box.right(), filled->box.bottom());
    if (const auto* path = std::get_if<Path>(&item.shape); path != nullptr && !path->clip)
      for (const Position& point : path->points) outside = outside || leaves(point.x, point.y);
    if (outside) FAIL_CHECK(item.id);
  }
}

void check_contrast(const Sheet& sheet) {
  for (const NamedLabel& label : labels_of(sheet.list()))
    if (contrast(label.label.colour, label.label.background) < 4.5) {
      INFO(sheet.description, ": ", label.id);
      CHECK(contrast(label.label.colour, label.label.background) >= 4.5);
    }
}

/// Text in a cell stands on that cell's colour; returns how many such texts there are.
std::size_t check_cells(const Sheet& sheet) {
  std::map<std::string, const FilledBox*> boxes;
  for (const Item& item : sheet.list().items) {
    // A bar's id has no comma: its number stands above it.
    const auto* filled = std::get_if<FilledBox>(&item.shape);
    if (filled != nullptr && item.id.find(',') != std::string::npos) boxes[item.id + ".text"] = filled;
  }
  std::size_t cells = 0;
  for (const NamedLabel& label : labels_of(sheet.list())) {
    const auto box = boxes.find(label.id);
    if (box == boxes.end()) continue;
    ++cells;
    const Colour& behind = label.label.background;
    const Colour& fill = box->second->fill;
    const bool is_same = behind.red == fill.red && behind.green == fill.green && behind.blue == fill.blue;
    if (!is_same) {
      INFO(sheet.description, ": ", label.id);
      CHECK(is_same);
    }
  }
  return cells;
}

/// Seven points, on a slide 18.
void check_size_of_text(const Sheet& sheet) {
  const bool is_slide = sheet.preset != nullptr && sheet.preset->name.find("slide") == 0;
  const double smallest = is_slide ? 18.0 : smallest_text;
  for (const NamedLabel& label : labels_of(sheet.list()))
    if (label.label.size < smallest) {
      INFO(sheet.description, ": ", label.id);
      CHECK(label.label.size >= smallest);
    }
}

void check_ids(const Sheet& sheet) {
  std::vector<std::string> ids;
  for (const Item& item : sheet.list().items) ids.push_back(item.id);
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) {
    INFO(sheet.description, ": ", *twice);
    CHECK(twice == ids.end());
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
          count(matrix->map.row_labels, matrix->map.id + ".row");
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
  for (const Item& item : sheet.list().items) {
    const auto* path = std::get_if<Path>(&item.shape);
    const bool is_box = path != nullptr && path->closed && path->points.size() == 4;
    if (is_box && path->fill) obstacles.push_back(bounds_of_points(path->points));
    if (const auto* label = std::get_if<Label>(&item.shape))
      obstacles.push_back(bounds_of(ink_corners(*label)));
  }
  std::size_t arrows = 0;
  for (const Item& item : sheet.list().items) {
    for (const std::vector<Position>& part : arrow_parts(item)) {
      ++arrows;
      INFO(sheet.description, ": ", item.id);
      CHECK(std::none_of(obstacles.begin(), obstacles.end(),
                         [&](const Box& box) { return crosses(part, box); }));
    }
  }
  return arrows;
}

/// The tips of a chart's arrows, by their ids.
std::map<std::string, Position> tips_of(const DisplayList& list) {
  std::map<std::string, Position> tips;
  std::set<std::string> shafts;
  for (const Item& item : list.items) {
    const auto* path = std::get_if<Path>(&item.shape);
    if (path == nullptr || item.id.find("->") != std::string::npos) continue;
    if (shafts.count(item.id) == 1) tips[item.id] = path->points.front();
    if (const std::size_t end = item.id.rfind(".shaft"); end != std::string::npos)
      shafts.insert(item.id.substr(0, end));
  }
  return tips;
}

/// Whether a chart's arrow of another mark runs between a tip and the middle of its words.
bool is_cut_off(const Sheet& sheet, const Position& tip, const Position& words) {
  const auto side = [](const Position& a, const Position& b, const Position& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  };
  return std::any_of(sheet.list().items.begin(), sheet.list().items.end(), [&](const Item& item) {
    if (item.id.find("->") != std::string::npos || item.id.rfind(".shaft") == std::string::npos) return false;
    const std::vector<Position>& shaft = std::get<Path>(item.shape).points;
    return side(tip, words, shaft.front()) * side(tip, words, shaft.back()) < 0.0 &&
           side(shaft.front(), shaft.back(), tip) * side(shaft.front(), shaft.back(), words) < 0.0;
  });
}

/// Words beside an arrow stand nearer to its tip than to another's, and no other arrow runs between; or a
/// line leads to them, and no other tip is within a letter's height. Returns how many words there are.
std::size_t check_words_at_their_tips(const Sheet& sheet) {
  const std::map<std::string, Position> tips = tips_of(sheet.list());
  std::set<std::string> ids;
  for (const Item& item : sheet.list().items) ids.insert(item.id);
  std::size_t words = 0;
  for (const NamedLabel& one : labels_of(sheet.list())) {
    const auto own = tips.find(one.id.substr(0, one.id.rfind(".text")));
    if (own == tips.end()) continue;
    ++words;
    const Box ink = bounds_of(ink_corners(one.label));
    const auto distance = [&ink](const Position& tip) {
      return std::hypot(tip.x - std::clamp(tip.x, ink.x, ink.right()),
                        tip.y - std::clamp(tip.y, ink.y, ink.bottom()));
    };
    const bool is_led = ids.count(one.id + ".leader") == 1;
    const double nearest = is_led ? std::min(distance(own->second), one.label.size) : distance(own->second);
    if (!is_led && is_cut_off(sheet, own->second, ink.centre()))
      FAIL_CHECK(sheet.description, ": an arrow runs between ", one.id, " and its tip");
    for (const auto& entry : tips) {
      const auto& [id, tip] = entry;
      constexpr double together = 4.0;  // points
      if (std::hypot(tip.x - own->second.x, tip.y - own->second.y) < together) continue;
      INFO(sheet.description, ": ", one.id, " '", one.label.markup, "' and ", entry.first);
      CHECK(distance(tip) >= nearest);
    }
  }
  return words;
}

/// A line that leads from words to their mark runs through no other words. Returns how many lines there are.
std::size_t check_leaders_clear(const Sheet& sheet) {
  std::size_t leaders = 0;
  for (const Item& item : sheet.list().items) {
    const std::size_t end = item.id.rfind(".leader");
    if (end == std::string::npos) continue;
    ++leaders;
    const auto& line = std::get<Path>(item.shape);
    const Corners corners = corners_of_line(line.points.front(), line.points.back(), line.width);
    for (const NamedLabel& one : labels_of(sheet.list())) {
      if (item.id.compare(0, end, one.id) == 0) continue;
      INFO(sheet.description, ": ", item.id, " and ", one.id, " '", one.label.markup, "'");
      CHECK(overlap(corners, ink_corners(one.label)) == 0.0);
    }
  }
  return leaders;
}

/// The matrices of a panel.
std::vector<const HeatMap*> maps_in(const Panel& panel) {
  std::vector<const HeatMap*> maps;
  if (const auto* map = std::get_if<HeatMap>(&panel.content)) maps.push_back(map);
  if (const auto* equation = std::get_if<MatrixEquation>(&panel.content))
    for (const auto& term : equation->terms)
      if (const auto* matrix = std::get_if<MatrixTerm>(&term)) maps.push_back(&matrix->map);
  return maps;
}

/// Where matrices are added, a number has the same colour in all of them.
void check_sums_on_one_scale(const Figure& figure) {
  for (const Panel& panel : figure.panels) {
    const auto* equation = std::get_if<MatrixEquation>(&panel.content);
    if (equation == nullptr) continue;
    bool adds = false;
    for (const auto& term : equation->terms)
      if (const auto* symbol = std::get_if<OperatorTerm>(&term)) adds |= to_terminal(symbol->symbol) == "+";
    std::set<double> tops;
    for (const HeatMap* map : maps_in(panel)) tops.insert(map->scale.high);
    INFO(figure.name);
    if (adds) CHECK(tops.size() == 1);
  }
}

/// Numbers go last but one: where no matrix of a figure is larger than 3 x 3, they are there on every page.
/// Returns how many matrices these are.
std::size_t check_small_maps_keep_numbers(const Sheet& sheet) {
  constexpr std::size_t small = 3;
  std::set<std::string> ids;
  for (const Item& item : sheet.list().items) ids.insert(item.id);
  std::vector<const HeatMap*> all;
  for (const Panel& panel : sheet.figure.panels)
    for (const HeatMap* map : maps_in(panel)) all.push_back(map);
  const bool are_small = std::all_of(all.begin(), all.end(), [](const HeatMap* map) {
    return std::max(map->values.rows, map->values.columns) <= small;
  });
  if (!are_small) return 0;
  std::size_t numbered = 0;
  for (const HeatMap* map : all) {
    if (map->decimals == no_numbers || map->fill == CellFill::outline || !map->hidden.empty()) continue;
    ++numbered;
    if (ids.count(map->id + "[0,0].text") == 0)
      FAIL_CHECK(sheet.description, ": ", map->id, " has no numbers");
  }
  return numbered;
}

void check_marks_named(const Sheet& sheet) {
  INFO(sheet.description);
  CHECK(wrong_words(sheet.figure, sheet.list()) == "");
}

void check_words(const Figure& figure) {
  CHECK_FALSE(figure.title.ja().empty());
  CHECK_FALSE(figure.title.en().empty());
  CHECK(figure.description.ja().size() > 30);
  CHECK(figure.description.en().size() > 30);
}

/// Panels that share a colour bar have its colours.
void check_shared_scale(const Figure& figure) {
  if (!figure.shared_scale) return;
  for (const Panel& panel : figure.panels) {
    const auto* map = std::get_if<HeatMap>(&panel.content);
    if (map == nullptr) continue;
    INFO(map->id);
    CHECK(map->scale.low == figure.shared_scale->low);
    CHECK(map->scale.high == figure.shared_scale->high);
  }
}

/// What was seen, so that no check is empty.
struct Seen {
  std::size_t figures = 0;
  std::size_t sheets = 0;
  std::size_t cells = 0;
  std::size_t arrows = 0;
  std::size_t words_at_tips = 0;
  std::size_t leaders = 0;
  std::size_t small_maps = 0;
  std::set<std::string> named;
  std::set<std::string> written;
};

/// Cells are square, and their numbers keep clear of edges and frames.
void check_shapes_of_cells(const Sheet& sheet) {
  INFO(sheet.description);
  for (const std::string& id : cells_not_square(sheet.list())) FAIL_CHECK(id, " is not square");
  for (const std::string& id : numbers_at_edges(sheet.list())) FAIL_CHECK(id, " meets an edge");
}

/// A figure fills most of a slide. One long row (of cells, or of three square maps), one high column, or an
/// equation in one line has cells as large as the page is wide or high.
void check_page_is_used(const std::string& name, const Sheet& sheet) {
  static const std::set<std::string> long_ones{"dot-product keys", "vectors matrix", "pooling animal",
                                               "pooling brush",    "pooling neko",   "positional rotation",
                                               "variants latent",  "variants linear"};
  const auto* chart = std::get_if<Chart>(&sheet.figure.panels.front().content);
  if (chart != nullptr && chart->equal_units) return;
  INFO(sheet.description);
  const bool is_equation = sheet.figure.panels.size() == 1 &&
                           std::holds_alternative<MatrixEquation>(sheet.figure.panels.front().content);
  CHECK(used_share(sheet.list()) >= (is_equation ? 0.4 : long_ones.count(name) > 0 ? 0.5 : 0.6));
}

/// What holds of every sheet. A check of all figures on all pages belongs here.
void check_sheet(const Sheet& sheet, Seen& seen) {
  check_texts_apart(sheet);
  check_texts_inside(sheet);
  check_shapes_inside(sheet);
  check_contrast(sheet);
  check_size_of_text(sheet);
  check_ids(sheet);
  check_shapes_of_cells(sheet);
  seen.cells += check_cells(sheet);
  seen.arrows += check_arrows_clear(sheet);
  seen.words_at_tips += check_words_at_their_tips(sheet);
  seen.leaders += check_leaders_clear(sheet);
  check_marks_named(sheet);
  seen.small_maps += check_small_maps_keep_numbers(sheet);
  ++seen.sheets;
}

void check_nothing_left_out(const Sheet& sheet) {
  INFO(sheet.description);
  for (const Text& warning : sheet.layout.warnings) FAIL_CHECK(warning.en());
  CHECK(sheet.list().width ==
        doctest::Approx(sheet.preset->page.width * points_per_inch));  // not a larger one
}

/// What a figure must keep on a page that has a name.
void check_complete(const std::string& name, const Sheet& sheet, Seen& seen) {
  // Every token, sum and head.
  static const std::set<std::string> named{
      "decoder weights", "decoder every-position", "mistakes wrong-axis", "mistakes dropout", "heads roles",
      "pooling animal",  "pooling brush",          "pooling neko",        "permutation rows"};
  // What the matrices hold is written on every slide, as far as square cells have room for it.
  static const std::set<std::string> written{
      "additive weights",       "additive mistake",      "encoder layer-norm",  "mistakes reshaped-heads",
      "mistakes inverted-mask", "mistakes boolean-mask", "mistakes small-mask", "filters inputs"};
  if (named.count(name) > 0) {
    INFO(sheet.description);
    CHECK(names_left_out(sheet.figure, sheet.list()) == 0);
    seen.named.insert(name);
  }
  const bool is_slide = sheet.preset->name.find("slide") == 0;
  if (is_slide) check_page_is_used(name, sheet);
  if (is_slide && written.count(name) > 0) {
    check_nothing_left_out(sheet);
    seen.written.insert(name);
  }
  // Diagrams keep all their words; a column is smaller than the words themselves.
  if (std::holds_alternative<Diagram>(sheet.figure.panels.front().content) && sheet.preset->name != "column")
    check_nothing_left_out(sheet);
}

/// On the pages that a user may ask for by size.
void check_on_sizes(const std::string& name, const Figure& figure, Seen& seen) {
  for (const PageSize& page : page_sizes(figure))
    for (const Language language : {Language::ja, Language::en})
      for (const Theme theme : {Theme::light, Theme::dark})
        check_sheet({name + fmt::format(" {}x{}in {} {}", page.width, page.height, name_of(language),
                                        theme == Theme::light ? "light" : "dark"),
                     figure, lay_out(figure, {language, theme, page})},
                    seen);
}

/// On pages for a purpose, in grey: large letters for the page's size.
void check_on_presets(const std::string& name, const char* decoration, const Figure& figure, Seen& seen) {
  for (const Preset& preset : presets())
    for (const Language language : {Language::ja, Language::en}) {
      const Sheet sheet{name + decoration + " " + preset.name + " " + name_of(language), figure,
                        layout_on(preset, figure, language), &preset};
      check_sheet(sheet, seen);
      if (*decoration == '\0') check_complete(name, sheet, seen);
    }
}

bool has_arrows(const Figure& figure) {
  return std::any_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    const auto* chart = std::get_if<Chart>(&panel.content);
    return chart != nullptr &&
           std::any_of(chart->layers.begin(), chart->layers.end(),
                       [](const Layer& layer) { return std::holds_alternative<Arrows>(layer); });
  });
}

/// Each preset's letters on pages from 2 : 1 to 1 : 2, as large as its own: as a lecture squeezes a figure.
void check_arrows_on_shapes(const std::string& name, const Figure& figure, Seen& seen) {
  for (const Preset& preset : presets())
    for (const double shape : {2.0, 1.4, 1.0, 0.7, 0.5})
      for (const Language language : {Language::ja, Language::en}) {
        LayoutOptions options = options_of(preset, language);
        const double area = preset.page.width * preset.page.height;
        options.page = {std::sqrt(area * shape), std::sqrt(area / shape)};
        try {
          const Sheet sheet{name + " " + preset.name + " " + std::to_string(shape) + " " + name_of(language),
                            figure, lay_out(figure, options)};
          seen.words_at_tips += check_words_at_their_tips(sheet);
          seen.leaders += check_leaders_clear(sheet);
        } catch (const NoSpace&) {
          continue;  // the program takes a larger page
        }
      }
}

}  // namespace

// The one walk over all figures and pages: laying them out takes most of its time.
TEST_CASE(
    "every figure on every page, also without its numbers: no text meets another or leaves the page, contrast is 4.5, nothing is too small, ids are unique, no arrow runs through a box") {
  Seen seen;
  for (const Experiment& experiment : experiments()) {
    const Report report = run(experiment, Arguments(experiment.parameters));
    CHECK(!report.figures.empty());
    std::vector<std::string> provided;
    for (const UsedParameter& parameter : report.parameters) provided.push_back(parameter.text);
    for (const Figure& figure : report.figures) {
      const std::string name = experiment.name + " " + figure.name;
      INFO(name);
      ++seen.figures;
      check_words(figure);
      check_shared_scale(figure);
      check_sums_on_one_scale(figure);
      check_on_sizes(name, figure, seen);
      check_on_presets(name, "", figure, seen);
      if (!looks_at_all) continue;
      if (has_arrows(figure)) check_arrows_on_shapes(name, figure, seen);
      check_on_presets(name, " blank", blank(figure, experiment.shows, provided), seen);
    }
  }
  constexpr std::size_t sizes = looks_at_all ? 5 : 1;        // in both languages and themes
  constexpr std::size_t decorations = looks_at_all ? 2 : 1;  // in both languages
  CHECK(seen.sheets == seen.figures * (sizes * 4 + decorations * 2 * presets().size()));
  CHECK(seen.cells > 100);
  CHECK(seen.arrows > (looks_at_all ? 1000 : 200));
  CHECK(seen.words_at_tips > (looks_at_all ? 1000 : 100));
  CHECK(seen.leaders > (looks_at_all ? 100 : 0));
  CHECK(seen.small_maps > 100);
  CHECK(seen.named.size() == 9);
  CHECK(seen.written.size() == 8);
}

}  // namespace attnlab
