// The model of Karpathy's microgpt.py (2026), in double precision: a GPT of one document at a time, without
// biases, with RMS norm without a gain and ReLU, trained by Adam. The same random numbers, so the same
// losses.
#pragma once

#include "core/standard.hpp"
#include "random/python_random.hpp"

namespace attnlab {

struct MicrogptSizes {
  std::size_t vocabulary = 27;  // its last token begins and ends a document
  std::size_t width = 16;
  std::size_t heads = 4;  // divides the width
  std::size_t layers = 1;
  std::size_t block = 16;  // positions
};

/// What a forward pass keeps: rows are positions.
struct MicrogptPass {
  using Rows = std::vector<double>;  // positions x width, row by row
  struct Layer {
    Rows residual;  // what the layer begins with
    Rows normed, query, key, value;
    Rows weights;   // heads x positions x positions, zero for what comes later
    Rows mixed;     // the heads side by side
    Rows attended;  // with the residual
    Rows normed_again, hidden, active;
    Rows output;
  };

  std::size_t positions = 0;
  Rows embedded;  // token and position added
  std::vector<Layer> layers;
  Rows logits;         // positions x vocabulary
  Rows probabilities;  // their softmax
};

class Microgpt {
 public:
  /// Every matrix from gauss(0, 0.08): tokens, positions, the head, then of each layer W_Q, W_K, W_V, W_O and
  /// the two of the MLP, each outputs x inputs.
  Microgpt(const MicrogptSizes& sizes, PythonRandom& random);

  struct Matrix {
    std::string name;  // "wte", "layer0.attn_wq"
    std::size_t offset = 0;
    std::size_t rows = 0;
    std::size_t columns = 0;
  };
  const std::vector<Matrix>& matrices() const { return matrices_; }
  const std::vector<double>& parameters() const { return parameters_; }
  const std::vector<double>& gradient() const { return gradient_; }  // of the last document
  const MicrogptSizes& sizes() const { return sizes_; }

  /// Reads tokens at the positions from 0 on, at most `block` of them.
  const MicrogptPass& read(const int* tokens, std::size_t positions);

  /// The mean of -ln p of the next tokens, without a gradient.
  double loss(const std::vector<int>& document);

  /// The same, with the gradient by every parameter.
  double learn(const std::vector<int>& document);

  /// One step of Adam (β 0.85 and 0.99, ε 1e-8) down the gradient; `step` counts from 0.
  void update(std::size_t step, double rate);

  const std::vector<double>& first_moment() const { return m_; }
  const std::vector<double>& second_moment() const { return v_; }
  void set_parameter(std::size_t index, double value);

  static constexpr double beta1 = 0.85;
  static constexpr double beta2 = 0.99;
  static constexpr double eps = 1e-8;
  static constexpr double norm_eps = 1e-5;

 private:
  const double* of(std::size_t matrix) const { return parameters_.data() + matrices_[matrix].offset; }
  const double* turned(std::size_t matrix) const { return transposed_.data() + matrices_[matrix].offset; }
  double* slope(std::size_t matrix) { return gradient_.data() + matrices_[matrix].offset; }
  void turn(std::size_t matrix);
  void times(std::size_t matrix, const std::vector<double>& in, std::vector<double>& out) const;
  void times_back(std::size_t matrix, const std::vector<double>& in, const std::vector<double>& d_out,
                  std::vector<double>& d_in);
  void attend(MicrogptPass::Layer& layer) const;
  void attend_back(const MicrogptPass::Layer& layer, const std::vector<double>& d_mixed);
  void back(const std::vector<int>& document);

  MicrogptSizes sizes_;
  std::vector<Matrix> matrices_;
  std::vector<double> parameters_;
  std::vector<double> transposed_;  // each matrix as inputs x outputs: sums then run along registers
  std::vector<double> gradient_, m_, v_;
  MicrogptPass pass_;
  std::vector<double> d_x_, d_y_, d_wide_, d_query_, d_key_, d_value_, d_mixed_;
};

}  // namespace attnlab
