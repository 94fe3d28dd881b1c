// Which axes of the scores a mask's axes are: as --mask-axes says, or as its shape does.
#include "attend/run.hpp"
#include "attention/shape.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// A mask's shape among the scores' axes, with 1 for those that it lacks; and the words for its own axes.
struct MaskReading {
  Shape shape;
  std::string axes;  // "batch,keys"
};

/// The scores' lengths along these axes. Without heads their axis has length 1.
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

std::string words_of(const std::vector<MaskAxis>& axes) {
  std::vector<std::string> words;
  words.reserve(axes.size());
  for (const MaskAxis axis : axes) words.emplace_back(mask_axis_names.at(static_cast<std::size_t>(axis)));
  return joined(words, ",");
}

/// The mask with these axes; nothing where it does not fit: each must be as long as the scores', or 1.
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
  Shape lengths = scores.batch;
  if (scores.heads) lengths.push_back(*scores.heads);
  lengths.insert(lengths.end(), {scores.queries, scores.keys});
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

/// All ways in which the shape fits, NumPy's first.
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

/// As --mask-axes says. Throws Error (usage) where the mask's shape does not fit.
MaskReading typed_reading(const Shape& mask, const std::string& name, const AttendSettings& settings,
                          const ScoreShape& scores) {
  const std::string words = words_of(settings.mask_axes);
  for (const MaskAxis axis : settings.mask_axes) {
    const bool is_there =
        axis == MaskAxis::batch ? !scores.batch.empty() : axis != MaskAxis::heads || scores.heads;
    if (!is_there) refuse_attend("no_mask_axis", {{"axes", words}, {"axis", words_of({axis})}});
  }
  if (const std::optional<MaskReading> reading = reading_of(mask, settings.mask_axes, scores))
    return *reading;
  refuse_attend("mask_axes", {{"name", quotation(name)},
                              {"shape", printed(mask)},
                              {"axes", words},
                              {"needed", printed(lengths_of(settings.mask_axes, scores))}});
}

bool is_last_axes(const Shape& reading, const Shape& mask) {
  return mask.size() <= reading.size() && std::equal(mask.rbegin(), mask.rend(), reading.rbegin());
}

}  // namespace

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

template <class T>
void place_masks(AttendInputs<T>& inputs, const AttendSettings& settings, const ScoreShape& scores) {
  for (GivenMask<T>& mask : inputs.masks) {
    const Shape shape = shape_of(mask.values);
    std::vector<MaskReading> readings;
    if (settings.mask_axes.empty()) {
      readings = readings_of(shape, scores);
    } else {
      readings.push_back(typed_reading(shape, mask.name, settings, scores));
    }
    if (readings.size() > 1) {
      inputs.warnings.push_back(attend_sentence("open_axes", {{"name", quotation(mask.name)},
                                                              {"shape", printed(shape)},
                                                              {"taken", readings[0].axes},
                                                              {"other", readings[1].axes}}));
    } else if (!readings.empty() && !is_last_axes(readings[0].shape, shape)) {
      inputs.recognised.push_back(
          attend_sentence("axes_read", {{"name", quotation(mask.name)}, {"axes", readings[0].axes}}));
    }
    if (!readings.empty()) mask.values.reshape(readings[0].shape);
    add_mask(mask, settings.true_means, inputs);
  }
  inputs.masks.clear();
  if (inputs.mask) inputs.mask = rounded(std::move(*inputs.mask), settings.precision);
}

template void place_masks(AttendInputs<float>&, const AttendSettings&, const ScoreShape&);
template void place_masks(AttendInputs<double>&, const AttendSettings&, const ScoreShape&);

}  // namespace attnlab
