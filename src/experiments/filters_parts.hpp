// The filters experiment in parts: fixed weights and attention's weights on one signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attention/scaled_dot_product.hpp"
#include "core/tensor.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

// --- Two filters, each as a matrix and as the loop that is usually written --------------------------------

/// (samples, samples): row t averages the samples t - r .. t + r, r = (window - 1) / 2; near the ends only
/// those of them that exist, so that every row sums to 1. `window` is odd.
Tensor<double> moving_average_weights(std::size_t samples, std::size_t window);
/// The same as a sliding mean of signal (samples).
Tensor<double> moving_average(const Tensor<double>& signal, std::size_t window);

/// (samples, samples): row t has alpha (1 - alpha)^(t - s) for 1 <= s <= t, and (1 - alpha)^t for s = 0: the
/// first sample keeps the rest, so that every row sums to 1. 0 < alpha <= 1.
Tensor<double> ema_weights(std::size_t samples, double alpha);
/// The same as the recursion y_0 = x_0, y_t = alpha x_t + (1 - alpha) y_(t-1).
Tensor<double> exponential_moving_average(const Tensor<double>& signal, double alpha);

/// Each sample with its neighbours, (samples, window); beyond the ends the end sample stands in.
Tensor<double> windows_of(const Tensor<double>& signal, std::size_t window);

// --- The run ----------------------------------------------------------------------------------------------

struct FilterSettings {
  std::size_t samples = 64;
  std::size_t window = 5;
  double alpha = 0.3;
  double noise = 0.3;
  std::string scale_text;  // as the user typed it: "default", "none" or a number
  double scale = 1.0;
  std::uint32_t seed = 0;
};

/// A noisy sine and self-attention over its windows: query = key = window, value = sample.
struct SignalRun {
  std::size_t periods = 0;
  Tensor<double> clean;                 // (n)
  Tensor<double> signal;                // (n)  clean + noise
  Tensor<double> windows;               // (n, window)
  AttentionStages<double> attention;    // output (n, 1)
  Tensor<double> moving_average_found;  // (n, n)  how the loop's output answers to each sample of this signal
  Tensor<double> ema_found;             // (n, n)
};

struct FiltersRun {
  FilterSettings settings;
  Tensor<double> noise;                   // (n)  standard normals
  Tensor<double> scaled_noise;            // (n)
  SignalRun main;                         // two periods
  SignalRun other;                        // three periods, the same noise
  Tensor<double> moving_average_weights;  // (n, n)
  Tensor<double> moving_average_output;   // (n)
  Tensor<double> ema_weights;             // (n, n)
  Tensor<double> ema_output;              // (n)
  Tensor<double> attention_output;        // (n)
};

/// `noise` (n) are standard normals.
FiltersRun compute_filters(const FilterSettings& settings, const Tensor<double>& noise);

// --- Measurements -----------------------------------------------------------------------------------------

/// What one row of weights gives, on average, to samples further away than the moving average reads.
double far_weight(const FiltersRun& run, const Tensor<double>& weights);
/// Root mean square of y - clean.
double distance_from_clean(const FiltersRun& run, const Tensor<double>& y);
std::vector<Invariant> filters_invariants(const FiltersRun& run);

// --- The report -------------------------------------------------------------------------------------------

std::vector<Stage> filters_trace(const FiltersRun& run);
std::vector<Block> filters_body(const FiltersRun& run);

/// weights (document D's table as pictures), outputs, inputs.
std::vector<Figure> filters_figures(const FiltersRun& run);

}  // namespace attnlab
