// What every kind of panel offers the page: how much room its surroundings need, and drawing into a box. The
// words around the panels: their titles, and the band of a film that tells which value a frame shows.
#pragma once

#include "plotting/layout/cells.hpp"
#include "plotting/layout/layout.hpp"

namespace attnlab {

/// Who draws a thing around the panel: the panel itself, or its neighbour or the figure for several.
enum class Drawn { here, elsewhere };

/// How series are named: in words beside their marks where all find a place, or in a legend, which stays
/// where it is when the marks move.
enum class Names { beside_marks, in_legend };

/// What heat maps on one scale have in common.
struct CommonCells {
  Extent cell;
  NumberForm numbers;
};

/// The largest cells that so much width and height for each allow: square, except in maps of which every one
/// is more than eight times as long as wide. These are stretched across until the least long is eight times
/// as long as wide, as far as there is room: a single row of 512 weights would be a thread.
CommonCells cells_for(const std::vector<const HeatMap*>& maps, const Sheet& sheet, const Extent& space);

/// Whether cells of that size are too small for the name of every row and column.
bool leaves_out_names(const HeatMap& map, const Sheet& sheet, const Extent& cell);

struct Surroundings {
  Drawn colour_bar = Drawn::here;
  Drawn row_names = Drawn::here;     // left of the data: row names, y ticks, the y title
  Drawn column_names = Drawn::here;  // below the data
  Names series = Names::beside_marks;
  std::optional<CommonCells> cells = {};  // of heat maps that are compared with each other
  Extent data;                            // the panel's share of the page, which titles of axes keep to
};

/// `data` is the size that the data area will have; ids of axes and bars start with `prefix`.
Insets insets_of(const HeatMap& map, Sheet& sheet, const Extent& data, const Surroundings& around);
Insets insets_of(const Chart& chart, Sheet& sheet, const Extent& data, const Surroundings& around);
template <class WithoutSurroundings>
Insets insets_of(const WithoutSurroundings&, Sheet&, const Extent&, const Surroundings&) {
  return {};
}

/// Draws into its filled part of the data area; returns the box used, with what a chart writes above it.
Box draw(const HeatMap& map, Sheet& sheet, const Box& area, const std::string& prefix,
         const Surroundings& around);
Box draw(const Chart& chart, Sheet& sheet, const Box& area, const std::string& prefix,
         const Surroundings& around);
Box draw(const MatrixEquation& equation, Sheet& sheet, const Box& area, const std::string& prefix,
         const Surroundings& around);
Box draw(const Diagram& diagram, Sheet& sheet, const Box& area, const std::string& prefix,
         const Surroundings& around);
Box draw(const Arcs& arcs, Sheet& sheet, const Box& area, const std::string& prefix,
         const Surroundings& around);

/// The part of an area that the picture fills by its own shape: in the middle, or all of it.
Box filled_part(const HeatMap& map, const Box& area, const Surroundings& around);
Box filled_part(const Chart& chart, const Box& area, const Surroundings& around);
template <class WithoutShape>
Box filled_part(const WithoutShape&, const Box& area, const Surroundings&) {
  return area;
}

/// Width over height that a chart takes of itself; 0 where it fills whatever it gets.
double natural_aspect(const Chart& chart);

/// Whether the names of all series find a place beside them in a chart of that size; a chart without names
/// has room.
Names naming(const Chart& chart, const Sheet& sheet, const Extent& data, const Surroundings& around);

/// How freely arrows and words stand in an area of that size, the larger the better.
double ease(const Diagram& diagram, Sheet& sheet, const Extent& data);

/// The rows of cells that the equation's highest matrix has, and as many again as its captions take.
double needed_rows(const MatrixEquation& equation);

/// The size of the cells in an area of that size (the side of a square as large); 0 where the equation does
/// not fit.
double cell_size(const MatrixEquation& equation, const Sheet& sheet, const Extent& data);

/// The largest box of that aspect (width over height) in the middle of `box`; aspect 0 takes all of it.
Box fitted(const Box& box, double aspect);

/// A colour bar upright to the right of the data, or lying below it, the ends of its range always printed;
/// and the room it needs in either place.
double colour_bar_width(const ColourScale& scale, Sheet& sheet, double height);
double colour_bar_depth(const Style& style);
void draw_colour_bar(const ColourScale& scale, Coloured what, Sheet& sheet, const Box& data,
                     const std::string& prefix, BarPlace place = BarPlace::beside);

/// From one line of text to the next, in sizes of the text.
constexpr double line_spacing = 1.36;

/// How much of the page's width titles beside panels take: enough for their longest word.
double width_for_title_beside(const Figure& figure, const Sheet& sheet);

/// Whether every title beside its panel is at most so high.
bool titles_fit_beside(const Figure& figure, Sheet& sheet, double height);

/// One size for the titles above panels of that width: the style's, or smaller where a word would be broken.
double panel_title_size(const Figure& figure, Sheet& sheet, double width);

/// Whether a word of a panel's title has no room in a line of that width.
bool breaks_a_word(const Figure& figure, Sheet& sheet, double size, double width);

/// What a title of that size above a panel of that width takes; 0 without a title.
double panel_title_height(const Panel& panel, Sheet& sheet, double size, double width);

/// Above `data`, in lines no wider than `width`; returns from where to where it reaches.
Interval draw_panel_title(const Panel& panel, Sheet& sheet, const Box& data, double size, double width,
                          const std::string& id);
/// In the middle of `strip`, from its left edge.
void draw_title_beside(const Panel& panel, Sheet& sheet, const Box& strip, const std::string& id);

/// The title of an axis, in lines as long as its panel; no word is broken.
std::vector<std::string> axis_title(const Text& title, Sheet& sheet, double length);
/// How far the lines reach away from the data.
double axis_title_depth(const std::vector<std::string>& lines, const Style& style);
/// Across below the data, or upwards on its left: `middle` is on the side towards the data.
enum class Reading { across, upwards };
void draw_axis_title(const std::vector<std::string>& lines, Reading reading, Sheet& sheet,
                     const Position& middle, const std::string& id);

/// The band below the title of a film's frame: which value this frame shows, and where it lies between the
/// first and the last. What it takes of the page's height.
double slider_height(const Style& style);

/// Name and value at the left margin, then the track with its ends. Values keep their place from frame to
/// frame: numbers stand with their decimal points below each other.
void draw_slider(const Slider& slider, Sheet& sheet, double top);

}  // namespace attnlab
