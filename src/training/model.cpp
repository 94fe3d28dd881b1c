// The forward pass reads downwards; the backward pass undoes it from below.
#include "training/model.hpp"

#include <algorithm>
#include <cmath>

#include "attention/positional.hpp"
#include "training/layers/linear.hpp"

namespace attnlab {

namespace {

constexpr double position_base = 10000.0;

template <class T>
std::vector<T> numbers_of(const Tensor<double>& tensor) {
  std::vector<T> numbers(tensor.size());
  std::transform(tensor.begin(), tensor.end(), numbers.begin(), [](double x) { return static_cast<T>(x); });
  return numbers;
}

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

}  // namespace

std::size_t Batch::counted() const {
  return targets.size() - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), no_target));
}

template <class T>
Model<T>::Model(const ModelShape& sizes)
    : shape(sizes), places(places_of(sizes)), parameters(places.size, T(0)) {
  if (shape.positions == Positions::sinusoidal) {
    sinusoids = numbers_of<T>(sinusoidal_encoding(shape.tokens, shape.width, position_base));
  }
  if (shape.positions == Positions::rotary) {
    const Tensor<double> angles = rotary_angles(0, shape.tokens, shape.head_width(), position_base);
    sines = numbers_of<T>(xt::sin(angles));
    cosines = numbers_of<T>(xt::cos(angles));
  }
}

template <class T>
Pass<T>::Pass(const Model<T>& model, std::size_t sequences) : shape_(model.shape), room_(sequences) {
  const std::size_t rows = sequences * shape_.tokens;
  const std::size_t wide = rows * shape_.width;
  const bool has_norm = shape_.norm != NormPlace::none;
  layers_.resize(shape_.layers);
  for (LayerRoom& room : layers_) {
    room.joint.resize(3 * wide);
    room.weights.resize(sequences * shape_.heads * shape_.tokens * shape_.tokens);
    room.between.resize(wide);
    for (std::vector<T>* vector : {&room.read, &room.mixed, &room.mlp_read}) vector->resize(wide);
    for (NormRoom* norm : {&room.attention_norm, &room.mlp_norm}) {
      norm->normalised.resize(has_norm ? wide : 0);
      norm->inverse.resize(has_norm ? rows : 0);
    }
    for (std::vector<T>* vector : {&room.hidden, &room.activated}) vector->resize(rows * shape_.hidden);
  }
  residual_.assign(shape_.layers + 1, std::vector<T>(wide));
  last_.resize(wide);
  last_norm_.normalised.resize(shape_.norm == NormPlace::pre ? wide : 0);
  last_norm_.inverse.resize(shape_.norm == NormPlace::pre ? rows : 0);
  logits_.resize(rows * shape_.answers);
  for (std::vector<T>* vector : {&dx_, &dwide_, &dother_}) vector->resize(wide);
  djoint_.resize(3 * wide);
  dhidden_.resize(rows * shape_.hidden);
  dscores_.resize(shape_.tokens * shape_.tokens);
}

double numbers_of_pass(const ModelShape& shape, std::size_t sequences) {
  const auto tokens = static_cast<double>(shape.tokens);
  const double rows = static_cast<double>(sequences) * tokens;
  const double wide = rows * static_cast<double>(shape.width);
  const double hidden = rows * static_cast<double>(shape.hidden);
  const double norms = shape.norm == NormPlace::none ? 0.0 : 2.0 * (wide + rows);
  const double weights = rows * static_cast<double>(shape.heads) * tokens;
  const double of_layer =
      7.0 * wide + weights + norms + 2.0 * hidden + wide;  // the last: the residual behind
  return static_cast<double>(shape.layers) * of_layer + 9.0 * wide + hidden +
         rows * static_cast<double>(shape.answers) + tokens * tokens;
}

// --- One head of one sequence

template <class T>
StridedMatrix<T> Pass<T>::head_part(std::vector<T>& joint, std::size_t sequence, std::size_t head,
                                    std::size_t part) {
  const std::size_t head_width = shape_.head_width();
  return all_rows(joint, 3 * shape_.width)
      .rows_from(sequence * tokens_, tokens_)
      .columns_from(part * shape_.width + head * head_width, head_width);
}

template <class T>
StridedMatrix<T> Pass<T>::head_output(std::vector<T>& mixed, std::size_t sequence, std::size_t head) {
  const std::size_t head_width = shape_.head_width();
  return all_rows(mixed, shape_.width)
      .rows_from(sequence * tokens_, tokens_)
      .columns_from(head * head_width, head_width);
}

