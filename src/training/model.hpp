// A small Transformer that can be trained: all parameters in one vector, forwards and backwards over
// sequences. With a source it has an encoder, too (Vaswani et al. 2017).
#pragma once

#include "core/tensor.hpp"
#include "training/layers/loss.hpp"
#include "training/stack.hpp"

namespace attnlab {

template <class T>
struct Model {
  explicit Model(const ModelShape& sizes);

  ModelShape shape;
  ModelPlaces places;
  std::vector<T> parameters;  // in the order of places.parameters; 0 at first

  // What positions give without being learned, of the longest sequence: (tokens, width), or sines and cosines
  // (tokens, head width / 2).
  std::vector<T> sinusoids;
  std::vector<T> sines;
  std::vector<T> cosines;
};

/// Sequences of one length, one behind the other, and for every place the answer that is wanted there, or
/// no_target; with a source what each was made from.
struct Batch {
  std::size_t sequences = 0;
  std::size_t tokens = 0;                        // of each
  std::vector<int> inputs;                       // (sequences, tokens)
  std::vector<int> targets;                      // (sequences, tokens)
  std::size_t source_tokens = 0;                 // of each
  std::vector<int> sources = {};                 // (sequences, source_tokens)
  std::vector<std::size_t> source_lengths = {};  // (sequences): how many of them count
  std::size_t pixels = 0;                        // of each token's patch
  std::vector<float> patches = {};               // (sequences, tokens, pixels)
  std::vector<std::size_t> wanted = {};  // (sequences): a key that is to be found; the model does not see it
  std::size_t counted() const;
};

/// The sequences first, ..., first + count - 1 by themselves.
Batch part_of(const Batch& batch, std::size_t first, std::size_t count);

/// Puts the sequences of another batch of the same lengths behind.
void append(Batch& batch, const Batch& more);

/// Room for what one forward pass computes and its backward pass needs, for up to so many sequences: it is
/// taken once and used for every step.
template <class T>
class Pass {
 public:
  Pass(const Model<T>& model, std::size_t sequences);

  /// How many there is room for.
  std::size_t sequences() const { return capacity_; }

  /// Logits (sequences · tokens, answers) of sequences first, ..., first + count - 1 of the batch.
  StridedMatrix<T> forward(const Model<T>& model, const Batch& batch, std::size_t first, std::size_t count);

  /// What the logits of the last forward() over this batch cost; they are used up: they become their
  /// gradient.
  LossSum loss(const Batch& batch, T share);

  /// After loss(): adds the gradient of share · Σ −ln p_target to `gradient`, one number per parameter.
  void backward(const Model<T>& model, T* gradient);

  /// The stack of forward() by itself: its heads, and the residual stream.
  Stack<T>& stack() { return stack_; }

 private:
  std::size_t capacity_;
  std::size_t answers_;
  Stack<T> stack_;
  std::optional<Stack<T>> source_;
  std::size_t first_ = 0;  // of the last forward pass: its first sequence in the batch
  StridedMatrix<T> logits_;
  std::vector<T> logits_buffer_;
};

/// How many numbers a pass of so many sequences has room for.
double numbers_of_pass(const ModelShape& shape, std::size_t sequences);

/// How much a forward pass of so many sequences multiplies; an exponential counts as eight.
double products_of_pass(const ModelShape& shape, std::size_t sequences);

/// As many of these sequences, one at least, as one pass computes: with more its room would leave a
/// processor's cache, and many large ones the memory.
std::size_t sequences_at_once(const ModelShape& shape, std::size_t sequences);

/// The same model in numbers of another type.
template <class To, class From>
Model<To> model_in(const Model<From>& model) {
  Model<To> copy(model.shape);
  std::transform(model.parameters.begin(), model.parameters.end(), copy.parameters.begin(),
                 [](From number) { return static_cast<To>(number); });
  return copy;
}

/// The model in which a head, counted through all layers, says nothing: W_O has 0 where it reads the head's
/// output. With a source it is one of cross-attention.
template <class T>
Model<T> without_head(Model<T> model, std::size_t head);

/// The model's parameter as a tensor of its shape.
template <class T>
Tensor<T> parameter_of(const Model<T>& model, const ParameterPlace& place);

}  // namespace attnlab
