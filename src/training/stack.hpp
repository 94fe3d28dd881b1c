// Layers over a residual stream, forwards and backwards: a decoder or an encoder by itself, or a decoder that
// reads what an encoder made (Vaswani et al. 2017, figure 1).
#pragma once

#include "training/layers/rotary.hpp"
#include "training/model_shape.hpp"

namespace attnlab {

/// What cross-attention reads, and where the gradient by it is added up.
template <class T>
struct Memory {
  StridedMatrix<T> x;                    // (sequences · tokens, width)
  StridedMatrix<T> dx;                   // likewise
  std::size_t tokens = 0;                // of each sequence; 0: there is none
  const std::size_t* lengths = nullptr;  // how many of them count, of each sequence; nullptr: all
};

/// What a stack's words are, one sequence behind the other, and what their places give without being learned.
template <class T>
struct StackInput {
  const T* parameters = nullptr;  // of the whole model
  const int* words = nullptr;     // (sequences, tokens)
  std::size_t sequences = 0;
  std::size_t tokens = 0;                // of each
  const std::size_t* lengths = nullptr;  // as Memory::lengths
  const T* sinusoids = nullptr;          // (tokens, width), where positions are sinusoidal
  Turns<T> turns = {};                   // where they are rotary
  const float* patches = nullptr;        // (sequences, tokens, pixels), where the shape has pixels
  Memory<T> memory = {};
};

template <class T>
class Stack {
 public:
  /// Room for so many sequences of shape.tokens each, and of the memory that it reads where the shape has a
  /// source.
  Stack(const ModelShape& shape, StackPlaces places, std::size_t sequences);

  void forward(const StackInput<T>& input);

  /// What it says: x behind the last layer, normed where norms stand before. (sequences · tokens, width)
  StridedMatrix<T> output() { return all_rows(is_pre_norm() ? last_ : residual_.back()); }
  /// Where the gradient by output() is to stand before backward(). likewise
  StridedMatrix<T> doutput() { return all_rows(is_pre_norm() ? dwide_ : dx_); }
  /// Adds the gradient of all parameters, and that by the memory.
  void backward(T* gradient);

  /// What a head has computed with in the last forward pass, for one of the sequences; of cross-attention
  /// where there is a memory.
  Head<T> head(std::size_t layer, std::size_t head, std::size_t sequence);

  /// x before layer 0 is residual(0), x behind layer i is residual(i + 1). (sequences · tokens, width)
  StridedMatrix<T> residual(std::size_t layer) { return all_rows(residual_[layer]); }

 private:
  struct KeptAttention {
    KeptNorm<T> norm;
    std::vector<T> read;     // (rows, width): what attention reads, the normalised x or x itself
    std::vector<T> joint;    // (rows, 3 width): queries, keys and values side by side; across: queries alone
    std::vector<T> memory;   // (rows of the memory, 2 width): keys and values, across alone
    std::vector<T> weights;  // (sequences, heads, tokens, keys)
    std::vector<T> mixed;    // (rows, width): the heads' outputs side by side
    std::vector<T> gate;     // (rows, width): σ(x W_G + b), where the model has gates
    std::vector<T> gated;    // (rows, width): mixed ∘ gate, likewise
    std::vector<T> out;      // (rows, width): x + attention, normalised where norms stand behind
  };
  struct KeptLayer {
    KeptAttention self;
    KeptAttention cross;
    std::vector<T> mlp_read;  // (rows, width)
    KeptNorm<T> mlp_norm;
    std::vector<T> hidden;     // (rows, hidden)
    std::vector<T> activated;  // (rows, hidden)
  };
  /// What one attention reads: its own stack's x, or across the memory.
  struct Keys {
    bool are_across = false;
    std::size_t tokens = 0;
    const std::size_t* lengths = nullptr;
  };
  Keys own_keys() const { return {false, input_.tokens, input_.lengths}; }
  Keys memory_keys() const { return {true, input_.memory.tokens, input_.memory.lengths}; }

