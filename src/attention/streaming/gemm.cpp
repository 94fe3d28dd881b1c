// Two shapes of BLAS's gemm.
#include "attention/streaming/gemm.hpp"

#include <type_traits>
#include <xtensor-blas/xblas.hpp>

namespace attnlab {

namespace {

int blas_size(std::size_t size) {
  return static_cast<int>(size);
}

}  // namespace

template <class T>
void multiply_by_transposed(T scale, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c) {
  cxxblas::gemm<int>(cxxblas::RowMajor, cxxblas::NoTrans, cxxblas::Trans, blas_size(c.rows),
                     blas_size(c.columns), blas_size(a.columns), scale, a.data, blas_size(a.stride), b.data,
                     blas_size(b.stride), T(0), c.data, blas_size(c.stride));
}

template <class T>
void add_product(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c) {
  cxxblas::gemm<int>(cxxblas::RowMajor, cxxblas::NoTrans, cxxblas::NoTrans, blas_size(c.rows),
                     blas_size(c.columns), blas_size(a.columns), T(1), a.data, blas_size(a.stride), b.data,
                     blas_size(b.stride), T(1), c.data, blas_size(c.stride));
}

template void multiply_by_transposed(float, MatrixView<const float>, MatrixView<const float>,
                                     MatrixView<float>);
template void multiply_by_transposed(double, MatrixView<const double>, MatrixView<const double>,
                                     MatrixView<double>);
template void add_product(MatrixView<const float>, MatrixView<const float>, MatrixView<float>);
template void add_product(MatrixView<const double>, MatrixView<const double>, MatrixView<double>);

}  // namespace attnlab
