// Mistakes at a mask: turned round, left out, too late, or a boundary beside the right one.
#include "results/check/fault_site.hpp"

namespace attnlab::faults {
namespace {

/// Far enough below 0 to stand for "never": -1e4, float16's -65504, -1e5, -1e9, -inf.
bool is_masking(double value) {
  return value <= -1e4;
}

Array inverted(Array mask) {
  const double lowest = *std::min_element(mask.data.begin(), mask.data.end());
  for (double& value : mask.data) value = value == 0.0 ? lowest : 0.0;
  return mask;
}

Array with_mask(const Array& scores, const Array& mask) {
  return computed(derived::sum("scores", "mask"), {&scores, &mask});
}

/// 0 in place of the scores that the mask hides.
Array with_zeros(const Array& scores, const Array& mask) {
  Array result = with_mask(scores, mask);
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    if (is_masking(mask.data[broadcast_source(i, result.shape, mask.shape)])) result.data[i] = 0.0;
  }
  return result;
}

/// Every query sees so many keys more. Only of a mask whose queries see the first keys up to some boundary,
/// as a causal one's do.
Array with_boundary(const Array& mask, std::ptrdiff_t more) {
  const double lowest = *std::min_element(mask.data.begin(), mask.data.end());
  return by_rows(mask, [more, lowest](double* row, std::size_t length) {
    double* const end = row + length;
    double* const boundary = std::find_if(row, end, is_masking);
    if (!std::all_of(boundary, end, is_masking)) throw ShapeMismatch("no boundary");
    double* const moved = row + std::clamp<std::ptrdiff_t>(boundary - row + more, 0, end - row);
    std::fill(row, moved, 0.0);
    std::fill(moved, end, lowest);
  });
}

}  // namespace

void add_late_mask_fault(Site& site) {
  const Stage& masked = named(site.trace, site.operand_name(0));
  if (masked.derivation.operation != Derivation::Operation::sum) return;
  const std::vector<const Array*> parts = operands_of(masked, site.trace);
  if (parts.size() != 2 || is_mask(*parts[0]) == is_mask(*parts[1])) return;
  const Array& scores = is_mask(*parts[0]) ? *parts[1] : *parts[0];
  const Array& sum = masked.array;
  if (scores.shape != sum.shape) return;
  site.add("mask-after-softmax",
           {"softmax の後でマスクしています（行の和が 1 になりません）",
            "the mask is applied after the softmax, so rows no longer sum to 1"},
           [&scores, &sum] {
             Array weights = softmax_of(scores);
             for (std::size_t i = 0; i < weights.data.size(); ++i) {
               if (is_masking(sum.data[i])) weights.data[i] = 0.0;
             }
             return weights;
           });
}

bool is_mask(const Array& array) {
  bool masks = false;
  bool lets_through = false;
  for (const double value : array.data) {
    if (value != 0.0 && !is_masking(value)) return false;
    (value == 0.0 ? lets_through : masks) = true;
  }
  return masks && lets_through;
}

void add_mask_faults(Site& site, std::size_t mask_index) {
  const Array& mask = *site.operands[mask_index];
  const Array& scores = *site.operands[1 - mask_index];
  site.add(
      "mask-inverted",
      {"マスクが逆です（見てよいところを隠しています）", "the mask is inverted: it hides what may be seen"},
      [&mask, &scores] { return with_mask(scores, inverted(mask)); });
  site.add("masked-score-zero",
           {"隠すスコアを −∞ でなく 0 にしています（exp(0) = 1 なので注意度が残ります）",
            "hidden scores are set to 0 instead of -inf: exp(0) = 1 leaves them a weight"},
           [&mask, &scores] { return with_zeros(scores, mask); });
  site.add("mask-off-by-one",
           {"マスクの境界が 1 つずれています（見えるキーが 1 個多い）",
            "the mask's boundary is off by one: queries see one key too many"},
           [&mask, &scores] { return with_mask(scores, with_boundary(mask, 1)); });
  site.add("mask-off-by-one",
           {"マスクの境界が 1 つずれています（見えるキーが 1 個少ない）",
            "the mask's boundary is off by one: queries see one key too few"},
           [&mask, &scores] { return with_mask(scores, with_boundary(mask, -1)); });
  site.add("mask-forgotten", {"マスクを足していません", "the mask is not added"},
           [&scores] { return scores; });
  site.add("mask-transposed", {"マスクが転置されています", "the mask is transposed"},
           [&mask, &scores] { return with_mask(scores, transposed(mask)); });
}

}  // namespace attnlab::faults
