// What the marks of a figure answer: the values that they show, and the stages of the run that these are.
#pragma once

#include "page/series.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// Marks with a value each, in rows and columns: the cells of a map or a matrix, bars, arrows, points.
struct MarkGrid {
  std::string id;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;      // row-major
  std::vector<Text> row_names;     // "Query 2"; as many as rows, or none
  std::vector<Text> column_names;  // "Key 5"
  bool in_a_row = false;           // ids are `id[column]`, not `id[row,column]`
};

/// Those of a figure; cells without colour, which are to be filled in by hand, do not answer.
std::vector<MarkGrid> grids_of(const Figure& figure);

/// The stages of which the figure's grids show a part, and those that these were computed from element by
/// element, by softmax or by a product, in the order of the trace.
std::vector<Stage> answering_stages(const Figure& figure, const std::vector<Stage>& trace);

/// What a frame answers from.
struct AnsweringFrame {
  std::vector<MarkGrid> grids;
  std::vector<Stage> stages;
};

/// How many numbers a page holds before it leaves out the arithmetic.
constexpr std::size_t most_numbers = 200'000;

struct Answers {
  Json grids = Json::array();                // of all frames
  Json stages = Json::object();              // by name
  std::map<std::string, std::string> marks;  // "grid row column" by the ids of items; of rasters "grid"
  bool is_complete = true;                   // false: there were too many numbers
};

Answers answers_of(const std::vector<AnsweringFrame>& frames, SeriesTable& table);

}  // namespace attnlab
