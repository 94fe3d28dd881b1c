// Blocks of queries are independent of each other; each walks once over the blocks of keys.
#include "attention/streaming/streaming_attention.hpp"

#include "attention/hidden_values.hpp"
#include "attention/streaming/kernel/aligned_memory.hpp"
#include "attention/streaming/kernel/kernel.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

/// For each matrix of the scores, the matrix of values that it reads.
std::vector<std::size_t> value_matrices(const Shape& value, const Shape& batch, std::size_t keys) {
  if (value.size() >= 2 && value[value.size() - 2] == keys && joined_heads(batch, batch_of(value)) == batch) {
    return operand_matrices(batch_of(value), batch);
  }
  Shape needed = batch;
  needed.insert(needed.end(), {keys, value.empty() ? 1 : value.back()});
  refuse_usage(text("バリューの形状 {} は {} に合いません", "values of shape {} do not broadcast to {}",
                    printed(value), printed(needed)),
               {"キー 1 個につきバリューを 1 個与えてください", "give one value for each key"});
}

template <class T>
void multiply_row(T* row, std::size_t count, T factor) {
  for (std::size_t i = 0; i < count; ++i) row[i] *= factor;
}

/// What a query reads that may read nothing.
template <class T>
void fill_masked_row(MaskedRow rule, MatrixView<const T> values, T* output) {
  std::fill_n(output, values.columns, rule == MaskedRow::nan ? std::numeric_limits<T>::quiet_NaN() : T(0));
  if (rule != MaskedRow::uniform) return;
  for (std::size_t key = 0; key < values.rows; ++key) {
    for (std::size_t i = 0; i < values.columns; ++i) output[i] += values.data[key * values.stride + i];
  }
  multiply_row(output, values.columns, 1 / static_cast<T>(values.rows));
}

/// Queries side by side, and what is known of them so far: see kernel/kernel.hpp.
template <class T>
struct Panel {
  KeyRange queries;
  KeyRange readable;
  T* query;   // (d_k, panel)
  T* output;  // (d_v, panel)
  T* maximum;
  T* sum;
};

/// Reads one tile of keys.
template <class T>
void take_tile(const PanelKernel<T>& kernel, const ScoreTiles<T>& tiles, const TilePlace& place,
               MatrixView<const T> values, const Panel<T>& panel, T* scores, T* factor) {
  const std::size_t keys = place.keys.end - place.keys.begin;
  const std::size_t queries = place.queries.end - place.queries.begin;
  kernel.scores(panel.query, tiles.key(place.matrix, place.keys.begin), keys, tiles.width(), queries,
                tiles.scale(), scores);
  tiles.mask(place, {scores, 1, kernel.panel});
  kernel.take(scores, keys, queries, panel.maximum, panel.sum, factor);
  kernel.add_values(scores, values.data + place.keys.begin * values.stride, keys, values.columns, queries,
                    factor, panel.output);
}

/// The panel's sums become its rows of the output (queries, d_v).
template <class T>
void finish(const Panel<T>& panel, std::size_t width, MaskedRow masked_row, MatrixView<const T> values,
            T* output, RowState<T>* rows) {
  for (std::size_t i = 0; i < panel.queries.end - panel.queries.begin; ++i) {
    T* row = output + i * values.columns;
    rows[i] = {panel.maximum[i], panel.sum[i]};
    if (reads_nothing(rows[i])) {
      fill_masked_row(masked_row, values, row);
      continue;
    }
    const T factor = 1 / rows[i].sum;
    for (std::size_t j = 0; j < values.columns; ++j) row[j] = panel.output[j * width + i] * factor;
  }
}

/// One block of queries: output (block, d_v) and rows (block).
template <class T>
void attend(const PanelKernel<T>& kernel, const ScoreTiles<T>& tiles, const QueryBlock& block,
            MatrixView<const T> values, MaskedRow masked_row, T* output, RowState<T>* rows) {
  const std::size_t width = kernel.panel;
  const std::size_t space = (tiles.width() + values.columns + 2) * width;
  const std::size_t count = (block.queries.end - block.queries.begin + width - 1) / width;
  const AlignedMemory<T> memory(count * space + (keys_of_tile + 1) * width);
  std::vector<Panel<T>> panels;
  for (std::size_t p = 0; p < count; ++p) {
    const std::size_t begin = block.queries.begin + p * width;
    const KeyRange queries{begin, std::min(begin + width, block.queries.end)};
    T* query = memory.data() + p * space;
    T* sums = query + tiles.width() * width;
    T* maximum = sums + values.columns * width;
    tiles.pack(block.matrix, queries, width, query);
    std::fill_n(maximum, width, RowState<T>().maximum);
    panels.push_back({queries, tiles.readable(queries), query, sums, maximum, maximum + width});
  }
  T* scores = memory.data() + count * space;
  const KeyRange readable = tiles.readable(block.queries);
  for (std::size_t begin = readable.begin; begin < readable.end; begin += keys_of_tile) {
    for (const Panel<T>& panel : panels) {
      const KeyRange keys{std::max(begin, panel.readable.begin),
                          std::min(begin + keys_of_tile, panel.readable.end)};
      if (keys.begin >= keys.end) continue;
      take_tile<T>(kernel, tiles, {block.matrix, panel.queries, keys}, values, panel, scores,
                   scores + keys_of_tile * width);
    }
  }
  for (const Panel<T>& panel : panels) {
    const std::size_t row = panel.queries.begin - block.queries.begin;
    finish(panel, width, masked_row, values, output + row * values.columns, rows + row);
  }
}