  bool is_pre_norm() const { return shape_.norm == NormPlace::pre; }
  bool has_memory() const { return input_.memory.tokens > 0; }
  std::size_t rows() const { return input_.sequences * input_.tokens; }
  StridedMatrix<T> all_rows(std::vector<T>& kept, std::size_t columns) {
    return matrix_at(kept.data(), rows(), columns);
  }
  StridedMatrix<T> all_rows(std::vector<T>& kept) { return all_rows(kept, shape_.width); }

  /// One head in one sequence, but for its weights: of these rooms, or of their gradients.
  Head<T> head_in(std::vector<T>& joint, std::vector<T>& memory, std::vector<T>& mixed, const Keys& keys,
                  std::size_t sequence, std::size_t head) const;
  Head<T> head_in(KeptAttention& kept, const Keys& keys, std::size_t sequence, std::size_t head) const;
  /// As far as the sequence's tokens and keys count.
  Head<T> counted(const Head<T>& head, const Keys& keys, std::size_t sequence) const;
  T scale() const;

  void allocate(KeptAttention& kept, std::size_t joint, std::size_t keys, std::size_t memory_rows);
  void allocate(KeptNorm<T>& kept, bool is_there);

  // A sub-layer between the norm before it or behind it, whichever the model has.
  void norm_back(T* gradient, const NormPlaces& places, const KeptNorm<T>& kept, std::vector<T>& dy);
  /// What the sub-layer reads of x: its norm where norms stand before, else x.
  void read(const NormPlaces& places, KeptNorm<T>& kept, std::vector<T>& x, StridedMatrix<T> y);
  /// y = x + y, normed where norms stand behind.
  void add_to(const NormPlaces& places, KeptNorm<T>& kept, const std::vector<T>& x, StridedMatrix<T> y);
  /// dx_ through a norm behind.
  void add_to_back(T* gradient, const NormPlaces& places, const KeptNorm<T>& kept);
  /// Adds the gradient by what was read, dwide_, to dx_.
  void read_back(T* gradient, const NormPlaces& places, const KeptNorm<T>& kept);

  void embed();
  /// What W_O reads: the heads' outputs, or these through their gates.
  StridedMatrix<T> said(const AttentionPlaces& places, KeptAttention& kept);
  void attend(const AttentionPlaces& places, KeptAttention& kept, std::vector<T>& x, const Keys& keys);
  void run_mlp(std::size_t layer, std::vector<T>& x);
  /// The gradient by the heads' outputs of that by what W_O read, in dwide_; that by the gates' scores, in
  /// dgate_.
  void said_back(const AttentionPlaces& places, const KeptAttention& kept);
  void attend_back(const AttentionPlaces& places, KeptAttention& kept, const Keys& keys, T* gradient);
  void run_mlp_back(std::size_t layer, T* gradient);
  void embed_back(T* gradient);

  ModelShape shape_;
  StackPlaces places_;
  std::size_t capacity_;  // sequences
  StackInput<T> input_;   // of the last forward pass
  std::vector<KeptLayer> layers_;
  std::vector<T> patches_;                // (rows, pixels)
  std::vector<std::vector<T>> residual_;  // layers + 1 times (rows, width)
  std::vector<T> last_;                   // (rows, width): behind the last norm
  KeptNorm<T> last_norm_;

  // Backwards: the gradient by x, and room for others.
  std::vector<T> dx_;
  std::vector<T> dwide_;
  std::vector<T> dother_;
  std::vector<T> dgate_;
  std::vector<T> djoint_;
  std::vector<T> dmemory_;
  std::vector<T> dread_;  // (rows of the memory, width)
  std::vector<T> dhidden_;
  std::vector<T> dscores_;
};

/// How many numbers a stack has room for.
double numbers_of_stack(const ModelShape& shape, std::size_t sequences);

}  // namespace attnlab
