#include "training/layers/rotary.hpp"

namespace attnlab {
namespace {

template <class T>
void turn(const Turns<T>& turns, T direction, StridedMatrix<T> x) {
  for (std::size_t place = 0; place < x.rows; ++place) {
    T* row = x.row(place);
    for (std::size_t i = 0; i < x.columns / 2; ++i) {
      const T cosine = turns.cosine.row(place)[i];
      const T sine = direction * turns.sine.row(place)[i];
      const T first = row[2 * i];
      const T second = row[2 * i + 1];
      row[2 * i] = first * cosine - second * sine;
      row[2 * i + 1] = first * sine + second * cosine;
    }
  }
}

}  // namespace

template <class T>
void rotary_forward(const Turns<T>& turns, StridedMatrix<T> x) {
  turn(turns, T(1), x);
}

template <class T>
void rotary_backward(const Turns<T>& turns, StridedMatrix<T> dx) {
  turn(turns, T(-1), dx);
}

template void rotary_forward(const Turns<float>&, StridedMatrix<float>);
template void rotary_forward(const Turns<double>&, StridedMatrix<double>);
template void rotary_backward(const Turns<float>&, StridedMatrix<float>);
template void rotary_backward(const Turns<double>&, StridedMatrix<double>);

}  // namespace attnlab
