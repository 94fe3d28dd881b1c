#include "training/layers/linear.hpp"

#include <algorithm>

#include "training/product.hpp"

namespace attnlab {

template <class T>
void linear_forward(ReadsVector<T> parameters, const LinearPlaces& places, Reads<T> x, StridedMatrix<T> y) {
  for (std::size_t i = 0; i < y.rows; ++i) std::copy_n(parameters + places.bias, y.columns, y.row(i));
  product_with_transpose(x, matrix_at(parameters + places.weight, y.columns, x.columns), y, Sum::adds);
}

template <class T>
void linear_backward(ReadsVector<T> parameters, const LinearPlaces& places, Reads<T> x, Reads<T> dy,
                     StridedMatrix<T> dx, T* gradient) {
  product(dy, matrix_at(parameters + places.weight, dy.columns, x.columns), dx);
  add_gradient(places, x, dy, gradient);
}

template <class T>
void add_gradient(const LinearPlaces& places, Reads<T> x, Reads<T> dy, T* gradient) {
  product_of_transpose(dy, x, matrix_at(gradient + places.weight, dy.columns, x.columns), Sum::adds);
  T* const dbias = gradient + places.bias;
  for (std::size_t i = 0; i < dy.rows; ++i) {
    const T* row = dy.row(i);
    for (std::size_t k = 0; k < dy.columns; ++k) dbias[k] += row[k];
  }
}

template void linear_forward(const float*, const LinearPlaces&, Reads<float>, StridedMatrix<float>);
template void linear_forward(const double*, const LinearPlaces&, Reads<double>, StridedMatrix<double>);
template void linear_backward(const float*, const LinearPlaces&, Reads<float>, Reads<float>,
                              StridedMatrix<float>, float*);
template void linear_backward(const double*, const LinearPlaces&, Reads<double>, Reads<double>,
                              StridedMatrix<double>, double*);
template void add_gradient(const LinearPlaces&, Reads<float>, Reads<float>, float*);
template void add_gradient(const LinearPlaces&, Reads<double>, Reads<double>, double*);

}  // namespace attnlab
