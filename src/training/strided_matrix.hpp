// A matrix where it lies: some rows of a longer one, or the columns that belong to one head. Nothing is
// copied.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace attnlab {

template <class T>
struct StridedMatrix {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;  // from one row to the next, in numbers

  T* row(std::size_t index) const { return data + index * stride; }
  StridedMatrix rows_from(std::size_t first, std::size_t count) const {
    return {row(first), count, columns, stride};
  }
  StridedMatrix columns_from(std::size_t first, std::size_t count) const {
    return {data + first, rows, count, stride};
  }
  operator StridedMatrix<const T>() const {
    return {data, rows, columns, stride};
  }  // NOLINT(google-explicit-constructor)
};

/// (rows, columns) without gaps.
template <class T>
StridedMatrix<T> matrix_at(T* data, std::size_t rows, std::size_t columns) {
  return {data, rows, columns, columns};
}

template <class T>
void fill_zero(const StridedMatrix<T>& matrix) {
  for (std::size_t i = 0; i < matrix.rows; ++i) std::fill_n(matrix.row(i), matrix.columns, T(0));
}

template <class T>
struct Same {
  using Type = T;
};

/// A parameter that is only read; T follows from the one that is written.
template <class T>
using Reads = StridedMatrix<const typename Same<T>::Type>;

/// As Reads, for a vector.
template <class T>
using ReadsVector = const typename Same<T>::Type*;

}  // namespace attnlab
