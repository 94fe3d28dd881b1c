#include "training/layers/norm.hpp"

#include "attention/lanes.hpp"

namespace attnlab {

template <class T>
void norm_forward(NormKind kind, Reads<T> x, ReadsVector<T> gain, ReadsVector<T> bias,
                  StridedMatrix<T> normalised, T* inverse, StridedMatrix<T> y) {
  const std::size_t columns = x.columns;
  const auto width = static_cast<T>(columns);
  const auto product = [](const auto& n, const auto& g) { return n * g; };
  const auto affine = [](const auto& n, const auto& g, const auto& b) { return n * g + b; };
  for (std::size_t i = 0; i < x.rows; ++i) {
    T* row = normalised.row(i);
    const T mean = kind == NormKind::layer ? sum_of_products(columns, x.row(i)) / width : T(0);
    const auto centred = [mean](const auto& number) { return number - mean; };
    map_row(columns, row, centred, x.row(i));
    const T scale = 1 / std::sqrt(sum_of_products(columns, row, row) / width + T(norm_eps));
    const auto scaled = [scale](const auto& number) { return number * scale; };
    map_row(columns, row, scaled, row);
    inverse[i] = scale;
    if (kind == NormKind::rms) {
      map_row(columns, y.row(i), product, row, gain);
    } else {
      map_row(columns, y.row(i), affine, row, gain, bias);
    }
  }
}

template <class T>
void norm_backward(NormKind kind, Reads<T> normalised, ReadsVector<T> inverse, ReadsVector<T> gain,
                   Reads<T> dy, StridedMatrix<T> dx, T* dgain, T* dbias) {
  const std::size_t columns = dy.columns;
  const auto width = static_cast<T>(columns);
  const auto sum = [](const auto& so_far, const auto& d) { return so_far + d; };
  const auto sum_of = [](const auto& so_far, const auto& d, const auto& n) { return so_far + d * n; };
  for (std::size_t i = 0; i < dy.rows; ++i) {
    const T* row = normalised.row(i);
    const T* drow = dy.row(i);
    const T scale = inverse[i];
    const T mean = kind == NormKind::layer ? sum_of_products(columns, drow, gain) / width : T(0);
    const T along = sum_of_products(columns, drow, gain, row) / width;
    const auto back = [=](const auto& so_far, const auto& d, const auto& g, const auto& n) {
      return so_far + scale * (d * g - mean - n * along);
    };
    map_row(columns, dx.row(i), back, dx.row(i), drow, gain, row);
    map_row(columns, dgain, sum_of, dgain, drow, row);
    if (kind == NormKind::layer) map_row(columns, dbias, sum, dbias, drow);
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
