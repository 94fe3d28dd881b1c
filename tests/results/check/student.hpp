// A student's own arithmetic, with nothing of the tool in it.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "results/report/array.hpp"

namespace attnlab::student {

using Numbers = std::vector<double>;
using Matrix = std::vector<Numbers>;

inline Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.front().size(), Numbers(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) result[j][i] = matrix[i][j];
  }
  return result;
}

inline Matrix times(const Matrix& left, const Matrix& right) {
  Matrix result(left.size(), Numbers(right.front().size(), 0.0));
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t k = 0; k < right.size(); ++k) {
      for (std::size_t j = 0; j < right[k].size(); ++j) result[i][j] += left[i][k] * right[k][j];
    }
  }
  return result;
}

inline Matrix scaled(Matrix matrix, double factor) {
  for (Numbers& row : matrix) {
    for (double& entry : row) entry *= factor;
  }
  return matrix;
}

inline Matrix plus(Matrix left, const Matrix& right) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t j = 0; j < left[i].size(); ++j) left[i][j] += right[i][j];
  }
  return left;
}

inline Matrix exponentials(Matrix matrix) {
  for (Numbers& row : matrix) {
    for (double& entry : row) entry = std::exp(entry);
  }
  return matrix;
}

inline Matrix divided_by_row_sums(Matrix matrix) {
  for (Numbers& row : matrix) {
    double sum = 0.0;
    for (const double entry : row) sum += entry;
    for (double& entry : row) entry /= sum;
  }
  return matrix;
}

inline Matrix softmax(const Matrix& scores) { return divided_by_row_sums(exponentials(scores)); }

inline Array array_of(const Matrix& matrix, std::vector<std::string> axes = {}) {
  Array array{{matrix.size(), matrix.front().size()}, std::move(axes), {}};
  for (const Numbers& row : matrix) array.data.insert(array.data.end(), row.begin(), row.end());
  return array;
}

}  // namespace attnlab::student
