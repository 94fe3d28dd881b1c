// The cost experiment: three ways to mix tokens, what each costs, and how that is checked.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// What the cost depends on besides the sequence length n.
struct CostSize {
  std::size_t width = 64;  // d, of queries, keys and values
  std::size_t taps = 5;    // w, the weights of the fixed filter; odd
  std::size_t block = 64;  // b, how many keys streaming attention reads at a time
};

/// A run of a method's plain loops that counted as it went.
struct CountedRun {
  double operations = 0.0;
  double numbers = 0.0;        // held in arrays at once
  std::vector<double> output;  // (n d), to compare methods that compute the same
};

/// What a method takes for n tokens.
struct CostFormula {
  const char* written;                                         // "n²(4d+5) − n(d+2)"
  std::uint64_t (*at)(std::uint64_t n, const CostSize& size);  // its value
  const char* worked;                                          // "{n}² (4 · {d} + 5)": for with_numbers()
  const char* code;                                            // likewise, in Python over an array `length`
};

/// A formula with the numbers in the places of its letters.
std::string with_numbers(const char* formula, std::uint64_t n, const CostSize& size);

/// One way to mix n tokens. An operation is one addition, subtraction, multiplication, division, comparison
/// or exponential of floating-point numbers. `numbers` are those in arrays at once: inputs, intermediate
/// results, output; single running values are not counted.
struct CostMethod {
  std::string id;  // "fixed_filter"
  Text name;
  CostFormula operations;
  CostFormula numbers;
  CountedRun (*count)(std::size_t length, const CostSize& size);
  /// Runs attnlab's own implementation on tokens (n, d), on one thread, and returns one number of the output.
  double (*run)(const Tensor<double>& tokens, const CostSize& size);
};

/// Fixed filter, plain attention, streaming attention: THE table. The arrays' rows follow it.
const std::vector<CostMethod>& cost_methods();

// --- What is timed

double run_fixed_filter(const Tensor<double>& tokens, const CostSize& size);
double run_plain_attention(const Tensor<double>& tokens, const CostSize& size);
double run_streaming_attention(const Tensor<double>& tokens, const CostSize& size);

/// Numbers whose values do not matter for the time: no zeros, nothing that overflows.
Tensor<double> any_numbers(const std::vector<std::size_t>& shape, double largest = 1.0);

/// Best of three, in seconds: (methods, lengths). Reports progress. Throws Error (failed) when the
/// clock stands still.
Tensor<double> measure_seconds(const std::vector<std::size_t>& lengths, const CostSize& size,
                               const Context& context);

/// The best of three, of work that returns one number of its result, in seconds for one of `runs`. Throws
/// Error (failed) when the clock stands still.
double best_seconds(const std::function<double()>& work, std::uint64_t runs, const Context& context);

// --- The roofline (Williams, Waterman and Patterson 2009): what keeps a program from being faster

/// A program under the roof.
struct RooflinePoint {
  std::string id;
  Text name = Text::none();
  double intensity = 0.0;  // operations per byte that its arrays hold
  double rate = 0.0;       // operations per second
};

/// This machine's limits, of one thread and float64, and where programs stand.
struct Roofline {
  double peak = 0.0;                  // operations per second of a large matrix product
  double copy = 0.0;                  // bytes read and written per second, copying more than the caches hold
  std::vector<RooflinePoint> points;  // the methods at the longest length, then one query over many keys

  /// The most that a program of that intensity can reach.
  double roof(double intensity) const { return std::min(peak, copy * intensity); }
  /// The intensity from which on arithmetic is the limit.
  double ridge() const { return peak / copy; }
};

// --- A model's growth with its layers, and with the heads that share its width

/// Times of a model of 256 tokens and as wide, and what its operations take at least at the speed of a matrix
/// product, in seconds.
struct ModelGrowth {
  std::vector<std::size_t> counts;  // of layers or heads
  std::vector<double> seconds;
  std::vector<double> least;

  double last_to_first() const { return seconds.back() / seconds.front(); }
};

/// `peak`: operations per second of a large matrix product. Throw Error (failed) when the clock stands still.
ModelGrowth measure_layers(double peak, const Context& context);
ModelGrowth measure_heads(double peak, const Context& context);

struct CostRun;
Figure layers_figure(const CostRun& run);
Figure heads_figure(const CostRun& run);
/// The limits alone: while memory is as the program found it.
Roofline measure_limits(const Context& context);
/// The points under them, from the run's seconds.
void measure_points(CostRun& run, const Context& context);
Figure roofline_figure(const CostRun& run);

// --- The run and its report

constexpr std::size_t counted_length = 67;  // a short sequence that no usual block length divides

/// Either everything but what is measured is filled, or only that.
struct CostRun {
  Tape tape;
  CostSize size;
  std::vector<std::size_t> lengths;  // 64, 128, 256, ...
  Tensor<double> operations;         // (methods, lengths)
  Tensor<double> numbers;            // (methods, lengths)
  Tensor<double> bytes;              // (methods, lengths)
  std::vector<CountedRun> counted;   // of every method, at the counted length
  Tensor<double> seconds;            // (methods, lengths)
  Roofline roofline;
  ModelGrowth by_layers;
  ModelGrowth by_heads;
  bool measured = false;

  static CostRun compute(const Arguments& arguments, const Context& context);
  std::size_t last() const { return lengths.size() - 1; }
};

constexpr double bytes_per_number = 8.0;  // float64, as attnlab and NumPy compute

/// How many times as much the last length takes as the one before, of values (methods, lengths).
double growth(const Tensor<double>& values, std::size_t method);
/// d log(values) / d log(length) between the last two lengths.
double final_slope(const Tensor<double>& values, std::size_t method);
/// "2.2 GB", "34 MB": decimal units, two digits.
std::string byte_text(double bytes);
/// "130 ms", "20 µs", two digits.
std::string second_text(double seconds);

std::vector<Invariant> invariants(const CostRun& run);
std::vector<Block> body(const CostRun& run, const std::vector<Stage>& stages);
std::vector<Figure> figures(const CostRun& run);

}  // namespace attnlab