template <class T>
StridedMatrix<T> Pass<T>::head_weights(LayerRoom& room, std::size_t sequence, std::size_t head) {
  return matrix_at(room.weights.data() + (sequence * shape_.heads + head) * tokens_ * tokens_, tokens_,
                   tokens_);
}

template <class T>
StridedMatrix<const T> Pass<T>::weights(std::size_t layer, std::size_t head, std::size_t sequence) const {
  const T* all = layers_[layer].weights.data();
  return matrix_at(all + (sequence * shape_.heads + head) * tokens_ * tokens_, tokens_, tokens_);
}

template <class T>
StridedMatrix<const T> Pass<T>::residual(std::size_t layer) const {
  return all_rows(residual_[layer], shape_.width);
}

template <class T>
Turns<T> Pass<T>::turns(const Model<T>& model) const {
  const std::size_t pairs = shape_.head_width() / 2;
  return {matrix_at(model.sines.data(), shape_.tokens, pairs),
          matrix_at(model.cosines.data(), shape_.tokens, pairs)};
}

// --- Norms before or behind a sub-layer

template <class T>
void Pass<T>::norm(const T* parameters, const NormPlaces& places, NormRoom& room, StridedMatrix<T> x,
                   StridedMatrix<T> y) {
  norm_forward(shape_.norm_kind, x, parameters + places.gain, bias_of(parameters, places),
               all_rows(room.normalised, shape_.width), room.inverse.data(), y);
}

template <class T>
void Pass<T>::norm_back(const T* parameters, T* gradient, const NormPlaces& places, NormRoom& room,
                        StridedMatrix<T> dy, StridedMatrix<T> dx) {
  norm_backward(shape_.norm_kind, all_rows(room.normalised, shape_.width), room.inverse.data(),
                parameters + places.gain, dy, dx, gradient + places.gain, bias_of(gradient, places));
}

template <class T>
void Pass<T>::read(const T* parameters, const NormPlaces& places, NormRoom& room, StridedMatrix<T> x,
                   StridedMatrix<T> y) {
  if (shape_.norm == NormPlace::pre) return norm(parameters, places, room, x, y);
  std::copy_n(x.data, rows() * shape_.width, y.data);
}

template <class T>
void Pass<T>::add_to(const T* parameters, const NormPlaces& places, NormRoom& room, const std::vector<T>& x,
                     StridedMatrix<T> y) {
  add(x, rows() * shape_.width, y.data);
  if (shape_.norm == NormPlace::post) norm(parameters, places, room, y, y);
}

template <class T>
void Pass<T>::add_to_back(const T* parameters, T* gradient, const NormPlaces& places, NormRoom& room) {
  if (shape_.norm != NormPlace::post) return;
  std::copy_n(dx_.data(), rows() * shape_.width, dother_.data());
  std::fill_n(dx_.data(), rows() * shape_.width, T(0));
  norm_back(parameters, gradient, places, room, all_rows(dother_, shape_.width), all_rows(dx_, shape_.width));
}

template <class T>
void Pass<T>::read_back(const T* parameters, T* gradient, const NormPlaces& places, NormRoom& room) {
  if (shape_.norm != NormPlace::pre) return add(dwide_, rows() * shape_.width, dx_.data());
  norm_back(parameters, gradient, places, room, all_rows(dwide_, shape_.width), all_rows(dx_, shape_.width));
}

// --- Forwards

/// x = the word's vector, and its place's vector.
template <class T>
void Pass<T>::embed(const Model<T>& model, const int* words) {
  const T* word_vectors = model.parameters.data() + model.places.words;
  const T* place_vectors = shape_.positions == Positions::learned
                               ? model.parameters.data() + model.places.positions
                               : (model.sinusoids.empty() ? nullptr : model.sinusoids.data());
  for (std::size_t row = 0; row < rows(); ++row) {
    T* x = residual_[0].data() + row * shape_.width;
    std::copy_n(word_vectors + static_cast<std::size_t>(words[row]) * shape_.width, shape_.width, x);
    if (place_vectors == nullptr) continue;
    const T* place = place_vectors + row % tokens_ * shape_.width;
    for (std::size_t k = 0; k < shape_.width; ++k) x[k] += place[k];
  }
}

