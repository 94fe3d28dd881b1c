// The forward pass reads downwards; the backward pass undoes it from below.
#include "training/stack.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "training/layers/linear.hpp"

namespace attnlab {
namespace {

/// y = x Wᵀ + b with the weights that lie there.
template <class T>
void through_linear(const T* parameters, const LinearPlaces& places, const StridedMatrix<T>& x,
                    const StridedMatrix<T>& y) {
  linear_forward<T>(x, matrix_at(parameters + places.weight, y.columns, x.columns), parameters + places.bias,
                    y);
}

/// Back through it: x is what it read, dy and dx are the gradients by y and x.
template <class T>
void back_through_linear(const T* parameters, T* gradient, const LinearPlaces& places,
                         const StridedMatrix<T>& x, const StridedMatrix<T>& dy, const StridedMatrix<T>& dx) {
  linear_backward<T>(x, matrix_at(parameters + places.weight, dy.columns, x.columns), dy, dx,
                     matrix_at(gradient + places.weight, dy.columns, x.columns), gradient + places.bias);
}

/// An RMS norm has no bias; its place is not looked at.
template <class Pointer>
Pointer bias_of(Pointer parameters, const NormPlaces& places) {
  return places.bias == no_place ? parameters : parameters + places.bias;
}

/// y = x + y
template <class T>
void add(const std::vector<T>& x, std::size_t count, T* y) {
  for (std::size_t i = 0; i < count; ++i) y[i] += x[i];
}

template <class T>
void fill_zero(const StridedMatrix<T>& matrix) {
  for (std::size_t i = 0; i < matrix.rows; ++i) std::fill_n(matrix.row(i), matrix.columns, T(0));
}

}  // namespace

// --- Room

template <class T>
void Stack<T>::give_room(NormRoom& room, bool is_there) {
  room.normalised.resize(is_there ? room_ * shape_.tokens * shape_.width : 0);
  room.inverse.resize(is_there ? room_ * shape_.tokens : 0);
}

template <class T>
void Stack<T>::give_room(AttentionRoom& room, std::size_t joint, std::size_t keys, std::size_t memory_rows) {
  const std::size_t rows = room_ * shape_.tokens;
  room.joint.resize(joint * rows);
  room.memory.resize(2 * memory_rows * shape_.width);
  room.weights.resize(rows * shape_.heads * keys);
  for (std::vector<T>* vector : {&room.read, &room.mixed, &room.out}) vector->resize(rows * shape_.width);
  give_room(room.norm, shape_.norm != NormPlace::none);
}

template <class T>
Stack<T>::Stack(const ModelShape& shape, StackPlaces places, std::size_t sequences, std::size_t source_tokens)
    : shape_(shape), places_(std::move(places)), room_(sequences) {
  const std::size_t rows = sequences * shape.tokens;
  const std::size_t wide = rows * shape.width;
  const std::size_t memory_rows = sequences * source_tokens;
  layers_.resize(shape.layers);
  for (LayerRoom& room : layers_) {
    give_room(room.own, 3 * shape.width, shape.tokens, 0);
    if (source_tokens > 0) give_room(room.cross, shape.width, source_tokens, memory_rows);
    room.mlp_read.resize(wide);
    give_room(room.mlp_norm, shape.norm != NormPlace::none);
    for (std::vector<T>* vector : {&room.hidden, &room.activated}) vector->resize(rows * shape.hidden);
  }
  patches_.resize(rows * shape.pixels);
  residual_.assign(shape.layers + 1, std::vector<T>(wide));
  last_.resize(shape.norm == NormPlace::pre ? wide : 0);
  give_room(last_norm_, shape.norm == NormPlace::pre);
  for (std::vector<T>* vector : {&dx_, &dwide_, &dother_}) vector->resize(wide);
  djoint_.resize(3 * wide);
  dmemory_.resize(2 * memory_rows * shape.width);
  dread_.resize(memory_rows * shape.width);
  dhidden_.resize(rows * shape.hidden);
  dscores_.resize(shape.tokens * std::max(shape.tokens, source_tokens));
}

double numbers_of_stack(const ModelShape& shape, std::size_t sequences, std::size_t source_tokens) {
  const auto tokens = static_cast<double>(shape.tokens);
  const auto sources = static_cast<double>(source_tokens);
  const double rows = static_cast<double>(sequences) * tokens;
  const double wide = rows * static_cast<double>(shape.width);
  const auto memory = static_cast<double>(sequences * source_tokens * shape.width);
  const double hidden = rows * static_cast<double>(shape.hidden);
  const double norm = shape.norm == NormPlace::none ? 0.0 : wide + rows;
  const double heads = rows * static_cast<double>(shape.heads);
  const double own = 6.0 * wide + heads * tokens + norm;
  const double cross = source_tokens == 0 ? 0.0 : 4.0 * wide + 2.0 * memory + heads * sources + norm;
  const double mlp = wide + norm + 2.0 * hidden;
  return static_cast<double>(shape.layers) * (own + cross + mlp + wide) + 8.0 * wide + hidden + 3.0 * memory +
         rows * static_cast<double>(shape.pixels) + tokens * std::max(tokens, sources);
}

// --- One head of one sequence

template <class T>
typename Stack<T>::Keys Stack<T>::keys_of(const Memory<T>* memory) const {
  if (memory == nullptr) return {nullptr, input_.tokens, input_.lengths};
  return {memory, memory->tokens, memory->lengths};
}

template <class T>
typename Stack<T>::Sides Stack<T>::sides(std::vector<T>& joint, std::vector<T>& memory, const Keys& keys) {
  const std::size_t width = shape_.width;
  if (keys.memory == nullptr) {
    const StridedMatrix<T> all = all_rows(joint, 3 * width);
    return {all.columns_from(0, width), all.columns_from(width, width), all.columns_from(2 * width, width)};
  }
  const StridedMatrix<T> both = matrix_at(memory.data(), input_.sequences * keys.tokens, 2 * width);
  return {all_rows(joint, width), both.columns_from(0, width), both.columns_from(width, width)};
}

template <class T>
std::size_t Stack<T>::queries_of(std::size_t sequence) const {
  return input_.lengths == nullptr ? input_.tokens : input_.lengths[sequence];
}

template <class T>
typename Stack<T>::Sides Stack<T>::of_head(const Sides& all, const Keys& keys, std::size_t sequence,
                                           std::size_t head) const {
  const std::size_t width = shape_.head_width();
  const std::size_t count = keys.lengths == nullptr ? keys.tokens : keys.lengths[sequence];
  const auto of_keys = [&](const StridedMatrix<T>& side) {
    return side.rows_from(sequence * keys.tokens, count).columns_from(head * width, width);
  };
  return {
      all.query.rows_from(sequence * input_.tokens, queries_of(sequence)).columns_from(head * width, width),
      of_keys(all.key), of_keys(all.value)};
}

template <class T>
StridedMatrix<T> Stack<T>::head_output(std::vector<T>& mixed, std::size_t sequence, std::size_t head) {
  const std::size_t width = shape_.head_width();
  return all_rows(mixed, shape_.width)
      .rows_from(sequence * input_.tokens, input_.tokens)
      .columns_from(head * width, width);
}

template <class T>
StridedMatrix<T> Stack<T>::head_weights(std::vector<T>& weights, const Keys& keys, std::size_t sequence,
                                        std::size_t head) {
  const std::size_t size = input_.tokens * keys.tokens;
  return matrix_at(weights.data() + (sequence * shape_.heads + head) * size, input_.tokens, keys.tokens);
}

template <class T>
StridedMatrix<const T> Stack<T>::weights(std::size_t layer, std::size_t head, std::size_t sequence) const {
  const std::size_t size = input_.tokens * input_.tokens;
  return matrix_at(layers_[layer].own.weights.data() + (sequence * shape_.heads + head) * size, input_.tokens,
                   input_.tokens);
}

template <class T>
StridedMatrix<const T> Stack<T>::cross_weights(std::size_t layer, std::size_t head,
                                               std::size_t sequence) const {
  const std::size_t size = input_.tokens * source_tokens_;
  return matrix_at(layers_[layer].cross.weights.data() + (sequence * shape_.heads + head) * size,
                   input_.tokens, source_tokens_);
}

template <class T>
typename Stack<T>::Compared Stack<T>::compared(std::size_t layer, std::size_t head,
                                               std::size_t sequence) const {
  const AttentionRoom& room = layers_[layer].own;
  const std::size_t width = shape_.head_width();
  const auto part = [&](const std::vector<T>& from, std::size_t columns, std::size_t first) {
    return StridedMatrix<const T>{from.data() + sequence * input_.tokens * columns + first + head * width,
                                  input_.tokens, width, columns};
  };
  return {part(room.joint, 3 * shape_.width, 0), part(room.joint, 3 * shape_.width, shape_.width),
          part(room.joint, 3 * shape_.width, 2 * shape_.width), part(room.mixed, shape_.width, 0)};
}

template <class T>
typename Stack<T>::Compared Stack<T>::compared_across(std::size_t layer, std::size_t head,
                                                      std::size_t sequence) const {
  const AttentionRoom& room = layers_[layer].cross;
  const std::size_t width = shape_.head_width();
  const auto part = [&](const std::vector<T>& from, std::size_t tokens, std::size_t columns,
                        std::size_t first) {
    return StridedMatrix<const T>{from.data() + sequence * tokens * columns + first, tokens, width, columns};
  };
  return {part(room.joint, input_.tokens, shape_.width, head * width),
          part(room.memory, source_tokens_, 2 * shape_.width, head * width),
          part(room.memory, source_tokens_, 2 * shape_.width, shape_.width + head * width),
          part(room.mixed, input_.tokens, shape_.width, head * width)};
}

template <class T>
StridedMatrix<const T> Stack<T>::residual(std::size_t layer) const {
  return all_rows(residual_[layer], shape_.width);
}

template <class T>
T Stack<T>::scale() const {
  return static_cast<T>(shape_.scale.value_or(1.0 / std::sqrt(static_cast<double>(shape_.head_width()))));
}

// --- Norms before or behind a sub-layer

template <class T>
void Stack<T>::norm(const NormPlaces& places, NormRoom& room, StridedMatrix<const T> x, StridedMatrix<T> y) {
  norm_forward(shape_.norm_kind, x, input_.parameters + places.gain, bias_of(input_.parameters, places),
               all_rows(room.normalised, shape_.width), room.inverse.data(), y);
}

template <class T>
void Stack<T>::norm_back(T* gradient, const NormPlaces& places, NormRoom& room, StridedMatrix<T> dy,
                         StridedMatrix<T> dx) {
  norm_backward(shape_.norm_kind, all_rows(room.normalised, shape_.width), room.inverse.data(),
                input_.parameters + places.gain, dy, dx, gradient + places.gain, bias_of(gradient, places));
}

template <class T>
void Stack<T>::read(const NormPlaces& places, NormRoom& room, const std::vector<T>& x, StridedMatrix<T> y) {
  if (shape_.norm == NormPlace::pre) return norm(places, room, all_rows(x, shape_.width), y);
  std::copy_n(x.data(), rows() * shape_.width, y.data);
}

template <class T>
void Stack<T>::add_to(const NormPlaces& places, NormRoom& room, const std::vector<T>& x, StridedMatrix<T> y) {
  add(x, rows() * shape_.width, y.data);
  if (shape_.norm == NormPlace::post) norm(places, room, y, y);
}

template <class T>
void Stack<T>::add_to_back(T* gradient, const NormPlaces& places, NormRoom& room) {
  if (shape_.norm != NormPlace::post) return;
  std::copy_n(dx_.data(), rows() * shape_.width, dother_.data());
  std::fill_n(dx_.data(), rows() * shape_.width, T(0));
  norm_back(gradient, places, room, all_rows(dother_, shape_.width), all_rows(dx_, shape_.width));
}

template <class T>
void Stack<T>::read_back(T* gradient, const NormPlaces& places, NormRoom& room) {
  if (shape_.norm != NormPlace::pre) return add(dwide_, rows() * shape_.width, dx_.data());
  norm_back(gradient, places, room, all_rows(dwide_, shape_.width), all_rows(dx_, shape_.width));
}

// --- Forwards

/// x = the word's vector, its patch's where it shows one, and its place's.
template <class T>
void Stack<T>::embed() {
  const T* word_vectors = input_.parameters + places_.words;
  const T* place_vectors =
      shape_.positions == Positions::learned ? input_.parameters + places_.positions : input_.sinusoids;
  const StridedMatrix<T> first = all_rows(residual_[0], shape_.width);
  fill_zero(first);
  if (shape_.pixels > 0) {
    std::transform(input_.patches, input_.patches + rows() * shape_.pixels, patches_.begin(),
                   [](float number) { return static_cast<T>(number); });
    through_linear(input_.parameters, places_.patches, all_rows(patches_, shape_.pixels), first);
  }
  for (std::size_t row = 0; row < rows(); ++row) {
    T* x = first.row(row);
    const T* word = word_vectors + static_cast<std::size_t>(input_.words[row]) * shape_.width;
    for (std::size_t k = 0; k < shape_.width; ++k) x[k] += word[k];
    if (place_vectors == nullptr) continue;
    const T* place = place_vectors + row % input_.tokens * shape_.width;
    for (std::size_t k = 0; k < shape_.width; ++k) x[k] += place[k];
  }
}

/// out = x + attention(x), or x + attention(x, memory), with its norm before or behind.
template <class T>
void Stack<T>::attend(const AttentionPlaces& places, AttentionRoom& room, const std::vector<T>& x,
                      const Keys& keys, const std::vector<bool>& silent) {
  const T* p = input_.parameters;
  const std::size_t width = shape_.width;
  const StridedMatrix<T> what = all_rows(room.read, width);
  read(places.norm, room.norm, x, what);
  if (keys.memory == nullptr) {
    through_linear(p, places.joint, what, all_rows(room.joint, 3 * width));
  } else {
    const StridedMatrix<T> memory = keys.memory->x;
    through_linear(p, places.query, what, all_rows(room.joint, width));
    through_linear(p, places.memory, memory, matrix_at(room.memory.data(), memory.rows, 2 * width));
  }
  const Sides all = sides(room.joint, room.memory, keys);
  const Reading reading = keys.memory == nullptr ? shape_.reading : Reading::everything;
  for (std::size_t sequence = 0; sequence < input_.sequences; ++sequence) {
    for (std::size_t head = 0; head < shape_.heads; ++head) {
      const Sides of = of_head(all, keys, sequence, head);
      if (shape_.positions == Positions::rotary && keys.memory == nullptr) {
        rotary_forward(input_.turns, of.query);
        rotary_forward(input_.turns, of.key);
      }
      const StridedMatrix<T> whole = head_weights(room.weights, keys, sequence, head);
      const StridedMatrix<T> all_output = head_output(room.mixed, sequence, head);
      const StridedMatrix<T> weights = whole.rows_from(0, of.query.rows).columns_from(0, of.key.rows);
      const StridedMatrix<T> output = all_output.rows_from(0, of.query.rows);
      if (weights.rows < whole.rows ||
          weights.columns < whole.columns) {  // what does not count reads nothing
        fill_zero(whole);
        fill_zero(all_output);
      }
      if (shape_.score == Score::additive) {
        additive_forward(of.query, of.key, of.value, p + places.score + head * shape_.head_width(), reading,
                         shape_.softmax, weights, output);
      } else {
        attention_forward(of.query, of.key, of.value, scale(), reading, shape_.softmax, weights, output);
      }
      if (!silent.empty() && silent[head]) fill_zero(output);
    }
  }
  const StridedMatrix<T> out = all_rows(room.out, width);
  through_linear(p, places.output, all_rows(room.mixed, width), out);
  add_to(places.norm, room.norm, x, out);
}

/// residual[layer + 1] = x + MLP(x), with its norm before or behind; without an MLP x itself.
template <class T>
void Stack<T>::run_mlp(std::size_t layer, const std::vector<T>& x) {
  const LayerPlaces& places = places_.layers[layer];
  const std::size_t width = shape_.width;
  LayerRoom& room = layers_[layer];
  const StridedMatrix<T> next = all_rows(residual_[layer + 1], width);
  if (shape_.hidden == 0) {
    std::copy_n(x.data(), rows() * width, next.data);
    return;
  }
  const StridedMatrix<T> what = all_rows(room.mlp_read, width);
  read(places.mlp_norm, room.mlp_norm, x, what);
  through_linear(input_.parameters, places.first, what, all_rows(room.hidden, shape_.hidden));
  activation_forward(shape_.activation, room.hidden.data(), rows() * shape_.hidden, room.activated.data());
  through_linear(input_.parameters, places.second, all_rows(room.activated, shape_.hidden), next);
  add_to(places.mlp_norm, room.mlp_norm, x, next);
}

template <class T>
void Stack<T>::forward(const StackInput<T>& input, const Memory<T>* memory,
                       const std::vector<std::vector<bool>>& silent) {
  input_ = input;
  source_tokens_ = memory == nullptr ? 0 : memory->tokens;
  embed();
  const std::vector<bool> none;
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    const LayerPlaces& places = places_.layers[layer];
    LayerRoom& room = layers_[layer];
    const std::vector<bool>& silent_here = silent.empty() ? none : silent[layer];
    attend(places.own, room.own, residual_[layer], keys_of(nullptr), memory == nullptr ? silent_here : none);
    if (memory != nullptr) attend(places.cross, room.cross, room.own.out, keys_of(memory), silent_here);
    run_mlp(layer, memory == nullptr ? room.own.out : room.cross.out);
  }
  if (shape_.norm == NormPlace::pre)
    norm(places_.last_norm, last_norm_, all_rows(residual_.back(), shape_.width),
         all_rows(last_, shape_.width));
}

