#include "plotting/room.hpp"

#include <algorithm>

namespace attnlab {
namespace {

std::vector<Insets> united(const std::vector<Insets>& some, const std::vector<Insets>& others) {
  std::vector<Insets> result;
  for (std::size_t i = 0; i < some.size(); ++i) result.push_back(united(some[i], others[i]));
  return result;
}

}  // namespace

Insets united(const Insets& one, const Insets& other) {
  return {std::max(one.left, other.left), std::max(one.top, other.top), std::max(one.right, other.right),
          std::max(one.bottom, other.bottom)};
}

Room united(const Room& one, const Room& other) {
  Room room{std::max(one.title_rows, other.title_rows),
            std::max(one.caption_rows, other.caption_rows),
            std::min(one.panel_titles, other.panel_titles),
            std::max(one.titles_end, other.titles_end),
            {},
            {}};
  if (one.in_column.size() != other.in_column.size() || one.in_row.size() != other.in_row.size()) return room;
  room.in_column = united(one.in_column, other.in_column);
  room.in_row = united(one.in_row, other.in_row);
  return room;
}

}  // namespace attnlab
