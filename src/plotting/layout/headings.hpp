// The words around the panels: their titles, and the band of a film that tells which value a frame shows.
#pragma once

#include <string>

#include "plotting/figure/figure.hpp"
#include "plotting/layout/geometry.hpp"
#include "plotting/layout/sheet.hpp"

namespace attnlab {

/// From one line of text to the next, in sizes of the text.
constexpr double line_spacing = 1.36;

/// Equations below each other have their titles beside them: the height goes to the matrices.
bool titles_beside(const Figure& figure);

/// How much of the page's width titles beside take.
double width_for_title_beside(const Sheet& sheet);

/// One size for the titles above panels of that width: the style's, or smaller where a word would be broken.
double panel_title_size(const Figure& figure, Sheet& sheet, double width);

/// What a title of that size above a panel of that width takes; 0 without a title.
double panel_title_height(const Panel& panel, Sheet& sheet, double size, double width);

/// Above `data`, in lines no wider than `width`; returns how far it reaches to the right.
double draw_panel_title(const Panel& panel, Sheet& sheet, const Box& data, double size, double width,
                        const std::string& id);
void draw_title_beside(const Panel& panel, Sheet& sheet, const Box& data, const std::string& id);

/// The band below the title of a film's frame: which value this frame shows, and where it lies between the
/// first and the last. What it takes of the page's height.
double slider_height(const Style& style);

/// Name and value at the left margin, then the track with its ends. Values keep their place from frame to
/// frame: numbers stand with their decimal points below each other.
void draw_slider(const Slider& slider, Sheet& sheet, double top);

}  // namespace attnlab
