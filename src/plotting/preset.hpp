// A page for a purpose: its size, its letters, its lines and margins, chosen together.
#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"
#include "plotting/figure/figure.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {

/// Whether the caption stands in the picture, or is left to the text around it.
enum class Captions { drawn, left_to_text };

struct Preset {
  std::string name;  // what --preset takes
  Text purpose;
  PageSize page;
  Measures measures;
  Captions captions = Captions::drawn;
};

/// slide-16x9, slide-4x3, book, column, poster, square. On slides no text is smaller than 18 points.
const std::vector<Preset>& presets();

/// Throws std::out_of_range for a name that none has.
const Preset& preset_named(const std::string& name);

}  // namespace attnlab
