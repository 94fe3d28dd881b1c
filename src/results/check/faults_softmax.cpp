// Mistakes at a softmax: along another axis, without its maximum, its exponential or its sum, of other
// scores.
#include <cmath>
#include <numeric>

#include "results/check/fault_site.hpp"

namespace attnlab::faults {
namespace {

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
  for (std::size_t axis = 2; axis <= scores.shape.size(); ++axis) {
    site.add("softmax-wrong-axis",
             text("softmax を {} の軸に沿って取っています（{} の軸に沿って取ります。行の和が 1）",
                  "softmax runs along the {} axis; it must run along {}, so that rows sum to 1",
                  axis_name(scores, axis), axis_name(scores, 1)),
             [&scores, axis] { return along_axis(scores, axis, softmax_of); });
  }
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

/// Whether the scores were scaled on their way to the softmax, with or without a mask after it.
bool is_scaled(const std::vector<Stage>& trace, const Stage& scores) {
  const Derivation& how = scores.derivation;
  if (how.operation == Derivation::Operation::scaled) return true;
  return how.operation == Derivation::Operation::sum &&
         std::any_of(how.operands.begin(), how.operands.end(),
                     [&](const std::string& operand) { return is_scaled(trace, named(trace, operand)); });
}

void add_needless_scale_faults(Site& site, const Array& scores) {
  if (is_scaled(site.trace, named(site.trace, site.operand_name(0)))) return;
  for (const std::size_t width : widths_in(site.trace)) {
    site.add("needlessly-scaled",
             text("スコアを √{} で割っています（ここでは割りません）",
                  "the scores are divided by √{}; here they must not be scaled", width),
             [&scores, width] {
               const double scale = 1.0 / std::sqrt(static_cast<double>(width));
               return softmax_of(computed(derived::scaled("scores", scale), {&scores}));
             });
  }
}

}  // namespace

void add_softmax_faults(Site& site) {
  const Array& scores = *site.operands[0];
  add_axis_faults(site, scores);
  add_normalisation_faults(site, scores);
  add_late_mask_fault(site);
  add_needless_scale_faults(site, scores);
  add_overflow_faults(site, scores);
}

}  // namespace attnlab::faults
