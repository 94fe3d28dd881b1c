// Weights that exist already: what `draw` knows of them.
#pragma once

#include "attend/run.hpp"

namespace attnlab {

/// One of the weights: the first of equal ones.
struct PlacedWeight {
  std::size_t head = 0;
  std::size_t query = 0;
  std::size_t key = 0;
  double value = 0.0;
  bool leaves_out_single = false;  // there are larger ones, of queries with a single key
};

struct DrawnWeights {
  AttendRun run;           // their shapes, labels and maps
  Tensor<double> weights;  // (heads, queries, keys) of one layer
  bool is_row = false;     // the file's array has one axis, that of the keys
  std::size_t layer = 0;
  std::size_t layers = 1;
  std::size_t query = 0;                // of the bars
  std::optional<PlacedWeight> largest;  // among those that are drawn; nothing: all of them are NaN
  std::vector<Text> faults;             // why they are no weights
};

/// The largest number of these heads and queries, among the drawn keys. A query whose other numbers are all 0
/// has no choice: it counts only where all are such.
std::optional<PlacedWeight> largest_weight(const DrawnWeights& drawn, KeyRange heads, KeyRange queries);

/// "「are」" and "'are'": the label, or トークン 3, Token 3.
Text token_name(const std::vector<std::string>& labels, std::size_t place);

/// The maps of the heads; and what one query attends to as bars, a panel for each head.
Figure drawn_maps_figure(const DrawnWeights& drawn);
Figure drawn_row_figure(const DrawnWeights& drawn);

}  // namespace attnlab
