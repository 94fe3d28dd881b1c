#include "page/views.hpp"

#include "page/answers.hpp"

namespace attnlab {
namespace {

bool begins(const std::string& text, const std::string& with) {
  return text.compare(0, with.size(), with) == 0;
}

/// Its marks and what stands around them: "panel[2].row[0]".
Box box_of_panel(const Panel& panel, std::size_t index, const DisplayList& list) {
  Figure alone;
  alone.panels.push_back(panel);
  const std::vector<MarkGrid> grids = grids_of(alone);
  const auto holds = [&](const std::string& id) {
    return std::any_of(grids.begin(), grids.end(), [&](const MarkGrid& grid) {
      return id == grid.id || begins(id, grid.id + "[") ||
             std::find(grid.ids.begin(), grid.ids.end(), id) != grid.ids.end();
    });
  };
  std::optional<Box> box;
  for (const Item& item : list.items) {
    if (!begins(item.id, indexed("panel", index)) && !holds(item.id)) continue;
    box = box ? united(*box, bounds_of(item)) : bounds_of(item);
  }
  constexpr double margin = 6.0;
  return box.value_or(Box{0.0, 0.0, list.width, list.height}).grown(margin);
}

}  // namespace

void add_views(std::vector<PanelView>& views, const Figure& figure, const DisplayList& list,
               Language language) {
  if (figure.panels.size() < 2) return;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (views.size() <= i) {
      const Text& title = figure.panels[i].title;
      views.push_back({title.en().empty() ? Text::same(std::to_string(i + 1)) : title});
    }
    (language == Language::ja ? views[i].ja : views[i].en) = box_of_panel(figure.panels[i], i, list);
  }
}

}  // namespace attnlab
