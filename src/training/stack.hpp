// Layers over a residual stream, forwards and backwards: a decoder or an encoder by itself, or a decoder that
// reads what an encoder made (Vaswani et al. 2017, figure 1).
#pragma once

#include "training/layers/rotary.hpp"
#include "training/model_shape.hpp"

namespace attnlab {

/// What a stack's words are, one sequence behind the other, and what their places give without being learned.
template <class T>
struct StackInput {
  const T* parameters = nullptr;  // of the whole model
  const int* words = nullptr;     // (sequences, tokens)
  std::size_t sequences = 0;
  std::size_t tokens = 0;                // of each
  const std::size_t* lengths = nullptr;  // how many of them count, of each sequence; nullptr: all
  const T* sinusoids = nullptr;          // (tokens, width), where positions are sinusoidal
  Turns<T> turns = {};                   // where they are rotary
  const float* patches = nullptr;        // (sequences, tokens, pixels), where the shape has pixels
};

/// What cross-attention reads, and where the gradient by it is added up.
template <class T>
struct Memory {
  StridedMatrix<T> x;   // (sequences · tokens, width)
  StridedMatrix<T> dx;  // likewise
  std::size_t tokens = 0;
  const std::size_t* lengths = nullptr;
};

template <class T>
class Stack {
 public:
  /// Room for so many sequences of shape.tokens each. `source_tokens`: of the memory that it reads, or 0.
  Stack(const ModelShape& shape, StackPlaces places, std::size_t sequences, std::size_t source_tokens);

  /// `silent`: heads whose output is replaced by 0, for each layer one flag per head; empty for none. They
  /// are those of cross-attention where there is a memory.
  void forward(const StackInput<T>& input, const Memory<T>* memory,
               const std::vector<std::vector<bool>>& silent);

  /// What it says: x behind the last layer, normed where norms stand before. (sequences · tokens, width)
  StridedMatrix<T> output();
  /// Where the gradient by output() is to stand before backward(). likewise
  StridedMatrix<T> doutput();
  /// Adds the gradient of all parameters, and that by the memory.
  void backward(const Memory<T>* memory, T* gradient);

  /// The weights of a head for one of the sequences: (tokens, tokens), of cross-attention (tokens, tokens of
  /// the memory).
  StridedMatrix<const T> weights(std::size_t layer, std::size_t head, std::size_t sequence) const;
  StridedMatrix<const T> cross_weights(std::size_t layer, std::size_t head, std::size_t sequence) const;

  /// What a head of cross-attention has compared and averaged, for one of the sequences: its queries and its
  /// output (tokens, head width), and of the memory keys and values (tokens of the memory, head width).
  struct Compared {
    StridedMatrix<const T> query;
    StridedMatrix<const T> key;
    StridedMatrix<const T> value;
    StridedMatrix<const T> output;
  };
  Compared compared_across(std::size_t layer, std::size_t head, std::size_t sequence) const;
  /// The same of self-attention, before rotary positions.
  Compared compared(std::size_t layer, std::size_t head, std::size_t sequence) const;

  /// x before layer 0 is residual(0), x behind layer i is residual(i + 1). (sequences · tokens, width)
  StridedMatrix<const T> residual(std::size_t layer) const;

 private:
  /// What a norm keeps for its gradient.
  struct NormRoom {
    std::vector<T> normalised;  // (rows, width)
    std::vector<T> inverse;     // (rows)
  };
  struct AttentionRoom {
    NormRoom norm;
    std::vector<T> read;     // (rows, width): what attention reads, the normalised x or x itself
    std::vector<T> joint;    // (rows, 3 width): queries, keys and values side by side; across: queries alone
    std::vector<T> memory;   // (rows of the memory, 2 width): keys and values, across alone
    std::vector<T> weights;  // (sequences, heads, tokens, keys)
    std::vector<T> mixed;    // (rows, width): the heads' outputs side by side
    std::vector<T> out;      // (rows, width): x + attention, normalised where norms stand behind
  };
  struct LayerRoom {
    AttentionRoom own;
    AttentionRoom cross;
    std::vector<T> mlp_read;  // (rows, width)
    NormRoom mlp_norm;
    std::vector<T> hidden;     // (rows, hidden)
    std::vector<T> activated;  // (rows, hidden)
  };
  /// Queries, keys and values of all heads, side by side, or their gradients.
  struct Sides {
    StridedMatrix<T> query;
    StridedMatrix<T> key;
    StridedMatrix<T> value;
  };
  /// What one attention reads: its own stack's x (memory is null) or the memory.
  struct Keys {
    const Memory<T>* memory = nullptr;
    std::size_t tokens = 0;
    const std::size_t* lengths = nullptr;
  };