template <class T>
StridedMatrix<T> Stack<T>::output() {
  return all_rows(shape_.norm == NormPlace::pre ? last_ : residual_.back(), shape_.width);
}

// --- Backwards: dx_ is the gradient by what stood at each point of the residual stream

template <class T>
StridedMatrix<T> Stack<T>::doutput() {
  return all_rows(shape_.norm == NormPlace::pre ? dwide_ : dx_, shape_.width);
}

template <class T>
void Stack<T>::run_mlp_back(std::size_t layer, T* gradient) {
  if (shape_.hidden == 0) return;
  const T* p = input_.parameters;
  const LayerPlaces& places = places_.layers[layer];
  LayerRoom& room = layers_[layer];
  add_to_back(gradient, places.mlp_norm, room.mlp_norm);
  const StridedMatrix<T> dhidden = all_rows(dhidden_, shape_.hidden);
  back_through_linear(p, gradient, places.second, all_rows(room.activated, shape_.hidden),
                      all_rows(dx_, shape_.width), dhidden);
  activation_backward(shape_.activation, room.hidden.data(), dhidden_.data(), rows() * shape_.hidden,
                      dhidden_.data());
  back_through_linear(p, gradient, places.first, all_rows(room.mlp_read, shape_.width), dhidden,
                      all_rows(dwide_, shape_.width));
  read_back(gradient, places.mlp_norm, room.mlp_norm);
}

