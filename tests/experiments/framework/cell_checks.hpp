// What must hold of the cells of any figure on any page, read from its display list: they are square, their
// numbers keep clear of their edges and frames, and the figure uses the page.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

inline Box bounds_of_shape(const PageShape& shape) {
  if (const auto* filled = std::get_if<FilledBox>(&shape)) return filled->box;
  if (const auto* label = std::get_if<Label>(&shape)) return bounds_of(ink_corners(*label));
  if (const auto* raster = std::get_if<Raster>(&shape)) return raster->box;
  if (const auto* disc = std::get_if<Disc>(&shape)) {
    return {disc->centre.x - disc->radius, disc->centre.y - disc->radius, 2.0 * disc->radius,
            2.0 * disc->radius};
  }
  const auto& points = std::get<Path>(shape).points;
  Box box{points.front().x, points.front().y, 0.0, 0.0};
  for (const Position& point : points) box = united(box, {point.x, point.y, 0.0, 0.0});
  return box;
}

/// A matrix on the page: its cells by their ids, and how many rows and columns they have.
struct DrawnMatrix {
  std::map<std::string, Box> cells;
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool may_be_wide = false;  // an equation names its columns, or has numbers in its cells

  bool is_long() const { return std::max(rows, columns) > 8 * std::min(rows, columns); }
};

/// By id: "weights[1,2]" is a cell of "weights".
inline std::map<std::string, DrawnMatrix> matrices_on(const DisplayList& list) {
  std::map<std::string, DrawnMatrix> matrices;
  for (const Item& item : list.items) {
    const auto* filled = std::get_if<FilledBox>(&item.shape);
    const std::size_t bracket = item.id.rfind('[');
    const std::size_t comma = item.id.rfind(',');
    if (filled == nullptr || comma == std::string::npos || comma < bracket) continue;
    DrawnMatrix& matrix = matrices[item.id.substr(0, bracket)];
    matrix.cells[item.id] = filled->box;
    matrix.rows = std::max(matrix.rows, std::stoul(item.id.substr(bracket + 1)) + 1);
    matrix.columns = std::max(matrix.columns, std::stoul(item.id.substr(comma + 1)) + 1);
  }
  std::set<std::string> equations;  // the matrices of one have their names above them
  for (const Item& item : list.items)
    if (const std::size_t end = item.id.rfind(".name"); end != std::string::npos)
      equations.insert(item.id.substr(0, end));
  for (const Item& item : list.items) {
    const auto named = matrices.find(item.id.substr(0, item.id.rfind(".column[")));
    if (named != matrices.end()) named->second.may_be_wide = true;
    const bool is_number = item.id.size() > 6 && item.id.compare(item.id.size() - 6, 6, "].text") == 0;
    const auto numbered = matrices.find(item.id.substr(0, item.id.rfind('[')));
    if (is_number && numbered != matrices.end() && equations.count(numbered->first) == 1)
      numbered->second.may_be_wide = true;
  }
  return matrices;
}

/// Cells that are neither square nor of a matrix more than eight times as long as wide; where an equation
/// names columns or has numbers, all its cells may be wider than high.
inline std::vector<std::string> cells_not_square(const DisplayList& list) {
  constexpr double seam = 0.41;  // by which a cell may overlap one neighbour and not the other
  std::vector<std::string> found;
  constexpr double widest = 2.2;
  const std::map<std::string, DrawnMatrix> matrices = matrices_on(list);
  const bool may_be_wide =
      std::any_of(matrices.begin(), matrices.end(), [](const auto& one) { return one.second.may_be_wide; });
  for (const auto& [name, matrix] : matrices) {
    for (const auto& [id, box] : matrix.cells) {
      const double most = may_be_wide ? widest * box.height : box.height;
      if (!matrix.is_long() && (box.width < box.height - seam || box.width > most + seam))
        found.push_back(id);
    }
  }
  return found;
}

/// Numbers nearer to the edge of their cell than 4 % of its side, or met by its frame.
inline std::vector<std::string> numbers_at_edges(const DisplayList& list) {
  std::map<std::string, double> frames;
  for (const Item& item : list.items) {
    const std::size_t end = item.id.rfind(".frame");
    if (end != std::string::npos) frames[item.id.substr(0, end)] = std::get<Path>(item.shape).width / 2.0;
  }
  const std::map<std::string, DrawnMatrix> matrices = matrices_on(list);
  std::vector<std::string> found;
  for (const Item& item : list.items) {
    const std::size_t end = item.id.rfind(".text");
    if (end == std::string::npos) continue;
    const std::string id = item.id.substr(0, end);
    const auto matrix = matrices.find(id.substr(0, id.rfind('[')));
    if (matrix == matrices.end() || matrix->second.cells.count(id) == 0) continue;
    const Box& cell = matrix->second.cells.at(id);
    const Box ink = bounds_of_shape(item.shape);
    const double gap =
        std::min({ink.x - cell.x, ink.y - cell.y, cell.right() - ink.right(), cell.bottom() - ink.bottom()});
    const double frame = frames.count(id) == 0 ? 0.0 : frames.at(id);
    if (gap < std::max(frame, 0.04 * std::min(cell.width, cell.height))) found.push_back(id);
  }
  return found;
}

/// How much of the page within its margins, between title and caption, the figure reaches over.
inline double used_share(const DisplayList& list) {
  double top = 0.0;
  double bottom = list.height;
  double margin = list.width;
  for (const Item& item : list.items) {
    const Box box = bounds_of_shape(item.shape);
    if (item.id.rfind("title[", 0) == 0) top = std::max(top, box.bottom());
    if (item.id.rfind("title[", 0) == 0) margin = std::min(margin, box.x);
    if (item.id.rfind("caption[", 0) == 0) bottom = std::min(bottom, box.y);
  }
  Box used{list.width, bottom, 0.0, 0.0};
  bool first = true;
  for (const Item& item : list.items) {
    if (item.id.rfind("title[", 0) == 0 || item.id.rfind("caption[", 0) == 0) continue;
    used = first ? bounds_of_shape(item.shape) : united(used, bounds_of_shape(item.shape));
    first = false;
  }
  return used.width * used.height / ((list.width - 2.0 * margin) * (bottom - top));
}

}  // namespace attnlab
