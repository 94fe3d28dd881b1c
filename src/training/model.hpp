// A small Transformer that can be trained: all parameters in one vector, forwards and backwards over
// sequences.
#pragma once

#include "core/tensor.hpp"
#include "training/layers/loss.hpp"
#include "training/layers/rotary.hpp"
#include "training/model_shape.hpp"

namespace attnlab {

template <class T>
struct Model {
  explicit Model(const ModelShape& sizes);

  ModelShape shape;
  ModelPlaces places;
  std::vector<T> parameters;  // in the order of places.parameters; 0 at first

  // What positions give without being learned: (tokens, width), or sines and cosines (tokens, head width /
  // 2).
  std::vector<T> sinusoids;
  std::vector<T> sines;
  std::vector<T> cosines;
};

/// Sequences of one length, one behind the other, and for every place the answer that is wanted there, or
/// no_target.
struct Batch {
  std::size_t sequences = 0;
  std::size_t tokens = 0;    // of each
  std::vector<int> inputs;   // (sequences, tokens)
  std::vector<int> targets;  // (sequences, tokens)
  std::size_t counted() const;
};

/// Room for what one forward pass computes and its backward pass needs, for up to so many sequences: it is
/// taken once and used for every step.
template <class T>
class Pass {
 public:
  Pass(const Model<T>& model, std::size_t sequences);

  /// How many there is room for.
  std::size_t sequences() const { return room_; }

  /// Logits (sequences · tokens, answers) of sequences first, ..., first + count - 1 of the batch. `silent`:
  /// heads whose output is replaced by 0, for each layer one flag per head; empty for none.
  StridedMatrix<T> forward(const Model<T>& model, const Batch& batch, std::size_t first, std::size_t count,
                           const std::vector<std::vector<bool>>& silent = {});

  /// What the logits of the last forward() over this batch cost; they are used up: they become their
  /// gradient.
  LossSum loss(const Batch& batch, T share);

  /// After loss(): adds the gradient of share · Σ −ln p_target to `gradient`, one number per parameter.
  void backward(const Model<T>& model, const Batch& batch, T* gradient);

  /// After forward(): the weights of a head for one of the sequences. (tokens, tokens)
  StridedMatrix<const T> weights(std::size_t layer, std::size_t head, std::size_t sequence) const;

  /// After forward(): x before layer 0 is residual(0), x behind layer i is residual(i + 1).
  /// (sequences · tokens, width)
  StridedMatrix<const T> residual(std::size_t layer) const;

 private:
  /// What a norm keeps for its gradient.
  struct NormRoom {
    std::vector<T> normalised;  // (rows, width)
    std::vector<T> inverse;     // (rows)
  };
  struct LayerRoom {
    std::vector<T> read;  // (rows, width): what attention reads, the normalised x or x itself
    NormRoom attention_norm;
    std::vector<T> joint;     // (rows, 3 width): queries, keys and values of all heads side by side
    std::vector<T> weights;   // (sequences, heads, tokens, tokens)
    std::vector<T> mixed;     // (rows, width): the heads' outputs side by side
    std::vector<T> between;   // (rows, width): x + attention, normalised where norms stand behind
    std::vector<T> mlp_read;  // (rows, width)
    NormRoom mlp_norm;
    std::vector<T> hidden;     // (rows, hidden)
    std::vector<T> activated;  // (rows, hidden)
  };

  std::size_t rows() const { return sequences_ * tokens_; }
  StridedMatrix<T> all_rows(std::vector<T>& room, std::size_t columns) {
    return matrix_at(room.data(), rows(), columns);
  }
  StridedMatrix<const T> all_rows(const std::vector<T>& room, std::size_t columns) const {
    return matrix_at(room.data(), rows(), columns);
  }
  /// Queries (part 0), keys (1) or values (2) of one head in one sequence, of `joint` or of its gradient.
  StridedMatrix<T> head_part(std::vector<T>& joint, std::size_t sequence, std::size_t head, std::size_t part);
  StridedMatrix<T> head_output(std::vector<T>& mixed, std::size_t sequence, std::size_t head);
  StridedMatrix<T> head_weights(LayerRoom& room, std::size_t sequence, std::size_t head);
  Turns<T> turns(const Model<T>& model) const;

  // A sub-layer between the norm before it or behind it, whichever the model has.
  void norm(const T* parameters, const NormPlaces& places, NormRoom& room, StridedMatrix<T> x,
            StridedMatrix<T> y);
  void norm_back(const T* parameters, T* gradient, const NormPlaces& places, NormRoom& room,
                 StridedMatrix<T> dy, StridedMatrix<T> dx);
  /// What the sub-layer reads of x: its norm where norms stand before, else x.
  void read(const T* parameters, const NormPlaces& places, NormRoom& room, StridedMatrix<T> x,
            StridedMatrix<T> y);
  /// y = x + y, normed where norms stand behind.
  void add_to(const T* parameters, const NormPlaces& places, NormRoom& room, const std::vector<T>& x,
              StridedMatrix<T> y);
  /// dx_ through a norm behind.
  void add_to_back(const T* parameters, T* gradient, const NormPlaces& places, NormRoom& room);
  /// Adds the gradient by what was read, dwide_, to dx_.
  void read_back(const T* parameters, T* gradient, const NormPlaces& places, NormRoom& room);

  void embed(const Model<T>& model, const int* words);
  void attend(const Model<T>& model, std::size_t layer, const std::vector<std::vector<bool>>& silent);
  void run_mlp(const Model<T>& model, std::size_t layer);
  void attend_backward(const Model<T>& model, std::size_t layer, T* gradient);
  void run_mlp_backward(const Model<T>& model, std::size_t layer, T* gradient);

  ModelShape shape_;
  std::size_t room_;
  std::size_t first_ = 0;  // of the last forward pass: its first sequence in the batch, how many there are,
  std::size_t sequences_ = 0;  // and how long they are
  std::size_t tokens_ = 0;
  std::vector<LayerRoom> layers_;
  std::vector<std::vector<T>> residual_;  // layers + 1 times (rows, width)
  std::vector<T> last_;                   // (rows, width): behind the last norm
  NormRoom last_norm_;
  std::vector<T> logits_;

  // Backwards: the gradient by x, and room for others.
  std::vector<T> dx_;
  std::vector<T> dwide_;
  std::vector<T> dother_;
  std::vector<T> djoint_;
  std::vector<T> dhidden_;
  std::vector<T> dscores_;
};

/// How many numbers a pass of so many sequences has room for.
double numbers_of_pass(const ModelShape& shape, std::size_t sequences);

/// The model's parameter as a tensor of its shape.
template <class T>
Tensor<T> parameter_of(const Model<T>& model, const ParameterPlace& place);

}  // namespace attnlab
