// Matrix products over any batch dimensions: one call of BLAS per pair of matrices.
#include "attention/matmul.hpp"

#include <xtensor-blas/xblas.hpp>
#include <xtensor/xadapt.hpp>

#include "attention/shape.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

void require_matrix(const Shape& shape) {
  if (shape.size() >= 2) return;
  refuse_usage(text("行列積の引数には 2 次元以上の配列が必要ですが、形状は {} です",
                    "a matrix product needs two or more dimensions, got {}", printed(shape)),
               {"ベクトルは形状 (1, n) の行列にしてください", "make a vector a matrix of shape (1, n)"});
}

/// (..., m, k) and (..., k, n): the batch dimensions of the product.
Shape product_batch(const Shape& left, const Shape& right) {
  require_matrix(left);
  require_matrix(right);
  const std::size_t columns = left.back();
  const std::size_t rows = right[right.size() - 2];
  if (columns != rows) {
    refuse_usage(text("行列積 {} @ {} は、左の列数 {} と右の行数 {} が一致しません",
                      "{} @ {} cannot be multiplied: {} columns meet {} rows", printed(left), printed(right),
                      columns, rows),
                 {"左の最後の軸と右の最後から 2 番目の軸を同じ大きさにしてください",
                  "make the last axis of the left equal to the last but one of the right"});
  }
  const std::optional<Shape> batch = broadcast(batch_of(left), batch_of(right));
  if (!batch) {
    refuse_usage(text("行列積 {} @ {} のバッチ次元はブロードキャストできません",
                      "the batch dimensions of {} @ {} do not broadcast", printed(left), printed(right)),
                 {"バッチ次元は同じ大きさか 1 にしてください", "make each batch dimension equal, or 1"});
  }
  return *batch;
}

/// Numbers that belong to someone else. (xt::adapt takes a pointer by value alone.)
template <class Number, std::size_t axes>
auto lying_at(Number* numbers, const std::array<std::size_t, axes>& shape) {
  return xt::adapt(std::move(numbers), shape);
}

}  // namespace

template <class T>
Tensor<T> matmul(const Tensor<T>& left, const Tensor<T>& right) {
  const Shape left_shape = shape_of(left);
  const Shape right_shape = shape_of(right);
  const Shape batch = product_batch(left_shape, right_shape);
  const std::size_t m = left_shape[left_shape.size() - 2];
  const std::size_t k = left_shape.back();
  const std::size_t n = right_shape.back();

  Shape shape = batch;
  shape.insert(shape.end(), {m, n});
  Tensor<T> product = Tensor<T>::from_shape(shape);
  if (product.size() == 0) return product;
  if (k == 0) {  // a sum of no terms; BLAS refuses a leading dimension of 0
    product.fill(T(0));
    return product;
  }

  const std::vector<std::size_t> left_matrix = operand_matrices(batch_of(left_shape), batch);
  const std::vector<std::size_t> right_matrix = operand_matrices(batch_of(right_shape), batch);
  for (std::size_t i = 0; i < left_matrix.size(); ++i) {
    const auto a = xt::adapt(left.data() + left_matrix[i] * m * k, std::array{m, k});
    const auto b = xt::adapt(right.data() + right_matrix[i] * k * n, std::array{k, n});
    auto c = xt::adapt(product.data() + i * m * n, std::array{m, n});
    xt::blas::gemm(a, b, c);
  }
  return product;
}

template <class T>
Tensor<T> transpose(const Tensor<T>& matrix) {
  constexpr std::size_t rows_at_once = 16;  // few enough to stay in the first-level cache
  Shape shape = shape_of(matrix);
  require_matrix(shape);
  const std::size_t m = shape[shape.size() - 2];
  const std::size_t n = shape.back();
  std::swap(shape[shape.size() - 2], shape.back());
  Tensor<T> transposed = Tensor<T>::from_shape(shape);
  const std::size_t matrices = element_count(batch_of(shape));
  for (std::size_t i = 0; i < matrices; ++i) {
    const T* from = matrix.data() + i * m * n;
    T* to = transposed.data() + i * m * n;
    for (std::size_t begin = 0; begin < m; begin += rows_at_once) {
      const std::size_t end = std::min(begin + rows_at_once, m);
      for (std::size_t column = 0; column < n; ++column) {
        for (std::size_t row = begin; row < end; ++row) to[column * m + row] = from[row * n + column];
      }
    }
  }
  return transposed;
}

void multiply(const LeftMatrix& x, const RightMatrix& weight, float* product) {
  if (x.rows == 0 || weight.out == 0) return;
  const std::array shape =
      weight.out_in ? std::array{weight.out, weight.in} : std::array{weight.in, weight.out};
  const auto w = lying_at(weight.data, shape);
  if (x.rows == 1) {  // a token by itself
    const auto row = lying_at(x.data, std::array{weight.in});
    auto y = lying_at(product, std::array{weight.out});
    xt::blas::gemv(w, row, y, !weight.out_in);
    return;
  }
  const auto rows = lying_at(x.data, std::array{x.rows, weight.in});
  auto y = lying_at(product, std::array{x.rows, weight.out});
  xt::blas::gemm(rows, w, y, 0, weight.out_in ? 1 : 0);
}

template Tensor<float> matmul(const Tensor<float>&, const Tensor<float>&);
template Tensor<double> matmul(const Tensor<double>&, const Tensor<double>&);
template Tensor<float> transpose(const Tensor<float>&);
template Tensor<double> transpose(const Tensor<double>&);

}  // namespace attnlab
