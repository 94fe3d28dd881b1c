#include "page/rasters.hpp"

namespace attnlab {
namespace {

/// The cells of a map, in the order in which they are painted: row by row.
struct CellRun {
  std::vector<const FilledBox*> boxes;
  std::size_t columns = 0;

  bool is_whole() const { return columns > 0 && boxes.size() % columns == 0; }
};

/// "weights[2,5]" -> "weights"; "" for what is no cell.
std::string map_of(const Item& item) {
  const std::size_t open = item.id.rfind('[');
  if (!std::holds_alternative<FilledBox>(item.shape) || open == std::string::npos || item.id.back() != ']' ||
      item.id.find(',', open) == std::string::npos)
    return "";
  return item.id.substr(0, open);
}

std::map<std::string, CellRun> runs_in(const DisplayList& list) {
  std::map<std::string, CellRun> runs;
  for (const Item& item : list.items) {
    const std::string map = map_of(item);
    if (map.empty()) continue;
    CellRun& run = runs[map];
    const auto& box = std::get<FilledBox>(item.shape);
    run.boxes.push_back(&box);
    if (box.box.y == run.boxes.front()->box.y) ++run.columns;
  }
  return runs;
}

bool becomes_raster(const CellRun& run) {
  if (run.boxes.size() <= most_page_cells || run.columns < 2 || !run.is_whole()) return false;
  if (run.boxes.front()->opacity < 1.0) return false;  // a picture shows through
  return run.boxes[0]->box.right() >= run.boxes[1]->box.x;
}

Raster raster_of(const CellRun& run) {
  Raster raster{run.boxes.front()->box, run.boxes.size() / run.columns, run.columns, {}};
  raster.box = united(raster.box, run.boxes.back()->box);
  raster.pixels.reserve(run.boxes.size());
  for (const FilledBox* box : run.boxes) raster.pixels.push_back(box->fill);
  return raster;
}

}  // namespace

DisplayList with_rasters(const DisplayList& list) {
  const std::map<std::string, CellRun> runs = runs_in(list);
  DisplayList with{list.width, list.height, list.background, {}};
  for (const Item& item : list.items) {
    const auto run = runs.find(map_of(item));
    if (run == runs.end() || !becomes_raster(run->second)) {
      with.items.push_back(item);
    } else if (run->second.boxes.front() == std::get_if<FilledBox>(&item.shape)) {
      with.items.push_back({run->first, raster_of(run->second)});
    }
  }
  return with;
}

}  // namespace attnlab
