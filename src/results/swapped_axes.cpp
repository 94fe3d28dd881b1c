#include "results/swapped_axes.hpp"

#include <utility>

#include "results/derivation/array_operations.hpp"

namespace attnlab {

Array swapped(const Array& array, std::size_t from_back) {
  const std::size_t rank = array.shape.size();
  if (rank < from_back) throw ShapeMismatch("no axes to swap");
  const std::size_t rows = array.shape[rank - from_back];
  const std::size_t columns = array.shape[rank - 1];
  std::size_t between = 1;
  for (std::size_t axis = rank - from_back + 1; axis + 1 < rank; ++axis) between *= array.shape[axis];
  Array result = array;
  std::swap(result.shape[rank - from_back], result.shape[rank - 1]);
  if (array.axes.size() == rank) std::swap(result.axes[rank - from_back], result.axes[rank - 1]);
  for (std::size_t i = 0; i < array.data.size(); ++i) {
    const std::size_t column = i % columns;
    const std::size_t middle = i / columns % between;
    const std::size_t row = i / columns / between % rows;
    const std::size_t block = i / columns / between / rows;
    result.data[((block * columns + column) * between + middle) * rows + row] = array.data[i];
  }
  return result;
}

Array transposed(const Array& array) {
  return swapped(array, 2);
}

}  // namespace attnlab
