// Words of a figure against what is drawn of it: marks that a caption names are there, and marks that need a
// word have one.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "plotting/figure/figure.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// A kind of mark: the words that name it, and whether some are drawn.
struct NamedMark {
  std::string ja;
  std::string en;
  std::function<bool(const Figure&, const DisplayList&)> is_drawn;

  bool is_named(const Text& words) const {
    return std::regex_search(words.ja(), std::regex(ja)) || std::regex_search(words.en(), std::regex(en));
  }
};

inline bool ends_with(const std::string& id, const std::string& ending) {
  return id.size() > ending.size() && id.compare(id.size() - ending.size(), ending.size(), ending) == 0;
}

template <class Holds>
bool any_item(const DisplayList& list, const Holds& holds) {
  return std::any_of(list.items.begin(), list.items.end(), holds);
}

inline bool any_id(const DisplayList& list, const std::string& ending) {
  return any_item(list, [&](const Item& item) { return ends_with(item.id, ending); });
}

template <class Holds>
bool any_path(const DisplayList& list, const Holds& holds) {
  return any_item(list, [&](const Item& item) {
    const auto* path = std::get_if<Path>(&item.shape);
    return path != nullptr && holds(*path);
  });
}

/// A single stroke through a cell; NaN has two.
inline bool has_strokes(const DisplayList& list) {
  std::set<std::string> crossed;
  for (const Item& item : list.items)
    if (ends_with(item.id, ".cross")) crossed.insert(item.id.substr(0, item.id.rfind('.')) + ".strike");
  return any_item(
      list, [&](const Item& item) { return ends_with(item.id, ".strike") && crossed.count(item.id) == 0; });
}

inline bool has_nan(const Figure& figure) {
  return std::any_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    const auto* map = std::get_if<HeatMap>(&panel.content);
    return map != nullptr && map->fill == CellFill::coloured &&
           std::any_of(map->values.values.begin(), map->values.values.end(),
                       [](double value) { return std::isnan(value); });
  });
}

inline const std::vector<NamedMark>& marks_in_captions() {
  static const std::vector<NamedMark> all{
      {"斜線", "[Hh]atched", [](const Figure&, const DisplayList& list) { return has_strokes(list); }},
      {"枠", "[Ff]ramed", [](const Figure&, const DisplayList& list) { return any_id(list, ".frame"); }},
      {"途中を省", "broken", [](const Figure&, const DisplayList& list) { return any_id(list, ".break"); }},
      {"灰色", "[Gg]rey", [](const Figure& figure, const DisplayList&) { return has_nan(figure); }},
      {"矢印：", "[Aa]rrows:",
       [](const Figure&, const DisplayList& list) {
         return any_id(list, ".shaft") || any_id(list, ".move[2]");
       }},
      {"点：", "([Pp]oints|[Dd]ots):",
       [](const Figure&, const DisplayList& list) {
         return any_path(list, [](const Path& path) { return path.fill.has_value(); }) ||
                any_item(list, [](const Item& item) {
                  const auto* disc = std::get_if<Disc>(&item.shape);
                  return disc != nullptr && disc->fill;
                });
       }},
      {"三角", "[Tt]riangles",
       [](const Figure&, const DisplayList& list) {
         return any_path(list, [](const Path& path) { return path.closed && path.points.size() == 3; });
       }},
      {"破線", "[Dd]ashed", [](const Figure&, const DisplayList& list) {
         return any_path(list, [](const Path& path) { return !path.dashes.empty(); });
       }}};
  return all;
}

/// The marks that the caption names although none is drawn, and those that are drawn in cells and not
/// explained; and
/// the colours named by any words, as print has none.
inline std::string wrong_words(const Figure& figure, const DisplayList& list) {
  std::string found;
  const std::vector<NamedMark>& marks = marks_in_captions();
  for (const NamedMark& mark : marks)
    if (mark.is_named(figure.caption) && !mark.is_drawn(figure, list)) found += mark.en + " is not drawn; ";
  for (std::size_t i = 0; i < 2; ++i)  // strokes and frames
    if (!marks[i].is_named(figure.caption) && marks[i].is_drawn(figure, list))
      found += marks[i].en + " is not explained; ";
  static const std::regex colours(
      "赤|青|緑|橙|紫|黄|\\b([Rr]ed|[Bb]lue|[Gg]reen|[Oo]range|[Pp]urple|[Yy]ellow)\\b");
  const auto check_colours = [&](const std::string& words) {
    if (std::regex_search(words, colours)) found += "a colour is named: " + words + "; ";
  };
  for (const Item& item : list.items)
    if (const auto* label = std::get_if<Label>(&item.shape)) check_colours(label->markup);
  for (const Text* text : {&figure.title, &figure.caption, &figure.description}) {
    check_colours(text->ja());
    check_colours(text->en());
  }
  return found;
}

}  // namespace attnlab
