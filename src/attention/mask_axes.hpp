// Which axes of the scores a mask's axes are.
#pragma once

#include <array>
#include <string_view>

#include "attention/shape.hpp"

namespace attnlab {

/// What an axis of a mask belongs to, in the order in which they lie; `batch` stands for all axes of the
/// batch.
enum class MaskAxis { batch, heads, queries, keys };
constexpr std::array<std::string_view, 4> mask_axis_names{"batch", "heads", "queries", "keys"};

/// What a mask may have axes for: (batch..., heads, queries, keys).
struct ScoreShape {
  Shape batch;
  std::optional<std::size_t> heads;
  std::size_t queries = 0;
  std::size_t keys = 0;
};

/// Of query (..., queries, d_k) and key (..., keys, d_k); with heads their axis is the one before.
ScoreShape score_shape(const Shape& query, const Shape& key, bool has_heads);

/// A mask's shape among the scores' axes, with 1 for those that it lacks; and the words for its own axes.
struct MaskReading {
  Shape shape;
  std::string axes;  // "batch,keys"
};

/// The scores' lengths along these axes. Without heads their axis has length 1.
Shape lengths_of(const std::vector<MaskAxis>& axes, const ScoreShape& scores);

/// Along all that they have.
Shape lengths_of(const ScoreShape& scores);

/// "batch,keys"
std::string words_of(const std::vector<MaskAxis>& axes);

/// The mask with these axes; nothing where it does not fit: each must be as long as the scores', or 1.
std::optional<MaskReading> reading_of(const Shape& mask, const std::vector<MaskAxis>& axes,
                                      const ScoreShape& scores);

/// All ways in which the shape fits, NumPy's first.
std::vector<MaskReading> readings_of(const Shape& mask, const ScoreShape& scores);

}  // namespace attnlab
