// Covers over what a question asks for.
#include "lecture/built_lecture.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/layout/sheet.hpp"

namespace attnlab {
namespace {

/// The mark itself, and as high as all that stands at it: "weights[2]" and "weights[2].text".
std::optional<Box> box_of(const DisplayList& list, const std::string& mark) {
  std::optional<Box> box;
  std::optional<Box> all;
  for (const Item& item : list.items) {
    if (item.id != mark && item.id.rfind(mark + ".", 0) != 0) continue;
    const Box bounds = bounds_of(item);
    if (item.id == mark) box = bounds;
    all = all ? united(*all, bounds) : bounds;
  }
  return box ? std::optional<Box>({box->x, all->y, box->width, all->height}) : std::nullopt;
}

/// Of cells theirs; of bars that of the chart's grid, so that a cover tells nothing of a bar's height.
Box height_of_row(const std::vector<Box>& boxes, const DisplayList& list) {
  Box all = std::accumulate(boxes.begin(), boxes.end(), boxes.front(), united);
  const bool are_bars = std::any_of(boxes.begin(), boxes.end(),
                                    [&](const Box& box) { return std::abs(box.height - all.height) > 1.0; });
  for (const Item& item : list.items) {
    if (!are_bars || item.id.find(".grid.y[") == std::string::npos) continue;
    const Box line = bounds_of(item);
    const bool is_behind = line.x <= all.x && line.right() >= all.right();
    if (is_behind)
      all = {all.x, std::min(all.y, line.y), all.width,
             std::max(all.bottom(), line.bottom()) - std::min(all.y, line.y)};
  }
  return all;
}

}  // namespace

bool cover(DisplayList& list, const std::vector<std::string>& marks, const std::vector<std::string>& row) {
  constexpr double tint = 0.16;
  std::vector<Box> boxes;
  for (const std::string& mark : row) {
    const std::optional<Box> box = box_of(list, mark);
    if (!box || (!boxes.empty() && box->x < boxes.back().right() - 1.0)) return false;
    boxes.push_back(*box);
  }
  const Box all = height_of_row(boxes, list);
  const double gap = boxes.size() > 1 ? boxes[1].x - boxes[0].right() : 0.0;  // bars stand apart
  const Colour ink = black_or_white_on(list.background);
  const Colour fill = mixed(list.background, ink, tint);
  std::size_t covers = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::find(marks.begin(), marks.end(), row[i]) == marks.end()) continue;
    const Box box{boxes[i].x - gap / 2.0, all.y, boxes[i].width + gap, all.height};
    const std::string id = indexed(cover_id, covers++);
    list.items.push_back({id, FilledBox{box, fill}});
    const double size = std::min({box.width, box.height, 40.0}) * 0.5;
    list.items.push_back(
        {id + ".text", Sheet::place({"?", size, ink, fill, Weight::bold, {}}, {box.centre()})});
  }
  return true;
}

}  // namespace attnlab
