// A second pass over the scores: each tile becomes weights, is summed up, and is forgotten.
#include "attention/weight_summary.hpp"

#include "attention/lanes.hpp"
#include "attention/streaming/kernel/aligned_memory.hpp"
#include "attention/streaming/kernel/kernel.hpp"
#include "core/constants.hpp"
#include "core/number_order.hpp"

namespace attnlab {
namespace {

bool holds(KeyRange range, std::size_t index) { return range.begin <= index && index < range.end; }

/// Where cell `cell` begins when `cells` share a range evenly.
std::size_t begin_of(std::size_t cell, KeyRange range, std::size_t cells) {
  return range.begin + (cell * (range.end - range.begin) + cells - 1) / cells;
}

/// The cell of an index in the range: the last that begins at or before it.
std::size_t cell_of(std::size_t index, KeyRange range, std::size_t cells) {
  return (index - range.begin) * cells / std::max<std::size_t>(1, range.end - range.begin);
}

/// What one block of queries adds to its matrix's summary.
struct Part {
  WeightStatistics sums;
  std::size_t first_cell_row = 0;
  Tensor<double> cells;  // (cell rows that the block touches, cell_columns)
};

Part empty_part(KeyRange queries, const MapSize& size) {
  Part part;
  const KeyRange drawn{std::max(queries.begin, size.queries.begin), std::min(queries.end, size.queries.end)};
  if (drawn.begin >= drawn.end) return part;
  part.first_cell_row = cell_of(drawn.begin, size.queries, size.cell_rows);
  const std::size_t last = cell_of(drawn.end - 1, size.queries, size.cell_rows);
  part.cells = Tensor<double>::from_shape({last - part.first_cell_row + 1, size.cell_columns});
  part.cells.fill(0.0);
  return part;
}

/// The weights of the keys from `keys.begin` on, into one row of cells. If one is NaN, all are.
template <class T>
void add_to_cells(const T* weights, KeyRange keys, const MapSize& size, double* cells) {
  const KeyRange drawn{std::max(keys.begin, size.keys.begin), std::min(keys.end, size.keys.end)};
  for (std::size_t begin = drawn.begin; begin < drawn.end;) {
    const std::size_t cell = cell_of(begin, size.keys, size.cell_columns);
    const std::size_t end = std::min(drawn.end, begin_of(cell + 1, size.keys, size.cell_columns));
    const T* first = weights + (begin - keys.begin);
    if (size.pool == Pool::maximum) {
      const T largest = std::isnan(*first) ? *first : largest_of(T(0), first, end - begin);
      cells[cell] = larger(cells[cell], static_cast<double>(largest));
    } else {
      cells[cell] += static_cast<double>(std::accumulate(first, first + (end - begin), T(0)));
    }
    begin = end;
  }
}

/// What the weights of one query sum to.
struct WeightSums {
  double weight_log = 0.0;  // sum of w ln w
  double distance = 0.0;    // sum of w |place - key|
  double largest = 0.0;
};

void add_sums(const WeightSums& sums, WeightStatistics& statistics) {
  statistics.entropy -= sums.weight_log;
  statistics.distance += sums.distance;
  statistics.largest += sums.largest;
  ++statistics.queries;
}

/// The weights that a query, which stands at `own`, gives the keys from `keys.begin` on: those at the places
/// that have a statistic of their own, and those that are drawn.
template <class T>
void add_row(const T* weights, KeyRange keys, std::size_t query, std::int64_t own, const MapSize& size,
             Part& part) {
  const auto weight_on = [&](std::int64_t key) {
    const bool is_here = key >= 0 && holds(keys, static_cast<std::size_t>(key));
    return is_here ? static_cast<double>(weights[static_cast<std::size_t>(key) - keys.begin]) : 0.0;
  };
  part.sums.on_first += weight_on(0);
  part.sums.on_own += weight_on(own);
  part.sums.on_previous += weight_on(own - 1);
  if (!holds(size.queries, query)) return;
  const std::size_t cell_row = cell_of(query, size.queries, size.cell_rows) - part.first_cell_row;
  add_to_cells(weights, keys, size, part.cells.data() + cell_row * size.cell_columns);
}

// --- The second pass: panels of queries and tiles of keys, as in the first

/// A panel's rows in the kernel's layout, and what its weights sum to.
template <class T>
struct WeighedPanel {
  KeyRange queries;
  std::size_t width;  // queries side by side
  AlignedMemory<T> memory;
  T* maximum;
  T* sum;
  T* log_sum;
  T* place;  // counted from the first key of the tile
  PanelSums<T> sums;
  T* query;  // (d_k, panel)
  T* scores;

