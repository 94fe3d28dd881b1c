#include "training/layers/attention.hpp"

#include <algorithm>
#include <cmath>
#include <xsimd/xsimd.hpp>

#include "training/product.hpp"

namespace attnlab {

template <class T>
void softmax_row(T* scores, std::size_t count) {
  using Lanes = xsimd::batch<T>;
  const T most = *std::max_element(scores, scores + count);
  T sum = 0;
  std::size_t i = 0;
  for (; i + Lanes::size <= count; i += Lanes::size) {
    xsimd::exp(Lanes::load_unaligned(scores + i) - Lanes(most)).store_unaligned(scores + i);
  }
  for (; i < count; ++i) scores[i] = std::exp(scores[i] - most);
  for (i = 0; i < count; ++i) sum += scores[i];
  const T share = 1 / sum;
  for (i = 0; i < count; ++i) scores[i] *= share;
}

template <class T>
void attention_forward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, Reading reading,
                       StridedMatrix<T> weights, StridedMatrix<T> output) {
  product_with_transpose(query, key, weights, Sum::replaces, scale);
  for (std::size_t i = 0; i < weights.rows; ++i) {
    const std::size_t readable = reading == Reading::everything ? weights.columns : i + 1;
    softmax_row(weights.row(i), readable);
    std::fill(weights.row(i) + readable, weights.row(i) + weights.columns, T(0));
  }
  product(weights, value, output);
}

template <class T>
void attention_backward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, Reads<T> weights,
                        Reads<T> doutput, StridedMatrix<T> dscores, StridedMatrix<T> dquery,
                        StridedMatrix<T> dkey, StridedMatrix<T> dvalue) {
  product_of_transpose(weights, doutput, dvalue);
  product_with_transpose(doutput, value, dscores);  // dA
  for (std::size_t i = 0; i < dscores.rows; ++i) {
    const T* a = weights.row(i);
    T* d = dscores.row(i);
    T mean = 0;
    for (std::size_t j = 0; j < dscores.columns; ++j) mean += a[j] * d[j];
    for (std::size_t j = 0; j < dscores.columns; ++j) d[j] = a[j] * (d[j] - mean);
  }
  product(dscores, key, dquery, Sum::replaces, scale);
  product_of_transpose(dscores, query, dkey, Sum::replaces, scale);
}

template void softmax_row(float*, std::size_t);
template void softmax_row(double*, std::size_t);
template void attention_forward(Reads<float>, Reads<float>, Reads<float>, float, Reading,
                                StridedMatrix<float>, StridedMatrix<float>);
template void attention_forward(Reads<double>, Reads<double>, Reads<double>, double, Reading,
                                StridedMatrix<double>, StridedMatrix<double>);
template void attention_backward(Reads<float>, Reads<float>, Reads<float>, float, Reads<float>, Reads<float>,
                                 StridedMatrix<float>, StridedMatrix<float>, StridedMatrix<float>,
                                 StridedMatrix<float>);
template void attention_backward(Reads<double>, Reads<double>, Reads<double>, double, Reads<double>,
                                 Reads<double>, StridedMatrix<double>, StridedMatrix<double>,
                                 StridedMatrix<double>, StridedMatrix<double>);

}  // namespace attnlab