/// between = x + attention(x), with its norm before or behind.
template <class T>
void Pass<T>::attend(const Model<T>& model, std::size_t layer, const std::vector<std::vector<bool>>& silent) {
  const T* p = model.parameters.data();
  const LayerPlaces& places = model.places.layers[layer];
  const std::size_t width = shape_.width;
  LayerRoom& room = layers_[layer];
  const StridedMatrix<T> what = all_rows(room.read, width);
  read(p, places.attention_norm, room.attention_norm, all_rows(residual_[layer], width), what);
  through_linear(p, places.joint, what, all_rows(room.joint, 3 * width));
  const T scale =
      static_cast<T>(shape_.scale.value_or(1.0 / std::sqrt(static_cast<double>(shape_.head_width()))));
  for (std::size_t sequence = 0; sequence < sequences_; ++sequence) {
    for (std::size_t head = 0; head < shape_.heads; ++head) {
      const StridedMatrix<T> query = head_part(room.joint, sequence, head, 0);
      const StridedMatrix<T> key = head_part(room.joint, sequence, head, 1);
      if (shape_.positions == Positions::rotary) {
        rotary_forward(turns(model), query);
        rotary_forward(turns(model), key);
      }
      const StridedMatrix<T> output = head_output(room.mixed, sequence, head);
      const StridedMatrix<T> value = head_part(room.joint, sequence, head, 2);
      const StridedMatrix<T> weights = head_weights(room, sequence, head);
      if (shape_.score == Score::additive) {
        additive_forward(query, key, value, p + places.score + head * shape_.head_width(), shape_.reading,
                         shape_.softmax_axis, weights, output);
      } else {
        attention_forward(query, key, value, scale, shape_.reading, shape_.softmax_axis, weights, output);
      }
      if (silent.empty() || !silent[layer][head]) continue;
      for (std::size_t i = 0; i < tokens_; ++i) std::fill_n(output.row(i), output.columns, T(0));
    }
  }
  const StridedMatrix<T> between = all_rows(room.between, width);
  through_linear(p, places.output, all_rows(room.mixed, width), between);
  add_to(p, places.attention_norm, room.attention_norm, residual_[layer], between);
}

/// residual[layer + 1] = between + MLP(between), with its norm before or behind; without an MLP between
/// itself.
template <class T>
void Pass<T>::run_mlp(const Model<T>& model, std::size_t layer) {
  const T* p = model.parameters.data();
  const LayerPlaces& places = model.places.layers[layer];
  const std::size_t width = shape_.width;
  LayerRoom& room = layers_[layer];
  const StridedMatrix<T> x = all_rows(room.between, width);
  const StridedMatrix<T> next = all_rows(residual_[layer + 1], width);
  if (shape_.hidden == 0) {
    std::copy_n(x.data, rows() * width, next.data);
    return;
  }
  const StridedMatrix<T> what = all_rows(room.mlp_read, width);
  read(p, places.mlp_norm, room.mlp_norm, x, what);
  through_linear(p, places.first, what, all_rows(room.hidden, shape_.hidden));
  activation_forward(shape_.activation, room.hidden.data(), rows() * shape_.hidden, room.activated.data());
  through_linear(p, places.second, all_rows(room.activated, shape_.hidden), next);
  add_to(p, places.mlp_norm, room.mlp_norm, room.between, next);
}

template <class T>
StridedMatrix<T> Pass<T>::forward(const Model<T>& model, const Batch& batch, std::size_t first,
                                  std::size_t count, const std::vector<std::vector<bool>>& silent) {
  first_ = first;
  sequences_ = count;
  tokens_ = batch.tokens;
  embed(model, batch.inputs.data() + first * tokens_);
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    attend(model, layer, silent);
    run_mlp(model, layer);
  }
  const T* p = model.parameters.data();
  const StridedMatrix<T> last = all_rows(last_, shape_.width);
  read(p, model.places.last_norm, last_norm_, all_rows(residual_.back(), shape_.width), last);
  const StridedMatrix<T> logits = all_rows(logits_, shape_.answers);
  through_linear(p, model.places.answer, last, logits);
  return logits;
}

// --- Backwards: dx_ is the gradient by what stood at each point of the residual stream

template <class T>
void Pass<T>::run_mlp_backward(const Model<T>& model, std::size_t layer, T* gradient) {
  if (shape_.hidden == 0) return;
  const T* p = model.parameters.data();
  const LayerPlaces& places = model.places.layers[layer];
  const std::size_t width = shape_.width;
  LayerRoom& room = layers_[layer];
  add_to_back(p, gradient, places.mlp_norm, room.mlp_norm);
  const StridedMatrix<T> dx = all_rows(dx_, width);
  const StridedMatrix<T> dhidden = all_rows(dhidden_, shape_.hidden);
  back_through_linear(p, gradient, places.second, all_rows(room.activated, shape_.hidden), dx, dhidden);
  activation_backward(shape_.activation, room.hidden.data(), dhidden_.data(), rows() * shape_.hidden,
                      dhidden_.data());
  back_through_linear(p, gradient, places.first, all_rows(room.mlp_read, width), dhidden,
                      all_rows(dwide_, width));
  read_back(p, gradient, places.mlp_norm, room.mlp_norm);
}