  WeighedPanel(KeyRange queries_, std::size_t width_, std::size_t d_k)
      : queries(queries_),
        width(width_),
        memory(width_ * (7 + d_k + keys_of_tile)),
        maximum(memory.data()),
        sum(maximum + width),
        log_sum(sum + width),
        place(log_sum + width),
        sums{place + width, place + 2 * width, place + 3 * width},
        query(place + 4 * width),
        scores(query + d_k * width) {}
};

template <class T>
void summarise_panel(const PanelKernel<T>& kernel, const ScoreTiles<T>& tiles, std::size_t matrix,
                     WeighedPanel<T>& panel, const MapSize& size, const RowState<T>* rows, Part& part) {
  const std::size_t queries = panel.queries.end - panel.queries.begin;
  tiles.pack(matrix, panel.queries, panel.width, panel.query);
  for (std::size_t i = 0; i < panel.width; ++i) {
    panel.maximum[i] = i < queries ? rows[i].maximum : T(0);
    panel.sum[i] = i < queries ? rows[i].sum : T(1);
    panel.log_sum[i] = std::log(panel.sum[i]);
  }
  std::vector<WeightSums> sums(queries);
  std::array<T, keys_of_tile> row{};  // of one query
  const KeyRange readable = tiles.readable(panel.queries);
  for (std::size_t begin = readable.begin; begin < readable.end; begin += keys_of_tile) {
    const KeyRange keys{begin, std::min(begin + keys_of_tile, readable.end)};
    const std::size_t count = keys.end - keys.begin;
    kernel.scores(panel.query, tiles.key(matrix, begin), count, tiles.width(), queries, tiles.scale(),
                  panel.scores);
    tiles.mask({matrix, panel.queries, keys}, {panel.scores, 1, panel.width});
    for (std::size_t i = 0; i < queries; ++i) {
      panel.place[i] =
          static_cast<T>(tiles.place_of(panel.queries.begin + i) - static_cast<std::int64_t>(begin));
    }
    kernel.weights(panel.scores, count, queries, {panel.maximum, panel.sum, panel.log_sum, panel.place},
                   panel.sums);
    for (std::size_t i = 0; i < queries; ++i) {
      if (reads_nothing(rows[i])) continue;
      sums[i].weight_log += static_cast<double>(panel.sums.weight_log[i]);
      sums[i].distance += static_cast<double>(panel.sums.distance[i]);
      sums[i].largest = larger(sums[i].largest, static_cast<double>(panel.sums.largest[i]));
      for (std::size_t key = 0; key < count; ++key) row[key] = panel.scores[key * panel.width + i];
      const std::size_t query = panel.queries.begin + i;
      add_row(row.data(), keys, query, tiles.place_of(query), size, part);
    }
  }
  for (std::size_t i = 0; i < queries; ++i) {
    if (!reads_nothing(rows[i])) add_sums(sums[i], part.sums);
  }
}

/// The weights of one block of queries, panel after panel.
template <class T>
Part summarise_block(const PanelKernel<T>& kernel, const ScoreTiles<T>& tiles, const QueryBlock& block,
                     const MapSize& size, const RowState<T>* rows) {
  Part part = empty_part(block.queries, size);
  for (std::size_t begin = block.queries.begin; begin < block.queries.end; begin += kernel.panel) {
    WeighedPanel<T> panel({begin, std::min(begin + kernel.panel, block.queries.end)}, kernel.panel,
                          tiles.width());
    summarise_panel(kernel, tiles, block.matrix, panel, size, rows + (begin - block.queries.begin), part);
  }
  return part;
}

constexpr std::array averaged{&WeightStatistics::entropy,  &WeightStatistics::largest,
                              &WeightStatistics::distance, &WeightStatistics::on_first,
                              &WeightStatistics::on_own,   &WeightStatistics::on_previous};

void add(const WeightStatistics& more, WeightStatistics& sums) {
  for (const auto number : averaged) sums.*number += more.*number;
  sums.queries += more.queries;
}

WeightStatistics mean_of(WeightStatistics sums) {
  const auto n = static_cast<double>(sums.queries);  // 0 / 0: NaN when no query reads anything
  for (const auto number : averaged) sums.*number /= n;
  return sums;
}

void enter(const Part& part, Pool pool, Tensor<double>& map) {
  if (part.cells.size() == 0) return;
  double* to = map.data() + part.first_cell_row * map.shape()[1];
  for (std::size_t i = 0; i < part.cells.size(); ++i) {
    to[i] = pool == Pool::maximum ? larger(to[i], part.cells.flat(i)) : to[i] + part.cells.flat(i);
  }
}

/// Sums become means over the weights that readable queries give to each cell; a row of cells whose queries
/// read nothing becomes what such a row of weights is.
void finish(Tensor<double>& map, const MapSize& size, const RowFlags& nothing_read, std::size_t first_row,
            double without_keys) {
  for (std::size_t i = 0; i < size.cell_rows; ++i) {
    const auto row = nothing_read.begin() + static_cast<std::ptrdiff_t>(first_row);
    const auto first = static_cast<std::ptrdiff_t>(begin_of(i, size.queries, size.cell_rows));
    const auto last = static_cast<std::ptrdiff_t>(begin_of(i + 1, size.queries, size.cell_rows));
    const auto reading = std::count(row + first, row + last, false);
    for (std::size_t j = 0; j < size.cell_columns; ++j) {
      const std::size_t keys =
          begin_of(j + 1, size.keys, size.cell_columns) - begin_of(j, size.keys, size.cell_columns);
      if (size.pool == Pool::mean) map(i, j) /= static_cast<double>(reading) * static_cast<double>(keys);
      if (reading == 0) map(i, j) = without_keys;
    }
  }
}

double weight_without_keys(MaskedRow rule, std::size_t keys) {
  if (rule == MaskedRow::nan) return not_a_number;
  return rule == MaskedRow::zero ? 0.0 : 1.0 / static_cast<double>(keys);
}

/// Empty maps for `matrices` matrices, to be filled by enter() and finish().
std::vector<WeightSummary> empty_summaries(std::size_t matrices, const MapSize& size) {
  std::vector<WeightSummary> summaries(matrices);
  for (WeightSummary& summary : summaries) {
    summary.map = Tensor<double>::from_shape({size.cell_rows, size.cell_columns});
    summary.map.fill(0.0);
  }
  return summaries;
}

/// What the weights (keys) of one query sum to.
template <class T>
WeightSums sums_of(const T* weights, std::size_t keys, std::int64_t own) {
  T weight_log = 0;
  T distance = 0;
  T largest = 0;
  for (std::size_t key = 0; key < keys; ++key) {
    const T weight = weights[key];
    if (weight != T(0)) weight_log += weight * std::log(weight);
    distance += weight * static_cast<T>(std::abs(own - static_cast<std::int64_t>(key)));
    largest = larger(largest, weight);
  }
  return {static_cast<double>(weight_log), static_cast<double>(distance), static_cast<double>(largest)};
}

}  // namespace

template <class T>
RowFlags rows_that_read_nothing(const std::vector<RowState<T>>& rows) {
  RowFlags flags(rows.size());
  std::transform(rows.begin(), rows.end(), flags.begin(),
                 [](const RowState<T>& row) { return reads_nothing(row); });
  return flags;
}

template <class T>
RowFlags rows_that_read_nothing(const Tensor<T>& masked) {
  const std::size_t keys = masked.shape().back();
  RowFlags flags(keys == 0 ? 0 : masked.size() / keys);
  for (std::size_t row = 0; row < flags.size(); ++row) {
    const T* scores = masked.data() + row * keys;
    flags[row] = std::all_of(scores, scores + keys,
                             [](T score) { return score == -std::numeric_limits<T>::infinity(); });
  }
  return flags;
}

template <class T>
std::vector<WeightSummary> summarise_weights(const Tensor<T>& query, const Tensor<T>& key,
                                             const ScoreOptions<T>& options,
                                             const std::vector<RowState<T>>& rows, const MapSize& size,
                                             MaskedRow masked_row, const ForEach& for_each) {
  const ScoreTiles<T> tiles(query, key, options);
  const std::vector<QueryBlock> blocks = tiles.blocks();
  const PanelKernel<T>& kernel = panel_kernel<T>(simd_target());
  std::vector<Part> parts(blocks.size());
  for_each(blocks.size(), [&](std::size_t index) {
    parts[index] = summarise_block(kernel, tiles, blocks[index], size, rows.data() + blocks[index].first_row);
  });

  std::vector<WeightSummary> summaries = empty_summaries(tiles.matrices(), size);
  std::vector<WeightStatistics> sums(summaries.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    add(parts[i].sums, sums[blocks[i].matrix]);
    enter(parts[i], size.pool, summaries[blocks[i].matrix].map);
  }
  const RowFlags nothing_read = rows_that_read_nothing(rows);
  for (std::size_t matrix = 0; matrix < summaries.size(); ++matrix) {
    summaries[matrix].statistics = mean_of(sums[matrix]);
    finish(summaries[matrix].map, size, nothing_read, matrix * tiles.queries(),
           weight_without_keys(masked_row, tiles.keys()));
  }
  return summaries;
}

template <class T>
std::vector<WeightSummary> summarise_weights(const Tensor<T>& weights, const RowFlags& nothing_read,
                                             const MapSize& size, MaskedRow masked_row,
                                             CausalAlignment alignment) {
  const std::size_t keys = weights.shape().back();
  const std::size_t queries = weights.shape()[weights.dimension() - 2];
  std::vector<WeightSummary> summaries = empty_summaries(nothing_read.size() / queries, size);
  for (std::size_t matrix = 0; matrix < summaries.size(); ++matrix) {
    Part part = empty_part({0, queries}, size);
    for (std::size_t query = 0; query < queries; ++query) {
      const std::size_t row = matrix * queries + query;
      if (nothing_read[row]) continue;
      const T* row_weights = weights.data() + row * keys;
      const std::int64_t own = place_among_keys(query, queries, keys, alignment);
      add_sums(sums_of(row_weights, keys, own), part.sums);
      add_row(row_weights, {0, keys}, query, own, size, part);
    }
    summaries[matrix].statistics = mean_of(part.sums);
    enter(part, size.pool, summaries[matrix].map);
    finish(summaries[matrix].map, size, nothing_read, matrix * queries,
           weight_without_keys(masked_row, keys));
  }
  return summaries;
}

template std::vector<WeightSummary> summarise_weights(const Tensor<float>&, const Tensor<float>&,
                                                      const ScoreOptions<float>&,
                                                      const std::vector<RowState<float>>&, const MapSize&,
                                                      MaskedRow, const ForEach&);
template std::vector<WeightSummary> summarise_weights(const Tensor<double>&, const Tensor<double>&,
                                                      const ScoreOptions<double>&,
                                                      const std::vector<RowState<double>>&, const MapSize&,
                                                      MaskedRow, const ForEach&);
template std::vector<WeightSummary> summarise_weights(const Tensor<float>&, const RowFlags&, const MapSize&,
                                                      MaskedRow, CausalAlignment);
template std::vector<WeightSummary> summarise_weights(const Tensor<double>&, const RowFlags&, const MapSize&,
                                                      MaskedRow, CausalAlignment);
template RowFlags rows_that_read_nothing(const std::vector<RowState<float>>&);
template RowFlags rows_that_read_nothing(const std::vector<RowState<double>>&);
template RowFlags rows_that_read_nothing(const Tensor<float>&);
template RowFlags rows_that_read_nothing(const Tensor<double>&);

}  // namespace attnlab
