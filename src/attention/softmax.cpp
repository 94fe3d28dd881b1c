// Softmax along the last axis: three choices of what to subtract before the exponential, and what each costs.
//
// The lesson's exponential is std::exp. xsimd's, behind xt::exp, is another: in float it gives inf
// from 88.376 and 0 below -88.38, and its vector lanes and its remainder disagree within one row.
#include "attention/softmax.hpp"

#include "attention/lanes.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

/// The largest of one or more values; NaN if any of them is, as numpy.max.
template <class T>
T maximum(const T* values, std::size_t count) {
  T largest = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    largest = (largest >= values[i] || std::isnan(largest)) ? largest : values[i];
  }
  return largest;
}

/// A sum by halves, in NumPy's order: its rounding error grows with log n, where one after another it grows
/// with n. Eight partial sums at a time need not wait for one another. Source: NumPy 1.24, pairwise_sum.
template <class T>
T pairwise_sum(const T* values, std::size_t count) {
  constexpr std::size_t lanes = 8;
  constexpr std::size_t most_at_once = 128;
  if (count > most_at_once) {
    const std::size_t half = count / 2 / lanes * lanes;
    return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
  }
  T sum = 0;
  std::size_t taken = 0;
  if (count >= lanes) {
    std::array<T, lanes> r{};
    for (; taken + lanes <= count; taken += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) r[lane] += values[taken + lane];
    }
    sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  }
  for (; taken < count; ++taken) sum += values[taken];
  return sum;
}

template <class T>
void divide_by_sum(T* weights, std::size_t keys) {
  const T sum = pairwise_sum(weights, keys);
  for (std::size_t j = 0; j < keys; ++j) weights[j] /= sum;
}

/// weights_j = exp(x_j - c) / sum_k exp(x_k - c). Every c gives the same weights in exact arithmetic.
template <class T>
void shifted_softmax(const T* x, T c, std::size_t keys, T* weights) {
  for (std::size_t j = 0; j < keys; ++j) weights[j] = std::exp(x[j] - c);
  divide_by_sum(weights, keys);
}

/// The row's own maximum is subtracted: no argument is positive, and NumPy's way is open, many at a time. A
/// NaN that the maximum misses makes the row's sum NaN all the same.
void stable_softmax(const float* x, std::size_t keys, float* weights) {
  constexpr float last_normal = -87.0F;  // further down float32 loses digits, which only std::exp keeps
  const float c = largest_of(x[0], x, keys);
  const auto keeps_digits = [c](float score) { return score - c >= last_normal; };
  if (!std::all_of(x, x + keys, keeps_digits)) return shifted_softmax(x, c, keys, weights);
  exp_of_nonpositive(x, c, keys, weights);
  divide_by_sum(weights, keys);
}

void stable_softmax(const double* x, std::size_t keys, double* weights) {
  shifted_softmax(x, largest_of(x[0], x, keys), keys, weights);
}

/// Applies a softmax of one row, by_row(row, keys, weights), to each.
template <class T, class ByRow>
Tensor<T> softmax_by_rows(const Tensor<T>& scores, ByRow by_row) {
  if (scores.dimension() == 0) {
    refuse_usage(
        {"softmax には 1 次元以上のスコアが必要ですが、形状は () です",
         "softmax needs scores of one or more dimensions, got ()"},
        {"1 個のスコアは形状 (1,) の配列にしてください", "make a single score an array of shape (1,)"});
  }
  Tensor<T> weights = Tensor<T>::from_shape(scores.shape());
  if (scores.size() == 0) return weights;
  const std::size_t keys = scores.shape().back();
  for (std::size_t start = 0; start < scores.size(); start += keys) {
    by_row(scores.data() + start, keys, weights.data() + start);
  }
  return weights;
}

}  // namespace

template <class T>
Tensor<T> softmax(const Tensor<T>& scores) {
  return softmax_by_rows(
      scores, [](const T* row, std::size_t keys, T* weights) { stable_softmax(row, keys, weights); });
}

template <class T>
Tensor<T> softmax_naive(const Tensor<T>& scores) {
  return softmax_by_rows(
      scores, [](const T* row, std::size_t keys, T* weights) { shifted_softmax(row, T(0), keys, weights); });
}

template <class T>
Tensor<T> softmax_global_maximum(const Tensor<T>& scores) {
  const T largest = scores.size() == 0 ? T(0) : maximum(scores.data(), scores.size());
  return softmax_by_rows(scores, [largest](const T* row, std::size_t keys, T* weights) {
    shifted_softmax(row, largest, keys, weights);
  });
}

template Tensor<float> softmax(const Tensor<float>&);
template Tensor<double> softmax(const Tensor<double>&);
template Tensor<float> softmax_naive(const Tensor<float>&);
template Tensor<double> softmax_naive(const Tensor<double>&);
template Tensor<float> softmax_global_maximum(const Tensor<float>&);
template Tensor<double> softmax_global_maximum(const Tensor<double>&);

}  // namespace attnlab
