// Times attnlab's own implementations against the sequence length: the only place that looks at a clock.
#include "attention/streaming/streaming_attention.hpp"
#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

constexpr int repetitions = 3;
constexpr std::uint64_t least_operations = 1'000'000;  // about a millisecond: far above a clock's step

/// How often a method runs within one measurement.
std::uint64_t runs_at_once(const CostMethod& method, std::size_t length, const CostSize& size) {
  return 1 + least_operations / std::max<std::uint64_t>(1, method.operations.at(length, size));
}

/// What a measurement takes, relative to others: its operations, but never less than one measurement's least.
double work(const CostMethod& method, std::size_t length, const CostSize& size) {
  return static_cast<double>(std::max(least_operations, method.operations.at(length, size)));
}

}  // namespace

Tensor<double> any_numbers(const std::vector<std::size_t>& shape, double largest) {
  Tensor<double> numbers = Tensor<double>::from_shape(shape);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers.data()[i] = largest * std::sin(0.7 * static_cast<double>(i + 1));
  return numbers;
}

double best_seconds(const std::function<double()>& work, std::uint64_t runs, const Context& context) {
  double best = infinity;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    double used = 0.0;  // so that no run can be left out
    const double start = context.seconds();
    for (std::uint64_t i = 0; i < runs; ++i) used += work();
    const double elapsed = context.seconds() - start;
    if (!std::isfinite(used) || elapsed <= 0.0) {
      refuse_failed(
          {"時計が進まないので測れません", "cannot measure: the clock stands still"},
          {"--measure なしで演算の回数を数えてください", "count operations instead, without --measure"});
    }
    best = std::min(best, elapsed / static_cast<double>(runs));
  }
  return best;
}

double run_fixed_filter(const Tensor<double>& tokens, const CostSize& size) {
  const std::size_t n = tokens.shape()[0];
  const std::size_t d = tokens.shape()[1];
  const std::size_t radius = size.taps / 2;
  const double weight = 1.0 / static_cast<double>(size.taps);
  Tensor<double> output = Tensor<double>::from_shape({n, d});
  output.fill(0.0);
  for (std::size_t t = 0; t < n; ++t) {
    double* to = output.data() + t * d;
    for (std::size_t s = t < radius ? 0 : t - radius; s <= std::min(t + radius, n - 1); ++s) {
      const double* from = tokens.data() + s * d;
      for (std::size_t i = 0; i < d; ++i) to[i] += weight * from[i];
    }
  }
  return output(n - 1, d - 1);
}

double run_plain_attention(const Tensor<double>& tokens, const CostSize&) {
  const Tensor<double> output = scaled_dot_product_attention(tokens, tokens, tokens).output;
  return output.data()[output.size() - 1];
}

double run_streaming_attention(const Tensor<double>& tokens, const CostSize&) {
  const Tensor<double> output = streaming_attention(tokens, tokens, tokens).output;
  return output.data()[output.size() - 1];
}

Tensor<double> measure_seconds(const std::vector<std::size_t>& lengths, const CostSize& size,
                               const Context& context) {
  const std::vector<CostMethod>& methods = cost_methods();
  double all = 0.0;
  for (const CostMethod& method : methods) {
    for (const std::size_t length : lengths) all += work(method, length, size);
  }
  Tensor<double> seconds = Tensor<double>::from_shape({methods.size(), lengths.size()});
  double done = 0.0;
  context.progress(0.0);
  for (std::size_t column = 0; column < lengths.size(); ++column) {
    const Tensor<double> tokens = any_numbers({lengths[column], size.width});
    for (std::size_t row = 0; row < methods.size(); ++row) {
      const CostMethod& method = methods[row];
      seconds(row, column) = best_seconds([&] { return method.run(tokens, size); },
                                          runs_at_once(method, lengths[column], size), context);
      done += work(methods[row], lengths[column], size);
      context.progress(done / all);
    }
  }
  return seconds;
}

}  // namespace attnlab
