// Mistakes at a softmax and at the mask before it.
#include <cmath>
#include <numeric>

#include "results/fault_site.hpp"

namespace attnlab::faults {
namespace {

// --- Softmax -----------------------------------------------------------------------------------------------

/// exp(x - shift), rounded to the type in which the stage was computed: that decides when it overflows.
double shifted_exponential(double x, double shift, DType dtype) {
  const double value = std::exp(x - shift);
  return dtype == DType::float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

Array shifted_softmax(const Array& scores, double shift, DType dtype) {
  return by_rows(scores, [&](double* row, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) row[i] = shifted_exponential(row[i], shift, dtype);
    const double sum = std::accumulate(row, row + length, 0.0);
    for (std::size_t i = 0; i < length; ++i) row[i] /= sum;
  });
}

Array softmax_of_whole_matrix(const Array& scores) {
  if (scores.shape.size() < 2) throw ShapeMismatch("no matrix");
  const std::size_t cells = scores.shape.back() * scores.shape[scores.shape.size() - 2];
  return by_parts(scores, cells, [](double* values, std::size_t count) {
    const double shift = largest_of(values, count);
    for (std::size_t i = 0; i < count; ++i) values[i] = std::exp(values[i] - shift);
    const double sum = std::accumulate(values, values + count, 0.0);
    for (std::size_t i = 0; i < count; ++i) values[i] /= sum;
  });
}

void add_axis_faults(Site& site, const Array& scores) {
  if (scores.shape.size() < 2) return;
  site.add("softmax-wrong-axis",
           {fmt::format("softmax を {} の軸に沿って取っています（{} の軸に沿って取ります。行の和が 1）",
                        axis_name(scores, 2), axis_name(scores, 1)),
            fmt::format("softmax runs along the {} axis; it must run along {}, so that rows sum to 1",
                        axis_name(scores, 2), axis_name(scores, 1))},
           [&scores] { return along_columns(scores, softmax_of); });
  site.add("softmax-whole-matrix",
           {"softmax を行ごとでなく行列全体で取っています（全体の和が 1 になっています）",
            "softmax is taken over the whole matrix instead of each row: all values together sum to 1"},
           [&scores] { return softmax_of_whole_matrix(scores); });
}

void add_overflow_faults(Site& site, const Array& scores) {
  const DType dtype = site.stage.array.dtype;
  if (scores.data.empty()) return;
  site.add("global-maximum",
           {"行ごとの最大値でなく行列全体の最大値を引いています（小さい行が 0/0 = NaN になります）",
            "the maximum of the whole matrix is subtracted instead of each row's, so small rows underflow"},
           [&scores, dtype] {
             return shifted_softmax(scores, largest_of(scores.data.data(), scores.data.size()), dtype);
           });
  site.add("no-maximum",
           {"最大値を引かずに exp を計算しています（大きいスコアで桁あふれします）",
            "exp is taken without subtracting the maximum, and overflows"},
           [&scores, dtype] { return shifted_softmax(scores, 0.0, dtype); });
}

void add_normalisation_faults(Site& site, const Array& scores) {
  const Text not_normalised{"exp の和で割っていません（行の和が 1 になりません）",
                            "the exponentials are not divided by their sum"};
  site.add("not-normalised", not_normalised,
           [&scores] { return computed(derived::exponential("scores"), {&scores}); });
  site.add("not-normalised", not_normalised, [&scores] {
    return by_rows(scores, [](double* row, std::size_t length) {
      const double shift = largest_of(row, length);
      for (std::size_t i = 0; i < length; ++i) row[i] = std::exp(row[i] - shift);
    });
  });
  site.add("no-exponential",
           {"exp を取らずに、スコアをその和で割っています",
            "the scores are divided by their sum without taking exp"},
           [&scores] {
             return by_rows(scores, [](double* row, std::size_t length) {
               const double sum = std::accumulate(row, row + length, 0.0);
               for (std::size_t i = 0; i < length; ++i) row[i] /= sum;
             });
           });
  site.add("no-softmax", {"softmax を取っていません", "no softmax is taken"}, [&scores] { return scores; });
  site.add("softmax-twice", {"softmax を 2 回取っています", "softmax is taken twice"},
           [&scores] { return softmax_of(softmax_of(scores)); });
  site.add("log-softmax", {"softmax の対数になっています", "it is the logarithm of the softmax"}, [&scores] {
    return by_rows(softmax_of(scores), [](double* row, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) row[i] = std::log(row[i]);
    });
  });
}

// --- Masks -------------------------------------------------------------------------------------------------

/// Far enough below 0 to stand for "never": -1e4, float16's -65504, -1e5, -1e9, -inf.
bool is_masking(double value) {
  return value <= -1e4;
}

Array inverted(Array mask) {
  const double lowest = *std::min_element(mask.data.begin(), mask.data.end());
  for (double& value : mask.data) value = value == 0.0 ? lowest : 0.0;
  return mask;
}

/// Weights that were masked only after the softmax: scores and mask are those of the sum below it.
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

}  // namespace

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
      [&mask, &scores] {
        const Array wrong = inverted(mask);
        return computed(derived::sum("scores", "mask"), {&scores, &wrong});
      });
  site.add("mask-forgotten", {"マスクを足していません", "the mask is not added"},
           [&scores] { return scores; });
  site.add("mask-transposed", {"マスクが転置されています", "the mask is transposed"}, [&mask, &scores] {
    const Array wrong = transposed(mask);
    return computed(derived::sum("scores", "mask"), {&scores, &wrong});
  });
}

void add_softmax_faults(Site& site) {
  const Array& scores = *site.operands[0];
  add_axis_faults(site, scores);
  add_normalisation_faults(site, scores);
  add_late_mask_fault(site);
  add_overflow_faults(site, scores);
}

}  // namespace attnlab::faults
