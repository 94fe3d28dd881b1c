// Makes figures of one kind comparable: what moves from one to the next is the data, not the axes.
#pragma once

#include <vector>

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// The same figures on one page size, with axes and colours that serve them all: the limits of an axis run
/// from the lowest to the highest that any frame has, a colour scale likewise (one that is symmetric in every
/// frame stays so), and captions name that range. Panels are matched by their place, so a frame may have more
/// of them than another.
std::vector<Figure> aligned(std::vector<Figure> frames);

}  // namespace attnlab
