#include "training/product.hpp"

#include <xtensor-blas/xblas.hpp>

namespace attnlab {
namespace {

template <class T>
void multiply(cxxblas::Transpose transpose_a, cxxblas::Transpose transpose_b, std::size_t inner,
              const StridedMatrix<const T>& a, const StridedMatrix<const T>& b, const StridedMatrix<T>& c,
              Sum sum, T factor) {
  const auto size = [](std::size_t count) { return static_cast<xt::blas_index_t>(count); };
  cxxblas::gemm<xt::blas_index_t>(cxxblas::RowMajor, transpose_a, transpose_b, size(c.rows), size(c.columns),
                                  size(inner), factor, a.data, size(a.stride), b.data, size(b.stride),
                                  sum == Sum::adds ? T(1) : T(0), c.data, size(c.stride));
}

}  // namespace

template <class T>
void product(Reads<T> a, Reads<T> b, StridedMatrix<T> c, Sum sum, T factor) {
  multiply(cxxblas::NoTrans, cxxblas::NoTrans, a.columns, a, b, c, sum, factor);
}

template <class T>
void product_with_transpose(Reads<T> a, Reads<T> b, StridedMatrix<T> c, Sum sum, T factor) {
  multiply(cxxblas::NoTrans, cxxblas::Trans, a.columns, a, b, c, sum, factor);
}

template <class T>
void product_of_transpose(Reads<T> a, Reads<T> b, StridedMatrix<T> c, Sum sum, T factor) {
  multiply(cxxblas::Trans, cxxblas::NoTrans, a.rows, a, b, c, sum, factor);
}

template void product(Reads<float>, Reads<float>, StridedMatrix<float>, Sum, float);
template void product(Reads<double>, Reads<double>, StridedMatrix<double>, Sum, double);
template void product_with_transpose(Reads<float>, Reads<float>, StridedMatrix<float>, Sum, float);
template void product_with_transpose(Reads<double>, Reads<double>, StridedMatrix<double>, Sum, double);
template void product_of_transpose(Reads<float>, Reads<float>, StridedMatrix<float>, Sum, float);
template void product_of_transpose(Reads<double>, Reads<double>, StridedMatrix<double>, Sum, double);

}  // namespace attnlab
