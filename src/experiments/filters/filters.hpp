// The filters experiment: fixed weights, and weights that attention computes from the signal.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

struct FilterSettings {
  std::size_t samples = 64;  // n
  std::size_t window = 5;    // of the moving average, odd; also the width of attention's queries and keys
  std::size_t radius = 2;    // (window - 1) / 2
  double alpha = 0.3;
  double noise = 0.3;
  std::string scale_text;  // as the user typed it: "default", "none" or a number
};

/// A noisy sine and self-attention over its windows: query = key = window, value = sample.
struct SignalRun {
  std::size_t periods = 0;
  Tensor<double> clean;                 // (n)
  Tensor<double> signal;                // (n)  clean + noise
  Tensor<double> windows;               // (n, window)
  Tensor<double> attention_weights;     // (n, n)
  Tensor<double> moving_average_found;  // (n, n)  how the loop's output answers to each sample of this signal
  Tensor<double> ema_found;             // (n, n)
};

/// One way to weigh the samples of the main signal.
struct Weighing {
  Tensor<double> weights;   // (n, n)
  Tensor<double> output;    // (n)  weights times signal
  double far_weight = 0.0;  // a row's, on average, on samples further away than the moving average reads
  double change = 0.0;      // the largest of a weight, when the signal is the other one
  double distance = 0.0;    // of the output from the clean sine, root mean square
};

struct FiltersRun {
  Tape tape;
  FilterSettings settings;
  SignalRun main;   // two periods
  SignalRun other;  // three periods, the same noise
  Weighing moving_average;
  Weighing ema;
  Weighing attention;
  double noisy_distance = 0.0;  // of the main signal from the clean sine

  static FiltersRun compute(const Arguments& arguments, const Context& context);
};

/// Each sample with its neighbours, (samples, window); beyond the ends the end sample stands in.
Tensor<double> windows_of(const Tensor<double>& signal, std::size_t window);

std::vector<Invariant> invariants(const FiltersRun& run);
std::vector<Block> body(const FiltersRun& run, const std::vector<Stage>& stages);
/// weights (document D's table as pictures), outputs, inputs.
std::vector<Figure> figures(const FiltersRun& run);

}  // namespace attnlab
