// What an RNN cannot do that attention can: read all tokens at once, and learn across any distance.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// In which order results can be computed: how many steps after one another, and how far a token's way is.
struct Dependencies {
  Tensor<double> steps;  // (tokens)  the step after which each result is there; all inputs are there at 0
  Tensor<double> paths;  // (tokens, tokens)  steps from input j to result i; infinite where none leads there
};

struct RecurrenceRun {
  Tape tape;
  Tensor<double> radius;      // (radii)
  Tensor<double> orthogonal;  // (width, width)  random rows made orthonormal
  Tensor<double> recurrent;   // (radii, width, width)  W = radius · orthogonal: |every eigenvalue| = radius
  Tensor<double> x;           // (tokens, width)
  Tensor<double> driven;      // (tokens, width)  U x
  Tensor<double> states;    // (radii, tokens, width)  h_t = tanh(W h_{t-1} + U x_t), h before the first is 0
  Tensor<double> gradient;  // (radii, tokens)  ‖∂h_T / ∂h_t‖ / √width against the distance T − t
  Tensor<double> w_query;   // (width, width)
  Tensor<double> w_key;     // (width, width)
  Tensor<double> w_value;   // (width, width)
  Tensor<double> query;     // (1, width)  of the last token
  Tensor<double> key;       // (tokens, width)
  Tensor<double> value;     // (tokens, width)
  AttentionStages<double> attention;
  Tensor<double> attention_gradient;  // (tokens)  ‖∂y_T / ∂x_t‖ / √width against the distance T − t
  Tensor<double> per_step;            // (radii)  by what the gradient changes from step to step, on average
  double attention_per_step = 0.0;
  Dependencies rnn;
  Dependencies self_attention;

  std::size_t tokens() const { return x.shape()[0]; }
  std::size_t width() const { return x.shape()[1]; }

  static RecurrenceRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Scalar> scalars(const RecurrenceRun& run);
std::vector<Invariant> invariants(const RecurrenceRun& run);
std::vector<Block> body(const RecurrenceRun& run, const std::vector<Stage>& stages);
/// The farthest gradient of every RNN: "半径 0.7 で 0.000274、..." / "0.000274 at radius 0.7, ...".
Text gradients_of_all(const RecurrenceRun& run);
/// Whether attention's gradient changes by more than a twentieth per step of the distance.
bool has_trend(const RecurrenceRun& run);
/// steps: what waits for what; paths: the way from every token to every result; gradient: how much of it
/// arrives over a distance.
std::vector<Figure> figures(const RecurrenceRun& run);

// --- ways.cpp: dependencies

/// Result i of an RNN reads token i and result i − 1.
Dependencies rnn_dependencies(std::size_t tokens);
/// Every result of self-attention reads every token.
Dependencies attention_dependencies(std::size_t tokens);
/// Attention that writes: result i reads the tokens up to i, of which all but the first were written before.
Dependencies generation_dependencies(std::size_t tokens);

// --- ways.cpp: small changes

/// ∂h_T / ∂h_t for t = T, T − 1, ..., 0 as products of diag(1 − h²) W, handed out with their distance.
/// w (width, width), states (tokens, width).
void each_state_jacobian(const Tensor<double>& w, const Tensor<double>& states,
                         const std::function<void(std::size_t distance, const Tensor<double>&)>& use);

/// The root of the mean square of a square matrix's singular values: ‖M‖ / √width by the Frobenius norm. 1 of
/// every rotation.
double jacobian_size(const Tensor<double>& matrix);

/// ‖∂y_T / ∂x_t‖ / √width of the last token's output, against the distance T − t: (tokens).
Tensor<double> attention_gradients(const RecurrenceRun& run);

}  // namespace attnlab
