// Words beside a mark: the nearest place where they cover no other letter and few lines.
#pragma once

#include <string>

#include "terminal_figure/canvas.hpp"
#include "terminal_figure/picture.hpp"

namespace attnlab::terminal_figure {

/// Where the words had best stand, seen from their mark: right and up are positive.
struct Direction {
  double right = 0.0;
  double up = 0.0;
};

/// Whether words may stand on the mark itself, which then is no mark but the middle of their place.
enum class Standing { beside, upon };

/// Whether the words found a place.
enum class Placed { yes, no };

struct Wish {
  Spot mark;
  Direction preferred;
  Standing standing = Standing::beside;
};

/// Writes into `picture`, as large as `dots`, which show through wherever it has no letters.
Placed place_words(const std::string& words, const Wish& wish, const Look& look, const DotCanvas& dots,
                   Picture& picture);

}  // namespace attnlab::terminal_figure
