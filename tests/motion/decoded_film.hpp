// Films read back by other code than what wrote them: giflib's reader, and libpng on each frame.
#pragma once

#include <string>
#include <vector>

#include "plotting/backends/backends.hpp"

namespace attnlab {

struct DecodedFilm {
  std::vector<Pixels> frames;  // as they are seen: each laid over the one before
  std::vector<int> centiseconds;
  bool repeats = false;
  std::string bytes_of_comment;
};

DecodedFilm decode_gif(const std::string& bytes);

/// A PNG's pixels.
Pixels decode_png(const std::string& bytes);

}  // namespace attnlab