template <class T>
void Stack<T>::attend_back(const AttentionPlaces& places, AttentionRoom& room, const Keys& keys,
                           T* gradient) {
  const T* p = input_.parameters;
  const std::size_t width = shape_.width;
  add_to_back(gradient, places.norm, room.norm);
  back_through_linear(p, gradient, places.output, all_rows(room.mixed, width), all_rows(dx_, width),
                      all_rows(dwide_, width));
  const Sides all = sides(room.joint, room.memory, keys);
  const Sides dall = sides(djoint_, dmemory_, keys);
  if (input_.lengths != nullptr || keys.lengths != nullptr) {  // what does not count has no gradient
    for (const StridedMatrix<T>& side : {dall.query, dall.key, dall.value}) fill_zero(side);
  }
  for (std::size_t sequence = 0; sequence < input_.sequences; ++sequence) {
    for (std::size_t head = 0; head < shape_.heads; ++head) {
      const Sides of = of_head(all, keys, sequence, head);
      const Sides d = of_head(dall, keys, sequence, head);
      const std::size_t queries = of.query.rows;
      const StridedMatrix<T> weights =
          head_weights(room.weights, keys, sequence, head).rows_from(0, queries).columns_from(0, of.key.rows);
      const StridedMatrix<T> doutput = head_output(dwide_, sequence, head).rows_from(0, queries);
      const StridedMatrix<T> dscores = matrix_at(dscores_.data(), queries, of.key.rows);
      if (shape_.score == Score::additive) {
        const std::size_t v = places.score + head * shape_.head_width();
        additive_backward(of.query, of.key, of.value, p + v, shape_.softmax, weights, doutput, dscores,
                          d.query, d.key, d.value, gradient + v);
      } else {
        attention_backward(of.query, of.key, of.value, scale(), shape_.softmax, weights, doutput, dscores,
                           d.query, d.key, d.value);
      }
      if (shape_.positions != Positions::rotary || keys.memory != nullptr) continue;
      rotary_backward(input_.turns, d.query);
      rotary_backward(input_.turns, d.key);
    }
  }
  const StridedMatrix<T> what = all_rows(room.read, width);
  if (keys.memory == nullptr) {
    back_through_linear(p, gradient, places.joint, what, all_rows(djoint_, 3 * width),
                        all_rows(dwide_, width));
  } else {
    const Memory<T>& memory = *keys.memory;
    const StridedMatrix<T> dread = matrix_at(dread_.data(), memory.x.rows, width);
    back_through_linear(p, gradient, places.memory, memory.x,
                        matrix_at(dmemory_.data(), memory.x.rows, 2 * width), dread);
    add(dread_, memory.x.rows * width, memory.dx.data);
    back_through_linear(p, gradient, places.query, what, all_rows(djoint_, width), all_rows(dwide_, width));
  }
  read_back(gradient, places.norm, room.norm);
}

