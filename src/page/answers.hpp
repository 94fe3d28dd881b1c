// What the marks of a figure answer: the values that they show, and the stages of the run that these are.
#pragma once

#include "page/series.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// Marks in rows and columns: the cells of a map or a matrix, bars, arrows, points, the corners of a curve,
/// the boxes and arrows of a diagram.
struct MarkGrid {
  std::string id;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;      // row-major; none where places or names say all
  std::vector<Text> row_names;     // "Query 2"; as many as rows, or none
  std::vector<Text> column_names;  // "Key 5"
  bool in_a_row = false;           // ids are `id[column]`, not `id[row,column]`
  Text series = Text::none();      // what the points of a chart are called together
  Text x_title = Text::none();
  std::vector<double> x = {};  // where points, corners and tips of arrows stand
  std::vector<double> y = {};  // of tips alone: those of points are their values
  bool is_curve = false;       // its corners have no ids of their own
  /// Of a diagram, whose marks have ids of their own: boxes, then as many arrows, each between two boxes, or
  /// empty where another frame has it.
  std::vector<std::string> ids = {};
  std::vector<std::vector<std::size_t>> ends = {};
  bool queries = false;                  // words: on a page only the lines of one are left
  std::optional<std::size_t> head = {};  // of lines between words
  std::string chooses = {};              // the parameter that a mark under the pointer sets to its value
  StageRows shows = {};                  // what its values are
};

/// What the display list calls a mark.
std::string mark_id(const MarkGrid& grid, std::size_t row, std::size_t column);

/// Those of a figure; cells without colour, which are to be filled in by hand, do not answer.
std::vector<MarkGrid> grids_of(const Figure& figure);

/// The stages whose rows the figure's grids show, and those that these were computed from element by
/// element, by softmax or by a product, in the order of the trace.
std::vector<Stage> answering_stages(const Figure& figure, const std::vector<Stage>& trace);

/// What a frame answers from.
struct AnsweringFrame {
  std::vector<MarkGrid> grids;
  std::vector<Stage> stages;
};

/// Gives each diagram the boxes and arrows that it has in any frame, so that a mark has one place in all.
/// Those of other frames have no name.
void align_diagrams(std::vector<AnsweringFrame>& frames);

/// How many numbers a page holds: the stages of frames that have more in all are to be left out.
constexpr std::size_t most_numbers = 200'000;

struct Answers {
  Json grids = Json::array();    // of all frames
  Json stages = Json::object();  // by name
  std::map<std::string, std::string>
      marks;  // "grid row column" by the ids of items; of rasters, curves "grid"
};

Answers answers_of(const std::vector<AnsweringFrame>& frames, SeriesTable& table);

}  // namespace attnlab
