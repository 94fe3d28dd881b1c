#include "training/model.hpp"

#include <algorithm>

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

template <class T>
StackInput<T> input_of(const Model<T>& model, const int* words, std::size_t sequences, std::size_t tokens,
                       const std::size_t* lengths) {
  const std::size_t pairs = model.shape.head_width() / 2;
  const std::size_t longest = model.shape.longest();
  return {model.parameters.data(),
          words,
          sequences,
          tokens,
          lengths,
          model.sinusoids.empty() ? nullptr : model.sinusoids.data(),
          {matrix_at(model.sines.data(), longest, pairs), matrix_at(model.cosines.data(), longest, pairs)}};
}

}  // namespace

std::size_t Batch::counted() const {
  return targets.size() - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), no_target));
}

Batch part_of(const Batch& batch, std::size_t first, std::size_t count) {
  const auto part = [&](const auto& numbers, std::size_t each) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first * each);
    return std::decay_t<decltype(numbers)>(begin, begin + static_cast<std::ptrdiff_t>(count * each));
  };
  Batch self{count, batch.tokens, part(batch.inputs, batch.tokens), part(batch.targets, batch.tokens)};
  self.source_tokens = batch.source_tokens;
  self.sources = part(batch.sources, batch.source_tokens);
  self.source_lengths = part(batch.source_lengths, batch.source_lengths.empty() ? 0 : 1);
  self.pixels = batch.pixels;
  self.patches = part(batch.patches, batch.tokens * batch.pixels);
  self.wanted = part(batch.wanted, batch.wanted.empty() ? 0 : 1);
  return self;
}

void append(Batch& batch, const Batch& more) {
  const auto add = [](auto& numbers, const auto& others) {
    numbers.insert(numbers.end(), others.begin(), others.end());
  };
  batch.sequences += more.sequences;
  batch.tokens = more.tokens;
  batch.source_tokens = more.source_tokens;
  add(batch.inputs, more.inputs);
  add(batch.targets, more.targets);
  add(batch.sources, more.sources);
  add(batch.source_lengths, more.source_lengths);
  batch.pixels = more.pixels;
  add(batch.patches, more.patches);
  add(batch.wanted, more.wanted);
}

template <class T>
Model<T>::Model(const ModelShape& sizes)
    : shape(sizes), places(places_of(sizes)), parameters(places.size, T(0)) {
  if (shape.positions == Positions::sinusoidal)
    sinusoids = numbers_of<T>(sinusoidal_encoding(shape.longest(), shape.width, position_base));
  if (shape.positions == Positions::rotary) {
    const Tensor<double> angles = rotary_angles(0, shape.longest(), shape.head_width(), position_base);
    sines = numbers_of<T>(xt::sin(angles));
    cosines = numbers_of<T>(xt::cos(angles));
  }
}

template <class T>
Pass<T>::Pass(const Model<T>& model, std::size_t sequences)
    : capacity_(sequences),
      answers_(model.shape.answers),
      stack_(model.shape, model.places.stack, sequences),
      logits_buffer_(sequences * model.shape.tokens * model.shape.answers) {
  if (model.shape.source.tokens > 0) source_.emplace(model.shape.of_source(), model.places.source, sequences);
}

double numbers_of_pass(const ModelShape& shape, std::size_t sequences) {
  const double of_source = shape.source.tokens == 0 ? 0.0 : numbers_of_stack(shape.of_source(), sequences);
  return numbers_of_stack(shape, sequences) + of_source +
         static_cast<double>(sequences * shape.tokens * shape.answers);
}

double products_of_pass(const ModelShape& shape, std::size_t sequences) {
  const auto of_keys = static_cast<double>(shape.longest() * (2 * shape.width + 8 * shape.heads));
  const double of_place =
      static_cast<double>(places_of(shape).size) + static_cast<double>(shape.layers) * of_keys;
  return static_cast<double>(sequences * shape.longest()) * of_place;
}

std::size_t sequences_at_once(const ModelShape& shape, std::size_t sequences) {
  constexpr std::size_t most_places = 8192;
  constexpr double most_numbers = 1 << 24;
  const auto in_memory = static_cast<std::size_t>(most_numbers / numbers_of_pass(shape, 1));
  return std::max<std::size_t>(1, std::min({sequences, most_places / shape.tokens, in_memory}));
}

template <class T>
StridedMatrix<T> Pass<T>::forward(const Model<T>& model, const Batch& batch, std::size_t first,
                                  std::size_t count) {
  first_ = first;
  StackInput<T> input =
      input_of(model, batch.inputs.data() + first * batch.tokens, count, batch.tokens, nullptr);
  if (batch.pixels > 0) input.patches = batch.patches.data() + first * batch.tokens * batch.pixels;
  if (source_) {
    const std::size_t tokens = batch.source_tokens;
    const std::size_t* lengths = batch.source_lengths.empty() ? nullptr : batch.source_lengths.data() + first;
    source_->forward(input_of(model, batch.sources.data() + first * tokens, count, tokens, lengths));
    input.memory = {source_->output(), source_->doutput(), tokens, lengths};
  }
  stack_.forward(input);
  logits_ = matrix_at(logits_buffer_.data(), count * batch.tokens, answers_);
  linear_forward(model.parameters.data(), model.places.answer, stack_.output(), logits_);
  return logits_;
}

template <class T>
LossSum Pass<T>::loss(const Batch& batch, T share) {
  return cross_entropy(logits_, batch.targets.data() + first_ * batch.tokens, share);
}

template <class T>
void Pass<T>::backward(const Model<T>& model, T* gradient) {
  if (source_) fill_zero(source_->doutput());
  linear_backward(model.parameters.data(), model.places.answer, stack_.output(), logits_, stack_.doutput(),
                  gradient);
  stack_.backward(gradient);
  if (source_) source_->backward(gradient);
}

template <class T>
Model<T> without_head(Model<T> model, std::size_t head) {
  const ModelShape& shape = model.shape;
  const LayerPlaces& layer = model.places.stack.layers[head / shape.heads];
  const AttentionPlaces& attention = shape.source.tokens > 0 ? layer.cross : layer.self;
  T* const output = model.parameters.data() + attention.output.weight;
  fill_zero(matrix_at(output, shape.width, shape.width)
                .columns_from(head % shape.heads * shape.head_width(), shape.head_width()));
  return model;
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
template Model<float> without_head(Model<float>, std::size_t);
template Model<double> without_head(Model<double>, std::size_t);
template Tensor<float> parameter_of(const Model<float>&, const ParameterPlace&);
template Tensor<double> parameter_of(const Model<double>&, const ParameterPlace&);

}  // namespace attnlab
