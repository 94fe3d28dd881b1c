// Pictures for slides: a figure without the title and the caption that the slide itself has.
#pragma once

#include "attnlab/lecture/lecture_building.hpp"
#include "attnlab/output/look.hpp"

namespace attnlab {

/// Without title and caption; a preset's page loses what these and the margins take on a slide.
Look slide_look(Look look);

/// Draws the picture as far as the lecture's outputs show it: into `drawn`, and as files for Beamer (PDF) and
/// Markdown (SVG). `command` is that of the run. Throws Error as other figures do.
void draw_slide_picture(const Figure& figure, const Lecture& lecture, const Look& look,
                        const std::string& command, BuiltFigure& drawn, std::vector<BuiltFile>& files);

}  // namespace attnlab
