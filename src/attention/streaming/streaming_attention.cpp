// Blocks of queries are independent of each other; each walks once over the blocks of keys.
#include "attention/streaming/streaming_attention.hpp"

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

/// One block of queries: output (block, d_v) and rows (block).
template <class T>
void attend(const ScoreTiles<T>& tiles, const QueryBlock& block, MatrixView<const T> values,
            MaskedRow masked_row, MatrixView<T> output, RowState<T>* rows) {
  std::fill_n(output.data, output.rows * output.columns, T(0));
  std::fill_n(rows, output.rows, empty_row<T>());
  const KeyRange readable = tiles.readable(block.queries);
  std::vector<T> memory(output.rows * std::min(keys_at_once<T>, readable.end - readable.begin));
  for (std::size_t begin = readable.begin; begin < readable.end; begin += keys_at_once<T>) {
    const KeyRange keys{begin, std::min(begin + keys_at_once<T>, readable.end)};
    const std::size_t columns = keys.end - keys.begin;
    const MatrixView<T> scores{memory.data(), output.rows, columns, columns};
    tiles.compute({block.matrix, block.queries, keys}, scores);
    for (std::size_t i = 0; i < output.rows; ++i) {
      const T earlier = take(rows[i], scores.data + i * columns, columns);
      if (earlier != T(1)) multiply_row(output.data + i * output.stride, output.columns, earlier);
    }
    add_product<T>({scores.data, output.rows, columns, columns},
                   {values.data + begin * values.stride, columns, values.columns, values.stride}, output);
  }
  for (std::size_t i = 0; i < output.rows; ++i) {
    T* row = output.data + i * output.stride;
    if (reads_nothing(rows[i])) {
      fill_masked_row(masked_row, values, row);
    } else {
      multiply_row(row, output.columns, 1 / rows[i].sum);
    }
  }
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
  const std::vector<QueryBlock> blocks = tiles.blocks();
  for_each(blocks.size(), [&](std::size_t index) {
    // The last blocks of a causal mask read the most keys: they come first, so that no thread ends late.
    const QueryBlock& block = blocks[blocks.size() - 1 - index];
    const T* values = value.data() + value_matrix[block.matrix] * keys * width;
    T* output = result.output.data() + block.first_row * width;
    attend<T>(tiles, block, {values, keys, width, width}, masked_row,
              {output, block.queries.end - block.queries.begin, width, width},
              result.rows.data() + block.first_row);
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
