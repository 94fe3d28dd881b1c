// What differs between a frame and the one before it: only that is written.
#pragma once

#include <cstddef>

#include "plotting/pixels.hpp"

namespace attnlab {

struct Part {
  std::size_t left = 0;
  std::size_t top = 0;
  std::size_t width = 1;
  std::size_t height = 1;
};

/// The smallest rectangle that holds every pixel that differs; a single pixel when none does, because a frame
/// must have one.
Part changed_part(const Pixels& before, const Pixels& after);

/// All of the picture.
Part whole(const Pixels& pixels);

}  // namespace attnlab
