// What the tests of the layout share: a figure laid out in English on light paper, and its items by their
// ids.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "plotting/layout/layout.hpp"

namespace attnlab {

inline DisplayList list_of(const Figure& figure) {
  return lay_out(figure, {Language::en, Theme::light, figure.page}).list;
}

inline std::vector<const Item*> items_like(const DisplayList& list, const std::string& beginning) {
  std::vector<const Item*> found;
  for (const Item& item : list.items)
    if (item.id.rfind(beginning, 0) == 0) found.push_back(&item);
  return found;
}

/// The shape of the item of that id, which must be on the page once.
template <class Shape>
const Shape& shape_of(const DisplayList& list, const std::string& id) {
  const Shape* shape = nullptr;
  for (const Item& item : list.items)
    if (item.id == id) shape = std::get_if<Shape>(&item.shape);
  REQUIRE_MESSAGE(shape != nullptr, id);
  return *shape;
}

inline const Box& box_of(const Item& item) { return std::get<FilledBox>(item.shape).box; }

}  // namespace attnlab
