// How much a finite mask lets through as the scores grow: nothing, then a sigmoid around the tie, then all.
#include "experiments/masks/masks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t shown_beyond = 2;     // -1e5
constexpr double least_gap = 1e-6;          // below, the ties lie beyond any score that double can tell apart
constexpr int half_points_around_tie = 16;  // -8, -7.5, ..., 8

struct Gap {
  double size = minus_infinity;
  std::size_t row = 0;
};

/// The row in which a hidden score exceeds the best readable one by most.
Gap widest_gap(const Tensor<double>& scores, const BooleanMask& mask) {
  Gap widest;
  for (std::size_t row = 0; row < mask.shape()[0]; ++row) {
    double hidden = minus_infinity;
    double readable = minus_infinity;
    for (std::size_t key = 0; key < mask.shape()[1]; ++key) {
      double& best = mask(row, key) ? readable : hidden;
      best = std::max(best, scores(row, key));
    }
    if (readable == minus_infinity || hidden == minus_infinity) continue;
    if (hidden - readable > widest.size) widest = {hidden - readable, row};
  }
  return widest;
}

/// The leak of the row that leaks most, among those that may read something.
double leak_at(const Tensor<double>& scores, const BooleanMask& mask, double magnitude, double hidden) {
  return attend_masked(scores * magnitude, mask, hidden, MaskedRow::nan).largest_leak;
}

/// The magnitude at which the worst row's best hidden key is `beyond` above its best readable key.
double magnitude_at(double hidden, double gap, double beyond) {
  return (beyond - hidden) / gap;
}

/// How far above the best readable key: -8, -7.5, ..., 8.
std::vector<double> around_the_tie() {
  std::vector<double> beyond;
  for (int half = -half_points_around_tie; half <= half_points_around_tie; ++half) {
    beyond.push_back(half / 2.0);
  }
  return beyond;
}

/// Four per decade, and closer together around each tie, where the leak climbs.
std::vector<double> magnitudes(double gap) {
  const int first = static_cast<int>(std::floor(std::log10(magnitude_at(-65504.0, gap, 0.0)))) - 1;
  const int last = static_cast<int>(std::ceil(std::log10(magnitude_at(-1e9, gap, 0.0)))) + 1;
  std::vector<double> values;
  for (int quarter = 4 * first; quarter <= 4 * last; ++quarter) {
    values.push_back(std::pow(10.0, quarter / 4.0));
  }
  for (const HiddenValue& hidden : hidden_values) {
    if (std::isinf(hidden.value)) continue;
    for (const double beyond : around_the_tie()) values.push_back(magnitude_at(hidden.value, gap, beyond));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

LeakSweep sweep_of(const MaskedAttention& attention, const Tensor<double>& scores, const Gap& gap) {
  LeakSweep sweep;
  sweep.mask_title = attention.title;
  sweep.gap = gap.size;
  sweep.row = gap.row;
  sweep.hidden_value = Tensor<double>::from_shape({hidden_values.size()});
  sweep.magnitude = to_tensor(magnitudes(gap.size));
  sweep.leak = Tensor<double>::from_shape({hidden_values.size(), sweep.magnitude.size()});
  for (std::size_t h = 0; h < hidden_values.size(); ++h) {
    sweep.hidden_value(h) = hidden_values.at(h).value;
    for (std::size_t m = 0; m < sweep.magnitude.size(); ++m) {
      sweep.leak(h, m) = leak_at(scores, attention.mask, sweep.magnitude(m), sweep.hidden_value(h));
    }
  }
  sweep.tie = -sweep.hidden_value / gap.size;
  sweep.beyond = to_tensor(around_the_tie());
  sweep.leak_beyond = sweep.beyond;
  const double hidden = hidden_values.at(shown_beyond).value;
  for (double& leak : sweep.leak_beyond) {
    leak = leak_at(scores, attention.mask, magnitude_at(hidden, gap.size, leak), hidden);
  }
  return sweep;
}

}  // namespace

std::string hidden_name(double hidden) {
  for (const HiddenValue& one : hidden_values) {
    if (one.value == hidden) return one.name;
  }
  return fmt::format("{:g}", hidden);
}

std::string magnitude_text(double magnitude) {
  const std::string two_digits = fmt::format("{:.1e}", magnitude);
  return magnitude < 1e10 ? fmt::format("{:.0f}", std::stod(two_digits)) : two_digits;
}

std::optional<LeakSweep> sweep_leak(const MasksSettings& settings, const Tensor<double>& raw_scores,
                                    const std::vector<const MaskedAttention*>& candidates) {
  const Tensor<double> scores = raw_scores / std::sqrt(static_cast<double>(settings.width));
  for (const MaskedAttention* attention : candidates) {
    const Gap gap = widest_gap(scores, attention->mask);
    if (gap.size >= least_gap) return sweep_of(*attention, scores, gap);
  }
  return std::nullopt;
}

}  // namespace attnlab