  std::size_t rows() const { return input_.sequences * input_.tokens; }
  StridedMatrix<T> all_rows(std::vector<T>& room, std::size_t columns) {
    return matrix_at(room.data(), rows(), columns);
  }
  StridedMatrix<const T> all_rows(const std::vector<T>& room, std::size_t columns) const {
    return matrix_at(room.data(), rows(), columns);
  }
  Keys keys_of(const Memory<T>* memory) const;
  Sides sides(std::vector<T>& joint, std::vector<T>& memory, const Keys& keys);
  /// Of one head in one sequence, as far as its tokens count.
  Sides of_head(const Sides& all, const Keys& keys, std::size_t sequence, std::size_t head) const;
  std::size_t queries_of(std::size_t sequence) const;
  StridedMatrix<T> head_output(std::vector<T>& mixed, std::size_t sequence, std::size_t head);
  StridedMatrix<T> head_weights(std::vector<T>& weights, const Keys& keys, std::size_t sequence,
                                std::size_t head);
  T scale() const;

  void give_room(AttentionRoom& room, std::size_t joint, std::size_t keys, std::size_t memory_rows);
  void give_room(NormRoom& room, bool is_there);

  // A sub-layer between the norm before it or behind it, whichever the model has.
  void norm(const NormPlaces& places, NormRoom& room, StridedMatrix<const T> x, StridedMatrix<T> y);
  void norm_back(T* gradient, const NormPlaces& places, NormRoom& room, StridedMatrix<T> dy,
                 StridedMatrix<T> dx);
  /// What the sub-layer reads of x: its norm where norms stand before, else x.
  void read(const NormPlaces& places, NormRoom& room, const std::vector<T>& x, StridedMatrix<T> y);
  /// y = x + y, normed where norms stand behind.
  void add_to(const NormPlaces& places, NormRoom& room, const std::vector<T>& x, StridedMatrix<T> y);
  /// dx_ through a norm behind.
  void add_to_back(T* gradient, const NormPlaces& places, NormRoom& room);
  /// Adds the gradient by what was read, dwide_, to dx_.
  void read_back(T* gradient, const NormPlaces& places, NormRoom& room);

  void embed();
  void attend(const AttentionPlaces& places, AttentionRoom& room, const std::vector<T>& x, const Keys& keys,
              const std::vector<bool>& silent);
  void run_mlp(std::size_t layer, const std::vector<T>& x);
  void attend_back(const AttentionPlaces& places, AttentionRoom& room, const Keys& keys, T* gradient);
  void run_mlp_back(std::size_t layer, T* gradient);
  void embed_back(T* gradient);

  ModelShape shape_;
  StackPlaces places_;
  std::size_t room_;               // sequences
  StackInput<T> input_;            // of the last forward pass
  std::size_t source_tokens_ = 0;  // likewise, of the memory
  std::vector<LayerRoom> layers_;
  std::vector<T> patches_;                // (rows, pixels)
  std::vector<std::vector<T>> residual_;  // layers + 1 times (rows, width)
  std::vector<T> last_;                   // (rows, width): behind the last norm
  NormRoom last_norm_;

  // Backwards: the gradient by x, and room for others.
  std::vector<T> dx_;
  std::vector<T> dwide_;
  std::vector<T> dother_;
  std::vector<T> djoint_;
  std::vector<T> dmemory_;
  std::vector<T> dread_;  // (rows of the memory, width)
  std::vector<T> dhidden_;
  std::vector<T> dscores_;
};

/// How many numbers a stack has room for.
double numbers_of_stack(const ModelShape& shape, std::size_t sequences, std::size_t source_tokens);

}  // namespace attnlab
