// `attnlab all -o lecture.pdf`: every figure of every experiment in one file.
#pragma once

#include <string>
#include <vector>

#include "attnlab/output/figure_files.hpp"
#include "attnlab/output/render.hpp"

namespace attnlab {

/// Throws Error (usage) unless the file that `all` is to write can have pages.
void check_lecture(const OutputOptions& options);

/// The bytes of the pdf: a page for each figure, and in the outline a heading for each experiment.
/// `renderings` are in the order of experiments(), each planned as one pdf.
std::string paint_lecture(const std::vector<const Rendering*>& renderings, const Look& look);

}  // namespace attnlab
