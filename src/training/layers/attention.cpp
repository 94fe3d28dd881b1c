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

namespace {

/// Scores become weights, row by row; what may not be read gets 0.
template <class T>
void weigh(Reading reading, StridedMatrix<T> scores) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const std::size_t readable = reading == Reading::everything ? scores.columns : i + 1;
    softmax_row(scores.row(i), readable);
    std::fill(scores.row(i) + readable, scores.row(i) + scores.columns, T(0));
  }
}

/// dV, and dA becomes dS.
template <class T>
void weigh_backward(Reads<T> value, Reads<T> weights, Reads<T> doutput, StridedMatrix<T> dscores,
                    StridedMatrix<T> dvalue) {
  product_of_transpose(weights, doutput, dvalue);
  product_with_transpose(doutput, value, dscores);  // dA
  for (std::size_t i = 0; i < dscores.rows; ++i) {
    const T* a = weights.row(i);
    T* d = dscores.row(i);
    T mean = 0;
    for (std::size_t j = 0; j < dscores.columns; ++j) mean += a[j] * d[j];
    for (std::size_t j = 0; j < dscores.columns; ++j) d[j] = a[j] * (d[j] - mean);
  }
}

}  // namespace

template <class T>
void attention_forward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, Reading reading,
                       StridedMatrix<T> weights, StridedMatrix<T> output) {
  product_with_transpose(query, key, weights, Sum::replaces, scale);
  weigh(reading, weights);
  product(weights, value, output);
}

template <class T>
void attention_backward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, Reads<T> weights,
                        Reads<T> doutput, StridedMatrix<T> dscores, StridedMatrix<T> dquery,
                        StridedMatrix<T> dkey, StridedMatrix<T> dvalue) {
  weigh_backward(value, weights, doutput, dscores, dvalue);
  product(dscores, key, dquery, Sum::replaces, scale);
  product_of_transpose(dscores, query, dkey, Sum::replaces, scale);
}

template <class T>
void additive_forward(Reads<T> query, Reads<T> key, Reads<T> value, ReadsVector<T> v, Reading reading,
                      StridedMatrix<T> weights, StridedMatrix<T> output) {
  for (std::size_t i = 0; i < weights.rows; ++i) {
    for (std::size_t j = 0; j < weights.columns; ++j) {
      T score = 0;
      for (std::size_t k = 0; k < query.columns; ++k)
        score += v[k] * std::tanh(query.row(i)[k] + key.row(j)[k]);
      weights.row(i)[j] = score;
    }
  }
  weigh(reading, weights);
  product(weights, value, output);
}

template <class T>
void additive_backward(Reads<T> query, Reads<T> key, Reads<T> value, ReadsVector<T> v, Reads<T> weights,
                       Reads<T> doutput, StridedMatrix<T> dscores, StridedMatrix<T> dquery,
                       StridedMatrix<T> dkey, StridedMatrix<T> dvalue, T* dv) {
  weigh_backward(value, weights, doutput, dscores, dvalue);
  for (std::size_t i = 0; i < dquery.rows; ++i) {
    std::fill_n(dquery.row(i), dquery.columns, T(0));
    std::fill_n(dkey.row(i), dkey.columns, T(0));
  }
  for (std::size_t i = 0; i < dscores.rows; ++i) {
    for (std::size_t j = 0; j < dscores.columns; ++j) {
      const T d = dscores.row(i)[j];
      if (d == 0) continue;  // hidden
      for (std::size_t k = 0; k < query.columns; ++k) {
        const T t = std::tanh(query.row(i)[k] + key.row(j)[k]);
        const T slope = d * v[k] * (1 - t * t);
        dquery.row(i)[k] += slope;
        dkey.row(j)[k] += slope;
        dv[k] += d * t;
      }
    }
  }
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

template void additive_forward(Reads<float>, Reads<float>, Reads<float>, const float*, Reading,
                               StridedMatrix<float>, StridedMatrix<float>);
template void additive_forward(Reads<double>, Reads<double>, Reads<double>, const double*, Reading,
                               StridedMatrix<double>, StridedMatrix<double>);
template void additive_backward(Reads<float>, Reads<float>, Reads<float>, const float*, Reads<float>,
                                Reads<float>, StridedMatrix<float>, StridedMatrix<float>,
                                StridedMatrix<float>, StridedMatrix<float>, float*);
template void additive_backward(Reads<double>, Reads<double>, Reads<double>, const double*, Reads<double>,
                                Reads<double>, StridedMatrix<double>, StridedMatrix<double>,
                                StridedMatrix<double>, StridedMatrix<double>, double*);

}  // namespace attnlab
