// The words on a page: each within it, large enough to be read, over no other.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "plotting/layout/display_list.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {

inline void check_labels(const DisplayList& list) {
  std::vector<Corners> inks;
  std::vector<std::string> words;
  for (const Item& item : list.items) {
    const auto* label = std::get_if<Label>(&item.shape);
    if (label == nullptr) continue;
    INFO(item.id, " '", label->markup, "'");
    CHECK(label->size >= smallest_text);
    const Corners ink = ink_corners(*label);
    const Box box = bounds_of(ink);
    const bool is_inside =
        box.x >= 0.0 && box.y >= 0.0 && box.x + box.width <= list.width && box.y + box.height <= list.height;
    CHECK(is_inside);
    for (std::size_t i = 0; i < inks.size(); ++i) {
      if (overlap(inks[i], ink) <= 0.5) continue;
      INFO("over '", words[i], "'");
      CHECK(overlap(inks[i], ink) <= 0.5);
    }
    inks.push_back(ink);
    words.push_back(label->markup);
  }
  CHECK(!inks.empty());
}

}  // namespace attnlab
