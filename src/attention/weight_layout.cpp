#include "attention/weight_layout.hpp"

#include "attention/shape.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

Error wrong_rank(const Shape& shape, const std::string& wanted) {
  return {
      ErrorKind::usage,
      text("形状 {} の重みは並べ替えられません", "weights of shape {} cannot be rearranged", printed(shape)),
      text("形状を {} にしてください", "give them the shape {}", wanted)};
}

}  // namespace

template <class T>
Tensor<T> heads_from_width(const Tensor<T>& joined, std::size_t heads) {
  Shape shape = shape_of(joined);
  const std::size_t columns = shape.back();
  if (heads == 0 || columns % heads != 0) {
    refuse_usage(text("幅 {} は {} 個のヘッドに分けられません", "width {} cannot be split over {} heads",
                      columns, heads),
                 {"ヘッド数は幅の約数にしてください", "choose a number of heads that divides the width"});
  }
  shape.back() = columns / heads;
  shape.insert(shape.end() - 1, heads);  // (..., length, heads, width)
  Tensor<T> heads_last = joined;
  heads_last.reshape(shape);
  return heads_before_length(heads_last);
}

template <class T>
Tensor<T> heads_before_length(const Tensor<T>& heads_last) {
  Shape shape = shape_of(heads_last);
  const std::size_t width = shape.back();
  const std::size_t heads = shape[shape.size() - 2];
  const std::size_t length = shape[shape.size() - 3];
  std::swap(shape[shape.size() - 2], shape[shape.size() - 3]);
  Tensor<T> heads_first = Tensor<T>::from_shape(shape);
  const T* from = heads_last.data();
  for (std::size_t row = 0; row < heads_last.size() / std::max<std::size_t>(1, width); ++row, from += width) {
    const std::size_t head = row % heads;
    const std::size_t token = row / heads % length;
    const std::size_t batch = row / heads / length;
    std::copy_n(from, width, heads_first.data() + ((batch * heads + head) * length + token) * width);
  }
  return heads_first;
}

template <class T>
Tensor<T> repeat_heads(const Tensor<T>& heads, std::size_t times) {
  if (times == 1) return heads;
  Shape shape = shape_of(heads);
  const std::size_t size = shape[shape.size() - 2] * shape.back();  // of one head
  shape[shape.size() - 3] *= times;
  Tensor<T> repeated = Tensor<T>::from_shape(shape);
  for (std::size_t start = 0; start < repeated.size(); start += size) {
    std::copy_n(heads.data() + start / size / times * size, size, repeated.data() + start);
  }
  return repeated;
}

template <class T>
Tensor<T> join_heads(const Tensor<T>& heads) {
  const Shape shape = shape_of(heads);
  const std::size_t head_count = shape[shape.size() - 3];
  const std::size_t queries = shape[shape.size() - 2];
  const std::size_t width = shape.back();
  Shape joined(shape.begin(), shape.end() - 3);
  const std::size_t batches = element_count(joined);
  joined.insert(joined.end(), {queries, head_count * width});

  Tensor<T> concat = Tensor<T>::from_shape(joined);
  const T* from = heads.data();
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (std::size_t head = 0; head < head_count; ++head) {
      for (std::size_t query = 0; query < queries; ++query, from += width) {
        std::copy_n(from, width, concat.data() + ((batch * queries + query) * head_count + head) * width);
      }
    }
  }
  return concat;
}

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
    refuse_usage(text("{} 列を {} 個のヘッドに等分できません", "{} cannot be split over {}",
                      counted(columns, "column"), counted(heads, "head")),
                 text("ヘッド数は {} の約数にしてください", "choose a divisor of {}", columns));
  }
  return heads_from_width(fused, heads);
}

template Tensor<float> heads_from_width(const Tensor<float>&, std::size_t);
template Tensor<float> heads_before_length(const Tensor<float>&);
template Tensor<float> join_heads(const Tensor<float>&);
template Tensor<float> repeat_heads(const Tensor<float>&, std::size_t);
template Tensor<double> heads_from_width(const Tensor<double>&, std::size_t);
template Tensor<double> heads_before_length(const Tensor<double>&);
template Tensor<double> join_heads(const Tensor<double>&);
template Tensor<double> repeat_heads(const Tensor<double>&, std::size_t);
template Tensor<float> fuse_heads(const Tensor<float>&);
template Tensor<double> fuse_heads(const Tensor<double>&);
template Tensor<float> split_heads(const Tensor<float>&, std::size_t);
template Tensor<double> split_heads(const Tensor<double>&, std::size_t);

}  // namespace attnlab
