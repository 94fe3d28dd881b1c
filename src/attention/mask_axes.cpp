// A mask's shape among the axes of the scores.
#include "attention/mask_axes.hpp"

#include "core/text.hpp"

namespace attnlab {

Shape lengths_of(const std::vector<MaskAxis>& axes, const ScoreShape& scores) {
  Shape lengths;
  for (const MaskAxis axis : axes) {
    if (axis == MaskAxis::batch) lengths.insert(lengths.end(), scores.batch.begin(), scores.batch.end());
    if (axis == MaskAxis::heads) lengths.push_back(scores.heads.value_or(1));
    if (axis == MaskAxis::queries) lengths.push_back(scores.queries);
    if (axis == MaskAxis::keys) lengths.push_back(scores.keys);
  }
  return lengths;
}

Shape lengths_of(const ScoreShape& scores) {
  std::vector<MaskAxis> axes{MaskAxis::batch, MaskAxis::heads, MaskAxis::queries, MaskAxis::keys};
  if (!scores.heads) axes.erase(axes.begin() + 1);
  return lengths_of(axes, scores);
}

std::string words_of(const std::vector<MaskAxis>& axes) {
  std::vector<std::string> words;
  words.reserve(axes.size());
  for (const MaskAxis axis : axes) words.emplace_back(mask_axis_names.at(static_cast<std::size_t>(axis)));
  return joined(words, ",");
}

std::optional<MaskReading> reading_of(const Shape& mask, const std::vector<MaskAxis>& axes,
                                      const ScoreShape& scores) {
  const Shape lengths = lengths_of(axes, scores);
  if (mask.size() != lengths.size() || broadcast(mask, lengths) != lengths) return std::nullopt;
  MaskReading reading{{}, words_of(axes)};
  auto own = mask.begin();
  for (const MaskAxis axis : {MaskAxis::batch, MaskAxis::heads, MaskAxis::queries, MaskAxis::keys}) {
    const auto count = static_cast<std::ptrdiff_t>(lengths_of({axis}, scores).size());
    const bool is_there = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (axis != MaskAxis::heads || scores.heads) {
      reading.shape.insert(reading.shape.end(), static_cast<std::size_t>(count), 1);
      if (is_there) std::copy_n(own, count, reading.shape.end() - count);
    }
    if (is_there) own += count;
  }
  return reading;
}

namespace {

/// The mask of nn.MultiheadAttention, (batch · heads, queries, keys).
std::optional<MaskReading> joint_reading(const Shape& mask, const ScoreShape& scores) {
  if (!scores.heads || scores.batch.size() != 1) return std::nullopt;
  const Shape joint{scores.batch.front() * *scores.heads, scores.queries, scores.keys};
  if (mask != joint) return std::nullopt;
  return MaskReading{{scores.batch.front(), *scores.heads, scores.queries, scores.keys},
                     "batch·heads,queries,keys"};
}

/// NumPy's way: the mask's axes are the last ones of the scores.
std::optional<MaskReading> last_axes(const Shape& mask, const ScoreShape& scores) {
  std::vector<MaskAxis> axes(scores.batch.size(), MaskAxis::batch);
  if (scores.heads) axes.push_back(MaskAxis::heads);
  axes.insert(axes.end(), {MaskAxis::queries, MaskAxis::keys});
  if (mask.size() > axes.size()) return std::nullopt;
  const Shape lengths = lengths_of(scores);
  const std::size_t missing = axes.size() - mask.size();
  const auto first = static_cast<std::ptrdiff_t>(missing);
  const Shape last(lengths.begin() + first, lengths.end());
  if (broadcast(mask, last) != last) return std::nullopt;
  Shape shape(missing, 1);
  shape.insert(shape.end(), mask.begin(), mask.end());
  axes.erase(axes.begin(), axes.begin() + first);
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return MaskReading{shape, words_of(axes)};
}

}  // namespace

std::vector<MaskReading> readings_of(const Shape& mask, const ScoreShape& scores) {
  std::vector<MaskReading> readings;
  const auto take = [&](const std::optional<MaskReading>& reading) {
    const auto is_same = [&](const MaskReading& other) { return other.shape == reading->shape; };
    if (reading && std::none_of(readings.begin(), readings.end(), is_same)) readings.push_back(*reading);
  };
  take(last_axes(mask, scores));
  if (scores.batch.empty()) return readings;
  take(reading_of(mask, {MaskAxis::batch, MaskAxis::keys}, scores));
  take(reading_of(mask, {MaskAxis::batch, MaskAxis::queries, MaskAxis::keys}, scores));
  take(reading_of(mask, {MaskAxis::batch, MaskAxis::heads, MaskAxis::queries, MaskAxis::keys}, scores));
  take(joint_reading(mask, scores));
  return readings;
}

ScoreShape score_shape(const Shape& query, const Shape& key, bool has_heads) {
  ScoreShape scores;
  scores.batch = joined_heads(batch_of(query), batch_of(key)).value_or(batch_of(query));
  if (has_heads) {
    scores.heads = scores.batch.back();
    scores.batch.pop_back();
  }
  scores.queries = query[query.size() - 2];
  scores.keys = key[key.size() - 2];
  return scores;
}

}  // namespace attnlab
