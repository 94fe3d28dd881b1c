#include "training/layers/norm.hpp"

#include "attention/lanes.hpp"

namespace attnlab {

template <class T>
void norm_forward(NormKind kind, ReadsVector<T> parameters, const NormPlaces& places, Reads<T> x,
                  KeptNorm<T>& kept, StridedMatrix<T> y) {
  const T* gain = parameters + places.gain;
  const T* bias = kind == NormKind::layer ? parameters + places.bias : nullptr;
  const auto width = static_cast<T>(x.columns);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const T* from = x.row(i);
    T* n = kept.normalised.data() + i * x.columns;
    T* to = y.row(i);
    const T mean = kind == NormKind::layer ? sum_of_products(x.columns, from) / width : T(0);
    for (std::size_t k = 0; k < x.columns; ++k) n[k] = from[k] - mean;
    const T scale = 1 / std::sqrt(sum_of_products(x.columns, n, n) / width + T(norm_eps));
    kept.inverse[i] = scale;
    for (std::size_t k = 0; k < x.columns; ++k) {
      n[k] *= scale;
      to[k] = n[k] * gain[k] + (kind == NormKind::layer ? bias[k] : T(0));
    }
  }
}

template <class T>
void norm_backward(NormKind kind, ReadsVector<T> parameters, const NormPlaces& places,
                   const KeptNorm<T>& kept, Reads<T> dy, StridedMatrix<T> dx, T* gradient) {
  const T* gain = parameters + places.gain;
  T* dgain = gradient + places.gain;
  const auto width = static_cast<T>(dy.columns);
  for (std::size_t i = 0; i < dy.rows; ++i) {
    const T* n = kept.normalised.data() + i * dy.columns;
    const T* d = dy.row(i);
    T* to = dx.row(i);
    const T mean = kind == NormKind::layer ? sum_of_products(dy.columns, d, gain) / width : T(0);
    const T along = sum_of_products(dy.columns, d, gain, n) / width;
    for (std::size_t k = 0; k < dy.columns; ++k) {
      dgain[k] += d[k] * n[k];
      to[k] += kept.inverse[i] * (d[k] * gain[k] - mean - n[k] * along);
    }
    if (kind == NormKind::rms) continue;
    T* dbias = gradient + places.bias;
    for (std::size_t k = 0; k < dy.columns; ++k) dbias[k] += d[k];
  }
}

template void norm_forward(NormKind, const float*, const NormPlaces&, Reads<float>, KeptNorm<float>&,
                           StridedMatrix<float>);
template void norm_forward(NormKind, const double*, const NormPlaces&, Reads<double>, KeptNorm<double>&,
                           StridedMatrix<double>);
template void norm_backward(NormKind, const float*, const NormPlaces&, const KeptNorm<float>&, Reads<float>,
                            StridedMatrix<float>, float*);
template void norm_backward(NormKind, const double*, const NormPlaces&, const KeptNorm<double>&,
                            Reads<double>, StridedMatrix<double>, double*);

}  // namespace attnlab
