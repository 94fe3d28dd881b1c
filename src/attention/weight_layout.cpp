// The layouts in which libraries keep the same projections: per head or fused, three matrices or one.
#include "attention/weight_layout.hpp"

#include <algorithm>
#include <string>

#include "attention/head_axis.hpp"
#include "attention/shape.hpp"
#include "core/error.hpp"

namespace attnlab {

namespace {

Error wrong_rank(const Shape& shape, const std::string& wanted) {
  return {ErrorKind::usage,
          Text("形状 " + printed(shape) + " の重みは並べ替えられません",
               "weights of shape " + printed(shape) + " cannot be rearranged"),
          Text("形状を " + wanted + " にしてください", "give them the shape " + wanted)};
}

}  // namespace

template <class T>
Tensor<T> fuse_heads(const Tensor<T>& per_head) {
  const Shape shape = shape_of(per_head);
  if (shape.size() != 3) throw wrong_rank(shape, "(heads, in, width)");
  return join_heads(per_head);
}

template <class T>
Tensor<T> split_heads(const Tensor<T>& fused, std::size_t heads) {
  const Shape shape = shape_of(fused);
  if (shape.size() != 2) throw wrong_rank(shape, "(in, heads * width)");
  const std::size_t columns = shape[1];
  if (heads == 0 || columns % heads != 0) {
    const std::string count = std::to_string(columns);
    throw Error(ErrorKind::usage,
                Text(count + " 列を " + std::to_string(heads) + " 個のヘッドに等分できません",
                     count + " columns cannot be split over " + std::to_string(heads) + " heads"),
                Text("ヘッド数は " + count + " の約数にしてください", "choose a divisor of " + count));
  }
  return heads_from_width(fused, heads);
}

template <class T>
Projections<T> split_in_projection(const Tensor<T>& in_projection) {
  Shape shape = shape_of(in_projection);
  if (shape.empty() || shape.size() > 2) throw wrong_rank(shape, "(3 * width, in)");
  if (shape[0] % 3 != 0) {
    const std::string rows = std::to_string(shape[0]);
    throw Error(ErrorKind::usage,
                Text(rows + " 行を W_Q、W_K、W_V に等分できません",
                     rows + " rows cannot be split into W_Q, W_K and W_V"),
                Text("行数を 3 の倍数にしてください", "make the number of rows a multiple of 3"));
  }
  shape[0] /= 3;
  const std::size_t third = element_count(shape);
  const auto part = [&](std::size_t index) {
    Tensor<T> projection = Tensor<T>::from_shape(shape);
    std::copy_n(in_projection.data() + index * third, third, projection.data());
    return projection;
  };
  return {part(0), part(1), part(2)};
}

template <class T>
Tensor<T> fuse_in_projection(const Projections<T>& projections) {
  Shape shape = shape_of(projections.query);
  if (shape.empty() || shape.size() > 2) throw wrong_rank(shape, "(width, in)");
  if (shape_of(projections.key) != shape || shape_of(projections.value) != shape) {
    const std::string shapes = "W_Q " + printed(shape) + ", W_K " + printed(shape_of(projections.key)) +
                               ", W_V " + printed(shape_of(projections.value));
    throw Error(ErrorKind::usage,
                Text("形状の違う重みは一つの行列にまとめられません: " + shapes,
                     "weights of different shapes cannot become one matrix: " + shapes),
                Text("三つとも形状を (width, in) にしてください", "give all three the shape (width, in)"));
  }
  shape[0] *= 3;
  Tensor<T> fused = Tensor<T>::from_shape(shape);
  T* to = fused.data();
  for (const Tensor<T>* part : {&projections.query, &projections.key, &projections.value}) {
    to = std::copy_n(part->data(), part->size(), to);
  }
  return fused;
}

template Tensor<float> fuse_heads(const Tensor<float>&);
template Tensor<double> fuse_heads(const Tensor<double>&);
template Tensor<float> split_heads(const Tensor<float>&, std::size_t);
template Tensor<double> split_heads(const Tensor<double>&, std::size_t);
template Projections<float> split_in_projection(const Tensor<float>&);
template Projections<double> split_in_projection(const Tensor<double>&);
template Tensor<float> fuse_in_projection(const Projections<float>&);
template Tensor<double> fuse_in_projection(const Projections<double>&);

}  // namespace attnlab