// --- Few queries over many keys. There are too few blocks of queries for all threads: the keys are split,
// too.

/// Keys of one part; a number that no machine changes, so that the result has the same bits everywhere.
constexpr std::size_t keys_of_part = 4096;

/// One query over one part of the keys: its maximum, its sum and its output (d_v) so far.
template <class T>
struct PartialRow {
  RowState<T> row;
  std::vector<T> output;
};

template <class T>
void attend_row(const RowKernel<T>& kernel, const ScoreTiles<T>& tiles, TilePlace place,
                MatrixView<const T> values, PartialRow<T>& partial) {
  constexpr std::size_t keys_at_once = 256;
  const AlignedMemory<T> scores(keys_at_once + 64 / sizeof(T));
  const KeyRange all = place.keys;
  for (std::size_t begin = all.begin; begin < all.end; begin += keys_at_once) {
    place.keys = {begin, std::min(begin + keys_at_once, all.end)};
    const std::size_t keys = place.keys.end - begin;
    kernel.scores(tiles.query(place.matrix, place.queries.begin), tiles.key(place.matrix, begin), keys,
                  tiles.width(), tiles.scale(), scores.data());
    tiles.mask(place, {scores.data(), keys, 1});
    const T factor = kernel.take(scores.data(), keys, &partial.row.maximum, &partial.row.sum);
    kernel.add_values(scores.data(), values.data + begin * values.stride, keys, values.columns, factor,
                      partial.output.data());
  }
}

/// The parts' sums, each shrunk to the largest maximum: flash-decoding (Dao et al. 2023).
template <class T>
RowState<T> join_parts(const PartialRow<T>* parts, std::size_t count, MatrixView<const T> values,
                       MaskedRow masked_row, T* output) {
  RowState<T> all;
  for (std::size_t i = 0; i < count; ++i) all.maximum = std::max(all.maximum, parts[i].row.maximum);
  std::fill_n(output, values.columns, T(0));
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_empty = reads_nothing(parts[i].row);
    const T factor = is_empty ? T(0) : std::exp(parts[i].row.maximum - all.maximum);
    all.sum += factor * parts[i].row.sum;
    for (std::size_t d = 0; d < values.columns && !is_empty; ++d) output[d] += factor * parts[i].output[d];
  }
  if (reads_nothing(all)) {
    fill_masked_row(masked_row, values, output);
  } else {
    multiply_row(output, values.columns, 1 / all.sum);
  }
  return all;
}

template <class T, class ValuesOf>
void attend_few(const RowKernel<T>& kernel, const ScoreTiles<T>& tiles, const ValuesOf& values_of,
                MaskedRow masked_row, const ForEach& for_each, StreamingAttention<T>& result) {
  const std::size_t parts = (tiles.keys() + keys_of_part - 1) / keys_of_part;
  const std::size_t rows = tiles.matrices() * tiles.queries();
  std::vector<PartialRow<T>> partial(rows * parts);
  for_each(tiles.matrices() * parts, [&](std::size_t index) {
    const std::size_t matrix = index / parts;
    const std::size_t part = index % parts;
    const KeyRange keys{part * keys_of_part, std::min((part + 1) * keys_of_part, tiles.keys())};
    for (std::size_t query = 0; query < tiles.queries(); ++query) {
      PartialRow<T>& own = partial[(matrix * tiles.queries() + query) * parts + part];
      const MatrixView<const T> values = values_of(matrix);
      own.output.assign(values.columns, T(0));
      const KeyRange readable = tiles.readable({query, query + 1});
      const KeyRange read{std::max(keys.begin, readable.begin), std::min(keys.end, readable.end)};
      if (read.begin < read.end) attend_row(kernel, tiles, {matrix, {query, query + 1}, read}, values, own);
    }
  });
  for (std::size_t row = 0; row < rows; ++row) {
    const MatrixView<const T> values = values_of(row / tiles.queries());
    result.rows[row] = join_parts(partial.data() + row * parts, parts, values, masked_row,
                                  result.output.data() + row * values.columns);
  }
}

