#include "training/layers/linear.hpp"

#include <algorithm>

#include "training/product.hpp"

namespace attnlab {

template <class T>
void linear_forward(Reads<T> x, Reads<T> weight, ReadsVector<T> bias, StridedMatrix<T> y) {
  for (std::size_t i = 0; i < y.rows; ++i) std::copy_n(bias, y.columns, y.row(i));
  product_with_transpose(x, weight, y, Sum::adds);
}

template <class T>
void linear_backward(Reads<T> x, Reads<T> weight, Reads<T> dy, StridedMatrix<T> dx, StridedMatrix<T> dweight,
                     T* dbias) {
  product(dy, weight, dx);
  add_gradient<T>(x, dy, dweight, dbias);
}

template <class T>
void add_gradient(Reads<T> x, Reads<T> dy, StridedMatrix<T> dweight, T* dbias) {
  product_of_transpose(dy, x, dweight, Sum::adds);
  for (std::size_t i = 0; i < dy.rows; ++i) {
    const T* row = dy.row(i);
    for (std::size_t k = 0; k < dy.columns; ++k) dbias[k] += row[k];
  }
}

template void linear_forward(Reads<float>, Reads<float>, const float*, StridedMatrix<float>);
template void linear_forward(Reads<double>, Reads<double>, const double*, StridedMatrix<double>);
template void add_gradient(Reads<float>, Reads<float>, StridedMatrix<float>, float*);
template void add_gradient(Reads<double>, Reads<double>, StridedMatrix<double>, double*);
template void linear_backward(Reads<float>, Reads<float>, Reads<float>, StridedMatrix<float>,
                              StridedMatrix<float>, float*);
template void linear_backward(Reads<double>, Reads<double>, Reads<double>, StridedMatrix<double>,
                              StridedMatrix<double>, double*);

}  // namespace attnlab
