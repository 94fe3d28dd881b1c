// What a class got right, and which mistakes it made how often, as a figure.
#pragma once

#include "exercise/grading.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Bars: right, then the mistakes A, B, ... from the most frequent on, which the caption says; then what was
/// not handed in or could not be read. `problem` is what was asked.
Figure class_figure(const std::vector<Mark>& marks, const Text& problem);

}  // namespace attnlab