// --- Values that are not finite

/// The weight of one key; nothing where it is hidden.
template <class T>
std::optional<T> weight_on(const RowKernel<T>& kernel, const ScoreTiles<T>& tiles, const TilePlace& place,
                           const RowState<T>& row, MaskedRow masked_row) {
  if (reads_nothing(row)) {
    return masked_row == MaskedRow::uniform ? std::optional<T>(1 / static_cast<T>(tiles.keys()))
                                            : std::nullopt;
  }
  std::array<T, 1 + 64 / sizeof(T)> score{};
  kernel.scores(tiles.query(place.matrix, place.queries.begin), tiles.key(place.matrix, place.keys.begin), 1,
                tiles.width(), tiles.scale(), score.data());
  tiles.mask(place, {score.data(), 1, 1});
  if (score[0] == -std::numeric_limits<T>::infinity()) return std::nullopt;
  return std::exp(score[0] - row.maximum) / row.sum;
}

/// Adds them to the output of the others, which has been computed.
template <class T>
void add_all_odd_values(const RowKernel<T>& kernel, const ScoreTiles<T>& tiles, const Tensor<T>& value,
                        const std::vector<std::size_t>& value_matrix, MaskedRow masked_row,
                        const ForEach& for_each, StreamingAttention<T>& result) {
  const std::size_t width = value.shape().back();
  const std::vector<QueryBlock> blocks = tiles.blocks();
  for_each(blocks.size(), [&](std::size_t index) {
    const QueryBlock& block = blocks[index];
    const T* values = value.data() + value_matrix[block.matrix] * tiles.keys() * width;
    const std::vector<std::size_t> odd = odd_rows(values, tiles.keys(), width);
    for (std::size_t query = block.queries.begin; query < block.queries.end; ++query) {
      const std::size_t row = block.first_row + query - block.queries.begin;
      const auto weight = [&](std::size_t key) {
        return weight_on(kernel, tiles, {block.matrix, {query, query + 1}, {key, key + 1}}, result.rows[row],
                         masked_row);
      };
      add_odd_values(odd, values, width, weight, result.output.data() + row * width);
    }
  });
}

}  // namespace

template <class T>
StreamingAttention<T> streaming_attention(const Tensor<T>& query, const Tensor<T>& key,
                                          const Tensor<T>& value, const ScoreOptions<T>& options,
                                          MaskedRow masked_row, const ForEach& for_each) {
  const ScoreTiles<T> tiles(query, key, options);
  const std::vector<std::size_t> value_matrix = value_matrices(shape_of(value), tiles.batch(), tiles.keys());
  const std::size_t queries = tiles.queries();
  const std::size_t keys = tiles.keys();
  const std::size_t width = value.shape().back();  // d_v

  Shape shape = tiles.batch();
  shape.insert(shape.end(), {queries, width});
  StreamingAttention<T> result{Tensor<T>::from_shape(shape),
                               std::vector<RowState<T>>(tiles.matrices() * queries)};
  if (result.output.size() == 0) return result;
  const PanelKernel<T>& kernel = panel_kernel<T>(simd_target());
  if (!all_finite(value)) {
    result = streaming_attention(query, key, finite_part(value), options, masked_row, for_each);
    add_all_odd_values(kernel.row, tiles, value, value_matrix, masked_row, for_each, result);
    return result;
  }
  const auto values_of = [&](std::size_t matrix) {
    return MatrixView<const T>{value.data() + value_matrix[matrix] * keys * width, keys, width, width};
  };
  if (queries * 4 <= kernel.panel) {  // beyond that a panel is the faster one
    attend_few(kernel.row, tiles, values_of, masked_row, for_each, result);
    return result;
  }
  const std::vector<QueryBlock> blocks = tiles.blocks();
  for_each(blocks.size(), [&](std::size_t index) {
    // The last blocks of a causal mask read the most keys: they come first, so that no thread ends late.
    const QueryBlock& block = blocks[blocks.size() - 1 - index];
    attend<T>(kernel, tiles, block, values_of(block.matrix), masked_row,
              result.output.data() + block.first_row * width, result.rows.data() + block.first_row);
  });
  return result;
}

template StreamingAttention<float> streaming_attention(const Tensor<float>&, const Tensor<float>&,
                                                       const Tensor<float>&, const ScoreOptions<float>&,
                                                       MaskedRow, const ForEach&);
template StreamingAttention<double> streaming_attention(const Tensor<double>&, const Tensor<double>&,
                                                        const Tensor<double>&, const ScoreOptions<double>&,
                                                        MaskedRow, const ForEach&);

}  // namespace attnlab
