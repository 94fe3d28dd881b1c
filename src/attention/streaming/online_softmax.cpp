#include "attention/streaming/online_softmax.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "attention/streaming/exponential.hpp"

namespace attnlab {

template <class T>
RowState<T> empty_row() {
  return {-std::numeric_limits<T>::infinity(), T(0)};
}

template <class T>
T largest_of(T from, const T* values, std::size_t count) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t lanes = Batch::size;
  Batch first(from);
  Batch second(from);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    first = xsimd::max(first, Batch::load_unaligned(values + i));
    second = xsimd::max(second, Batch::load_unaligned(values + i + lanes));
  }
  first = xsimd::max(first, second);
  T largest = from;
  for (std::size_t lane = 0; lane < lanes; ++lane) largest = std::max(largest, first.get(lane));
  for (; i < count; ++i) largest = std::max(largest, values[i]);
  return largest;
}

template RowState<float> empty_row();
template RowState<double> empty_row();
template float largest_of(float, const float*, std::size_t);
template double largest_of(double, const double*, std::size_t);

}  // namespace attnlab
