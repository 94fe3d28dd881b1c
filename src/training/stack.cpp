// The forward pass reads downwards; the backward pass undoes it from below.
#include "training/stack.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "training/layers/linear.hpp"

namespace attnlab {
namespace {

/// y = x + y
template <class T>
void add(const std::vector<T>& x, std::size_t count, T* y) {
  for (std::size_t i = 0; i < count; ++i) y[i] += x[i];
}

}  // namespace

// --- Room

template <class T>
void Stack<T>::allocate(KeptNorm<T>& kept, bool is_there) {
  kept.normalised.resize(is_there ? capacity_ * shape_.tokens * shape_.width : 0);
  kept.inverse.resize(is_there ? capacity_ * shape_.tokens : 0);
}

template <class T>
void Stack<T>::allocate(KeptAttention& kept, std::size_t joint, std::size_t keys, std::size_t memory_rows) {
  const std::size_t rows = capacity_ * shape_.tokens;
  kept.joint.resize(joint * rows);
  kept.memory.resize(2 * memory_rows * shape_.width);
  kept.weights.resize(rows * shape_.heads * keys);
  for (std::vector<T>* vector : {&kept.read, &kept.mixed, &kept.out}) vector->resize(rows * shape_.width);
  for (std::vector<T>* vector : {&kept.gate, &kept.gated})
    vector->resize(shape_.is_gated ? rows * shape_.width : 0);
  allocate(kept.norm, shape_.norm != NormPlace::none);
}

template <class T>
Stack<T>::Stack(const ModelShape& shape, StackPlaces places, std::size_t sequences)
    : shape_(shape), places_(std::move(places)), capacity_(sequences) {
  const std::size_t rows = sequences * shape.tokens;
  const std::size_t wide = rows * shape.width;
  const std::size_t source_tokens = shape.source.tokens;
  const std::size_t memory_rows = sequences * source_tokens;
  layers_.resize(shape.layers);
  for (KeptLayer& kept : layers_) {
    allocate(kept.self, 3 * shape.width, shape.tokens, 0);
    if (source_tokens > 0) allocate(kept.cross, shape.width, source_tokens, memory_rows);
    kept.mlp_read.resize(wide);
    allocate(kept.mlp_norm, shape.norm != NormPlace::none);
    for (std::vector<T>* vector : {&kept.hidden, &kept.activated}) vector->resize(rows * shape.hidden);
  }
  patches_.resize(rows * shape.pixels);
  residual_.assign(shape.layers + 1, std::vector<T>(wide));
  last_.resize(is_pre_norm() ? wide : 0);
  allocate(last_norm_, is_pre_norm());
  for (std::vector<T>* vector : {&dx_, &dwide_, &dother_}) vector->resize(wide);
  dgate_.resize(shape.is_gated ? wide : 0);
  djoint_.resize(3 * wide);
  dmemory_.resize(2 * memory_rows * shape.width);
  dread_.resize(memory_rows * shape.width);
  dhidden_.resize(rows * shape.hidden);
  dscores_.resize(shape.tokens * std::max(shape.tokens, source_tokens));
}

double numbers_of_stack(const ModelShape& shape, std::size_t sequences) {
  const auto tokens = static_cast<double>(shape.tokens);
  const auto sources = static_cast<double>(shape.source.tokens);
  const double rows = static_cast<double>(sequences) * tokens;
  const double wide = rows * static_cast<double>(shape.width);
  const auto memory = static_cast<double>(sequences * shape.source.tokens * shape.width);
  const double hidden = rows * static_cast<double>(shape.hidden);
  const double norm = shape.norm == NormPlace::none ? 0.0 : wide + rows;
  const double heads = rows * static_cast<double>(shape.heads);
  const double gates = shape.is_gated ? 2.0 * wide : 0.0;
  const double self = 6.0 * wide + gates + heads * tokens + norm;
  const double cross = shape.source.tokens == 0 ? 0.0 : 4.0 * wide + 2.0 * memory + heads * sources + norm;
  const double mlp = wide + norm + 2.0 * hidden;
  return static_cast<double>(shape.layers) * (self + cross + mlp + wide) + 8.0 * wide + gates / 2.0 + hidden +
         3.0 * memory + rows * static_cast<double>(shape.pixels) + tokens * std::max(tokens, sources);
}

// --- One head of one sequence

template <class T>
Head<T> Stack<T>::head_in(std::vector<T>& joint, std::vector<T>& memory, std::vector<T>& mixed,
                          const Keys& keys, std::size_t sequence, std::size_t head) const {
  // Of numbers that lie `sides` widths side by side.
  const auto part = [&](std::vector<T>& all, std::size_t tokens, std::size_t sides, std::size_t side) {
    const std::size_t columns = sides * shape_.width;
    const std::size_t width = shape_.head_width();
    T* const first = all.data() + sequence * tokens * columns + side * shape_.width + head * width;
    return StridedMatrix<T>{first, tokens, width, columns};
  };
  const std::size_t queries = input_.tokens;
  const StridedMatrix<T> output = part(mixed, queries, 1, 0);
  if (!keys.are_across)
    return {part(joint, queries, 3, 0), part(joint, queries, 3, 1), part(joint, queries, 3, 2), {}, output};
  return {part(joint, queries, 1, 0),
          part(memory, keys.tokens, 2, 0),
          part(memory, keys.tokens, 2, 1),
          {},
          output};
}

template <class T>
Head<T> Stack<T>::head_in(KeptAttention& kept, const Keys& keys, std::size_t sequence,
                          std::size_t head) const {
  Head<T> found = head_in(kept.joint, kept.memory, kept.mixed, keys, sequence, head);
  const std::size_t size = input_.tokens * keys.tokens;
  T* const weights = kept.weights.data() + (sequence * shape_.heads + head) * size;
  found.weights = matrix_at(weights, input_.tokens, keys.tokens);
  return found;
}

template <class T>
Head<T> Stack<T>::counted(const Head<T>& head, const Keys& keys, std::size_t sequence) const {
  const std::size_t queries = input_.lengths == nullptr ? input_.tokens : input_.lengths[sequence];
  const std::size_t count = keys.lengths == nullptr ? keys.tokens : keys.lengths[sequence];
  return {head.query.rows_from(0, queries), head.key.rows_from(0, count), head.value.rows_from(0, count),
          head.weights.rows_from(0, queries).columns_from(0, count), head.output.rows_from(0, queries)};
}

template <class T>
Head<T> Stack<T>::head(std::size_t layer, std::size_t head, std::size_t sequence) {
  KeptLayer& kept = layers_[layer];
  return has_memory() ? head_in(kept.cross, memory_keys(), sequence, head)
                      : head_in(kept.self, own_keys(), sequence, head);
}

template <class T>
T Stack<T>::scale() const {
  return static_cast<T>(shape_.scale.value_or(1.0 / std::sqrt(static_cast<double>(shape_.head_width()))));
}

// --- Norms before or behind a sub-layer

template <class T>
void Stack<T>::norm_back(T* gradient, const NormPlaces& places, const KeptNorm<T>& kept, std::vector<T>& dy) {
  norm_backward(shape_.norm_kind, input_.parameters, places, kept, all_rows(dy), all_rows(dx_), gradient);
}

template <class T>
void Stack<T>::read(const NormPlaces& places, KeptNorm<T>& kept, std::vector<T>& x, StridedMatrix<T> y) {
  if (is_pre_norm()) return norm_forward(shape_.norm_kind, input_.parameters, places, all_rows(x), kept, y);
  std::copy_n(x.data(), rows() * shape_.width, y.data);
}

template <class T>
void Stack<T>::add_to(const NormPlaces& places, KeptNorm<T>& kept, const std::vector<T>& x,
                      StridedMatrix<T> y) {
  add(x, rows() * shape_.width, y.data);
  if (shape_.norm == NormPlace::post) norm_forward(shape_.norm_kind, input_.parameters, places, y, kept, y);
}

template <class T>
void Stack<T>::add_to_back(T* gradient, const NormPlaces& places, const KeptNorm<T>& kept) {
  if (shape_.norm != NormPlace::post) return;
  std::copy_n(dx_.data(), rows() * shape_.width, dother_.data());
  fill_zero(all_rows(dx_));
  norm_back(gradient, places, kept, dother_);
}

template <class T>
void Stack<T>::read_back(T* gradient, const NormPlaces& places, const KeptNorm<T>& kept) {
  if (!is_pre_norm()) return add(dwide_, rows() * shape_.width, dx_.data());
  norm_back(gradient, places, kept, dwide_);
}

// --- Forwards

/// x = the word's vector, its patch's where it shows one, and its place's.
template <class T>
void Stack<T>::embed() {
  const T* word_vectors = input_.parameters + places_.words;
  const T* place_vectors =
      shape_.positions == Positions::learned ? input_.parameters + places_.positions : input_.sinusoids;
  const StridedMatrix<T> first = residual(0);
  fill_zero(first);
  if (shape_.pixels > 0) {
    std::transform(input_.patches, input_.patches + rows() * shape_.pixels, patches_.begin(),
                   [](float number) { return static_cast<T>(number); });
    linear_forward(input_.parameters, places_.patches, all_rows(patches_, shape_.pixels), first);
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

template <class T>
StridedMatrix<T> Stack<T>::said(const AttentionPlaces& places, KeptAttention& kept) {
  if (!places.has_gate()) return all_rows(kept.mixed);
  linear_forward(input_.parameters, places.gate, all_rows(kept.read), all_rows(kept.gate));
  for (std::size_t i = 0; i < rows() * shape_.width; ++i) {
    kept.gate[i] = 1 / (1 + std::exp(-kept.gate[i]));
    kept.gated[i] = kept.mixed[i] * kept.gate[i];
  }
  return all_rows(kept.gated);
}

/// out = x + attention(x), or x + attention(x, memory), with its norm before or behind.
template <class T>
void Stack<T>::attend(const AttentionPlaces& places, KeptAttention& kept, std::vector<T>& x,
                      const Keys& keys) {
  const T* p = input_.parameters;
  const std::size_t width = shape_.width;
  const StridedMatrix<T> what = all_rows(kept.read);
  read(places.norm, kept.norm, x, what);
  if (keys.are_across) {
    const StridedMatrix<T> memory = input_.memory.x;
    linear_forward(p, places.query, what, all_rows(kept.joint));
    linear_forward(p, places.memory, memory, matrix_at(kept.memory.data(), memory.rows, 2 * width));
  } else {
    linear_forward(p, places.joint, what, all_rows(kept.joint, 3 * width));
  }
  const Reading reading = keys.are_across ? Reading::everything : shape_.reading;
  for (std::size_t sequence = 0; sequence < input_.sequences; ++sequence) {
    for (std::size_t index = 0; index < shape_.heads; ++index) {
      const Head<T> whole = head_in(kept, keys, sequence, index);
      const Head<T> head = counted(whole, keys, sequence);
      if (shape_.positions == Positions::rotary && !keys.are_across) {
        rotary_forward(input_.turns, head.query);
        rotary_forward(input_.turns, head.key);
      }
      if (head.query.rows < whole.query.rows || head.key.rows < whole.key.rows) {
        fill_zero(whole.weights);  // what does not count reads nothing
        fill_zero(whole.output);
      }
      if (shape_.score == Score::additive) {
        additive_forward(head, p + places.score + index * shape_.head_width(), reading, shape_.softmax);
      } else {
        attention_forward(head, scale(), reading, shape_.softmax);
      }
    }
  }
  const StridedMatrix<T> out = all_rows(kept.out);
  linear_forward(p, places.output, said(places, kept), out);
  add_to(places.norm, kept.norm, x, out);
}

/// residual[layer + 1] = x + MLP(x), with its norm before or behind; without an MLP x itself.
template <class T>
void Stack<T>::run_mlp(std::size_t layer, std::vector<T>& x) {
  const LayerPlaces& places = places_.layers[layer];
  KeptLayer& kept = layers_[layer];
  const StridedMatrix<T> next = residual(layer + 1);
  if (shape_.hidden == 0) {
    std::copy_n(x.data(), rows() * shape_.width, next.data);
    return;
  }
  const StridedMatrix<T> what = all_rows(kept.mlp_read);
  read(places.mlp_norm, kept.mlp_norm, x, what);
  linear_forward(input_.parameters, places.first, what, all_rows(kept.hidden, shape_.hidden));
  activation_forward(shape_.activation, kept.hidden.data(), rows() * shape_.hidden, kept.activated.data());
  linear_forward(input_.parameters, places.second, all_rows(kept.activated, shape_.hidden), next);
  add_to(places.mlp_norm, kept.mlp_norm, x, next);
}

template <class T>
void Stack<T>::forward(const StackInput<T>& input) {
  input_ = input;
  embed();
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    const LayerPlaces& places = places_.layers[layer];
    KeptLayer& kept = layers_[layer];
    attend(places.self, kept.self, residual_[layer], own_keys());
    if (has_memory()) attend(places.cross, kept.cross, kept.self.out, memory_keys());
    run_mlp(layer, has_memory() ? kept.cross.out : kept.self.out);
  }
  if (is_pre_norm()) read(places_.last_norm, last_norm_, residual_.back(), all_rows(last_));
}

// --- Backwards: dx_ is the gradient by what stood at each point of the residual stream

template <class T>
void Stack<T>::run_mlp_back(std::size_t layer, T* gradient) {
  if (shape_.hidden == 0) return;
  const T* p = input_.parameters;
  const LayerPlaces& places = places_.layers[layer];
  KeptLayer& kept = layers_[layer];
  add_to_back(gradient, places.mlp_norm, kept.mlp_norm);
  const StridedMatrix<T> dhidden = all_rows(dhidden_, shape_.hidden);
  linear_backward(p, places.second, all_rows(kept.activated, shape_.hidden), all_rows(dx_), dhidden,
                  gradient);
  activation_backward(shape_.activation, kept.hidden.data(), dhidden_.data(), rows() * shape_.hidden,
                      dhidden_.data());
  linear_backward(p, places.first, all_rows(kept.mlp_read), dhidden, all_rows(dwide_), gradient);
  read_back(gradient, places.mlp_norm, kept.mlp_norm);
}

template <class T>
void Stack<T>::said_back(const AttentionPlaces& places, const KeptAttention& kept) {
  if (!places.has_gate()) return;
  for (std::size_t i = 0; i < rows() * shape_.width; ++i) {
    dgate_[i] = dwide_[i] * kept.mixed[i] * kept.gate[i] * (1 - kept.gate[i]);
    dwide_[i] *= kept.gate[i];
  }
}

template <class T>
void Stack<T>::attend_back(const AttentionPlaces& places, KeptAttention& kept, const Keys& keys,
                           T* gradient) {
  const T* p = input_.parameters;
  const std::size_t width = shape_.width;
  const Memory<T>& memory = input_.memory;
  const StridedMatrix<T> djoint = all_rows(djoint_, keys.are_across ? width : 3 * width);
  const StridedMatrix<T> dmemory = matrix_at(dmemory_.data(), keys.are_across ? memory.x.rows : 0, 2 * width);
  add_to_back(gradient, places.norm, kept.norm);
  linear_backward(p, places.output, all_rows(places.has_gate() ? kept.gated : kept.mixed), all_rows(dx_),
                  all_rows(dwide_), gradient);
  said_back(places, kept);
  if (input_.lengths != nullptr || keys.lengths != nullptr) {  // what does not count has no gradient
    fill_zero(djoint);
    fill_zero(dmemory);
  }
  for (std::size_t sequence = 0; sequence < input_.sequences; ++sequence) {
    for (std::size_t index = 0; index < shape_.heads; ++index) {
      const Head<T> head = counted(head_in(kept, keys, sequence, index), keys, sequence);
      Head<T> d = counted(head_in(djoint_, dmemory_, dwide_, keys, sequence, index), keys, sequence);
      d.weights = matrix_at(dscores_.data(), head.weights.rows, head.weights.columns);
      if (shape_.score == Score::additive) {
        const std::size_t v = places.score + index * shape_.head_width();
        additive_backward(head, d, p + v, gradient + v, shape_.softmax);
      } else {
        attention_backward(head, d, scale(), shape_.softmax);
      }
      if (shape_.positions != Positions::rotary || keys.are_across) continue;
      rotary_backward(input_.turns, d.query);
      rotary_backward(input_.turns, d.key);
    }
  }
  if (keys.are_across) {
    const StridedMatrix<T> dread = matrix_at(dread_.data(), memory.x.rows, width);
    linear_backward(p, places.memory, memory.x, dmemory, dread, gradient);
    add(dread_, memory.x.rows * width, memory.dx.data);
  }
  linear_backward(p, keys.are_across ? places.query : places.joint, all_rows(kept.read), djoint,
                  all_rows(dwide_), gradient);
  if (places.has_gate()) {
    linear_backward(p, places.gate, all_rows(kept.read), all_rows(dgate_), all_rows(dother_), gradient);
    add(dother_, rows() * width, dwide_.data());
  }
  read_back(gradient, places.norm, kept.norm);
}

template <class T>
void Stack<T>::embed_back(T* gradient) {
  const StridedMatrix<T> dx = all_rows(dx_);
  if (shape_.pixels > 0) add_gradient(places_.patches, all_rows(patches_, shape_.pixels), dx, gradient);
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
void Stack<T>::backward(T* gradient) {
  if (is_pre_norm()) {
    fill_zero(all_rows(dx_));
    read_back(gradient, places_.last_norm, last_norm_);
  }
  for (std::size_t layer = shape_.layers; layer-- > 0;) {
    const LayerPlaces& places = places_.layers[layer];
    KeptLayer& kept = layers_[layer];
    run_mlp_back(layer, gradient);
    if (has_memory()) attend_back(places.cross, kept.cross, memory_keys(), gradient);
    attend_back(places.self, kept.self, own_keys(), gradient);
  }
  embed_back(gradient);
}

template class Stack<float>;
template class Stack<double>;

}  // namespace attnlab