template <class T>
void Pass<T>::attend_backward(const Model<T>& model, std::size_t layer, T* gradient) {
  const T* p = model.parameters.data();
  const LayerPlaces& places = model.places.layers[layer];
  const std::size_t width = shape_.width;
  LayerRoom& room = layers_[layer];
  add_to_back(p, gradient, places.attention_norm, room.attention_norm);
  const StridedMatrix<T> dx = all_rows(dx_, width);
  back_through_linear(p, gradient, places.output, all_rows(room.mixed, width), dx, all_rows(dwide_, width));
  const T scale =
      static_cast<T>(shape_.scale.value_or(1.0 / std::sqrt(static_cast<double>(shape_.head_width()))));
  const StridedMatrix<T> dscores = matrix_at(dscores_.data(), tokens_, tokens_);
  for (std::size_t sequence = 0; sequence < sequences_; ++sequence) {
    for (std::size_t head = 0; head < shape_.heads; ++head) {
      const StridedMatrix<T> dquery = head_part(djoint_, sequence, head, 0);
      const StridedMatrix<T> dkey = head_part(djoint_, sequence, head, 1);
      const StridedMatrix<T> dvalue = head_part(djoint_, sequence, head, 2);
      const StridedMatrix<T> query = head_part(room.joint, sequence, head, 0);
      const StridedMatrix<T> key = head_part(room.joint, sequence, head, 1);
      const StridedMatrix<T> value = head_part(room.joint, sequence, head, 2);
      const StridedMatrix<T> weights = head_weights(room, sequence, head);
      const StridedMatrix<T> doutput = head_output(dwide_, sequence, head);
      if (shape_.score == Score::additive) {
        const std::size_t v = places.score + head * shape_.head_width();
        additive_backward(query, key, value, p + v, shape_.softmax_axis, weights, doutput, dscores, dquery,
                          dkey, dvalue, gradient + v);
      } else {
        attention_backward(query, key, value, scale, shape_.softmax_axis, weights, doutput, dscores, dquery,
                           dkey, dvalue);
      }
      if (shape_.positions != Positions::rotary) continue;
      rotary_backward(turns(model), dquery);
      rotary_backward(turns(model), dkey);
    }
  }
  back_through_linear(p, gradient, places.joint, all_rows(room.read, width), all_rows(djoint_, 3 * width),
                      all_rows(dwide_, width));
  read_back(p, gradient, places.attention_norm, room.attention_norm);
}

template <class T>
LossSum Pass<T>::loss(const Batch& batch, T share) {
  return cross_entropy(all_rows(logits_, shape_.answers), batch.targets.data() + first_ * tokens_, share);
}

template <class T>
void Pass<T>::backward(const Model<T>& model, const Batch& batch, T* gradient) {
  const T* p = model.parameters.data();
  const std::size_t width = shape_.width;
  const StridedMatrix<T> dlogits = all_rows(logits_, shape_.answers);
  const StridedMatrix<T> dx = all_rows(dx_, width);
  const bool is_normed = shape_.norm == NormPlace::pre;
  back_through_linear(p, gradient, model.places.answer, all_rows(last_, width), dlogits,
                      is_normed ? all_rows(dwide_, width) : dx);
  if (is_normed) {
    std::fill_n(dx_.data(), rows() * width, T(0));
    read_back(p, gradient, model.places.last_norm, last_norm_);
  }
  for (std::size_t layer = shape_.layers; layer-- > 0;) {
    run_mlp_backward(model, layer, gradient);
    attend_backward(model, layer, gradient);
  }
  const int* words = batch.inputs.data() + first_ * tokens_;
  for (std::size_t row = 0; row < rows(); ++row) {
    const T* d = dx.row(row);
    T* word = gradient + model.places.words + static_cast<std::size_t>(words[row]) * width;
    for (std::size_t k = 0; k < width; ++k) word[k] += d[k];
    if (shape_.positions != Positions::learned) continue;
    T* place = gradient + model.places.positions + row % tokens_ * width;
    for (std::size_t k = 0; k < width; ++k) place[k] += d[k];
  }
}

template <class T>
Tensor<T> parameter_of(const Model<T>& model, const ParameterPlace& place) {
  Tensor<T> values = Tensor<T>::from_shape(place.shape);
  std::copy_n(model.parameters.begin() + static_cast<std::ptrdiff_t>(place.begin), place.size,
              values.begin());
  return values;
}

template struct Model<float>;
template struct Model<double>;
template class Pass<float>;
template class Pass<double>;
template Tensor<float> parameter_of(const Model<float>&, const ParameterPlace&);
template Tensor<double> parameter_of(const Model<double>&, const ParameterPlace&);

}  // namespace attnlab
