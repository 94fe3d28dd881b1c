// Which axes of the scores a mask's axes are: as --mask-axes says, or as its shape does.
#include "attend/run.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

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

/// Where a mask repeats the inputs along axes that they do not have.
template <class T>
void warn_of_added_axes(const InputMask<T>& mask, const ScoreShape& scores, std::vector<Text>& warnings) {
  const Shape lengths = lengths_of(scores);
  const std::optional<Shape> joint = broadcast(shape_of(mask.values), lengths);
  if (!joint || scores.batch.empty() || element_count(*joint) <= element_count(lengths)) return;
  warnings.push_back(attend_sentence("added_axes", {{"name", quotation(mask.name)},
                                                    {"shape", printed(shape_of(mask.values))},
                                                    {"scores", printed(lengths)},
                                                    {"joint", printed(*joint)}}));
}

}  // namespace

template <class T>
void place_masks(AttendInputs<T>& inputs, const AttendSettings& settings, const ScoreShape& scores) {
  for (InputMask<T>& mask : inputs.masks) {
    const Shape shape = shape_of(mask.values);
    std::vector<MaskReading> readings;
    if (settings.mask_axes.empty()) {
      readings = readings_of(shape, scores);
    } else {
      readings.push_back(typed_reading(shape, mask.name, settings, scores));
    }
    if (readings.empty()) warn_of_added_axes(mask, scores, inputs.warnings);
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
}

template void place_masks(AttendInputs<float>&, const AttendSettings&, const ScoreShape&);
template void place_masks(AttendInputs<double>&, const AttendSettings&, const ScoreShape&);

}  // namespace attnlab