template <class T>
void Stack<T>::embed_back(T* gradient) {
  const StridedMatrix<T> dx = all_rows(dx_, shape_.width);
  if (shape_.pixels > 0) {
    add_gradient<T>(all_rows(patches_, shape_.pixels), dx,
                    matrix_at(gradient + places_.patches.weight, shape_.width, shape_.pixels),
                    gradient + places_.patches.bias);
  }
  for (std::size_t row = 0; row < rows(); ++row) {
    const T* d = dx.row(row);
    T* word = gradient + places_.words + static_cast<std::size_t>(input_.words[row]) * shape_.width;
    for (std::size_t k = 0; k < shape_.width; ++k) word[k] += d[k];
    if (shape_.positions != Positions::learned) continue;
    T* place = gradient + places_.positions + row % input_.tokens * shape_.width;
    for (std::size_t k = 0; k < shape_.width; ++k) place[k] += d[k];
  }
}

template <class T>
void Stack<T>::backward(const Memory<T>* memory, T* gradient) {
  if (shape_.norm == NormPlace::pre) {
    std::fill_n(dx_.data(), rows() * shape_.width, T(0));
    read_back(gradient, places_.last_norm, last_norm_);
  }
  for (std::size_t layer = shape_.layers; layer-- > 0;) {
    const LayerPlaces& places = places_.layers[layer];
    LayerRoom& room = layers_[layer];
    run_mlp_back(layer, gradient);
    if (memory != nullptr) attend_back(places.cross, room.cross, keys_of(memory), gradient);
    attend_back(places.own, room.own, keys_of(nullptr), gradient);
  }
  embed_back(gradient);
}

template class Stack<float>;
template class Stack<double>;

}  // namespace attnlab
