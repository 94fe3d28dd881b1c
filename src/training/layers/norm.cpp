#include "training/layers/norm.hpp"

#include "attention/lanes.hpp"

namespace attnlab {

template <class T>
void norm_forward(NormKind kind, Reads<T> x, ReadsVector<T> gain, ReadsVector<T> bias,
                  StridedMatrix<T> normalised, T* inverse, StridedMatrix<T> y) {
  const auto width = static_cast<T>(x.columns);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const T* from = x.row(i);
    T* n = normalised.row(i);
    T* to = y.row(i);
    const T mean = kind == NormKind::layer ? sum_of_products(x.columns, from) / width : T(0);
    for (std::size_t k = 0; k < x.columns; ++k) n[k] = from[k] - mean;
    const T scale = 1 / std::sqrt(sum_of_products(x.columns, n, n) / width + T(norm_eps));
    inverse[i] = scale;
    for (std::size_t k = 0; k < x.columns; ++k) {
      n[k] *= scale;
      to[k] = n[k] * gain[k] + (kind == NormKind::layer ? bias[k] : T(0));
    }
  }
}

template <class T>
void norm_backward(NormKind kind, Reads<T> normalised, ReadsVector<T> inverse, ReadsVector<T> gain,
                   Reads<T> dy, StridedMatrix<T> dx, T* dgain, T* dbias) {
  const auto width = static_cast<T>(dy.columns);
  for (std::size_t i = 0; i < dy.rows; ++i) {
    const T* n = normalised.row(i);
    const T* d = dy.row(i);
    T* to = dx.row(i);
    const T mean = kind == NormKind::layer ? sum_of_products(dy.columns, d, gain) / width : T(0);
    const T along = sum_of_products(dy.columns, d, gain, n) / width;
    for (std::size_t k = 0; k < dy.columns; ++k) {
      dgain[k] += d[k] * n[k];
      to[k] += inverse[i] * (d[k] * gain[k] - mean - n[k] * along);
    }
    if (kind == NormKind::rms) continue;
    for (std::size_t k = 0; k < dy.columns; ++k) dbias[k] += d[k];
  }
}

template void norm_forward(NormKind, Reads<float>, const float*, const float*, StridedMatrix<float>, float*,
                           StridedMatrix<float>);
template void norm_forward(NormKind, Reads<double>, const double*, const double*, StridedMatrix<double>,
                           double*, StridedMatrix<double>);
template void norm_backward(NormKind, Reads<float>, const float*, const float*, Reads<float>,
                            StridedMatrix<float>, float*, float*);
template void norm_backward(NormKind, Reads<double>, const double*, const double*, Reads<double>,
                            StridedMatrix<double>, double*, double*);

}  // namespace attnlab
