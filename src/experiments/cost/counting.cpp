// The three methods as plain loops that count every operation and every number they hold: the proof of the
// formulas.
#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

/// Arithmetic that counts itself.
class Tally {
 public:
  double add(double a, double b) { return counted(a + b); }
  double subtract(double a, double b) { return counted(a - b); }
  double multiply(double a, double b) { return counted(a * b); }
  double divide(double a, double b) { return counted(a / b); }
  double larger(double a, double b) { return counted(std::max(a, b)); }
  double exponential(double x) { return counted(std::exp(x)); }

  /// An array that stays until the end of the run.
  std::vector<double> hold(std::size_t count) {
    numbers_ += count;
    return std::vector<double>(count);
  }
  /// The same, with some values in it: what they are does not matter for the cost.
  std::vector<double> hold_input(std::size_t count, double step) {
    std::vector<double> values = hold(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = std::sin(step * static_cast<double>(i + 1));
    return values;
  }

  CountedRun result(std::vector<double> output) const { return {operations_, numbers_, std::move(output)}; }

 private:
  double counted(double value) {
    ++operations_;
    return value;
  }

  std::uint64_t operations_ = 0;
  std::uint64_t numbers_ = 0;
};

/// Queries, keys and values, each (n, d), and the output.
struct Operands {
  Operands(Tally& tally, std::size_t n, std::size_t d)
      : query(tally.hold_input(n * d, 0.7)),
        key(tally.hold_input(n * d, 1.3)),
        value(tally.hold_input(n * d, 2.1)),
        output(tally.hold(n * d)) {}

  std::vector<double> query;
  std::vector<double> key;
  std::vector<double> value;
  std::vector<double> output;
};

/// q · k / sqrt(d): d products, d - 1 sums, one product with the scale.
double score(Tally& tally, const double* query, const double* key, std::size_t d) {
  double sum = tally.multiply(query[0], key[0]);
  for (std::size_t i = 1; i < d; ++i) sum = tally.add(sum, tally.multiply(query[i], key[i]));
  return tally.multiply(sum, 1.0 / std::sqrt(static_cast<double>(d)));
}

double largest(Tally& tally, const double* values, std::size_t count) {
  double result = values[0];
  for (std::size_t j = 1; j < count; ++j) result = tally.larger(result, values[j]);
  return result;
}

/// Replaces values by exp(value - shift) and returns their sum.
double exponentials(Tally& tally, double* values, std::size_t count, double shift) {
  for (std::size_t j = 0; j < count; ++j) values[j] = tally.exponential(tally.subtract(values[j], shift));
  double sum = values[0];
  for (std::size_t j = 1; j < count; ++j) sum = tally.add(sum, values[j]);
  return sum;
}

/// Sum over j of weight j times entry (j, column) of values (count, d).
double mixed(Tally& tally, const double* weights, const double* values, std::size_t count, std::size_t d) {
  double sum = tally.multiply(weights[0], values[0]);
  for (std::size_t j = 1; j < count; ++j) sum = tally.add(sum, tally.multiply(weights[j], values[j * d]));
  return sum;
}

/// The running state of one query.
struct Running {
  double maximum = 0.0;
  double sum = 0.0;
};

/// Puts a block's exponentials, relative to the larger of both maxima, into the unfinished output.
void join_block(Tally& tally, Running& running, std::vector<double>& scores, std::size_t count,
                const double* values, double* output, std::size_t d) {
  const double maximum = tally.larger(running.maximum, largest(tally, scores.data(), count));
  const double correction = tally.exponential(tally.subtract(running.maximum, maximum));
  const double sum = exponentials(tally, scores.data(), count, maximum);
  running.sum = tally.add(tally.multiply(running.sum, correction), sum);
  for (std::size_t i = 0; i < d; ++i) {
    const double part = mixed(tally, scores.data(), values + i, count, d);
    output[i] = tally.add(tally.multiply(output[i], correction), part);
  }
  running.maximum = maximum;
}

}  // namespace

CountedRun count_fixed_filter(std::size_t length, const CostSize& size) {
  Tally tally;
  const std::size_t d = size.width;
  const std::size_t radius = size.taps / 2;
  const std::vector<double> weights = tally.hold_input(size.taps, 0.4);
  const std::vector<double> x = tally.hold_input(length * d, 0.7);
  std::vector<double> y = tally.hold(length * d);
  for (std::size_t t = 0; t < length; ++t) {
    const std::size_t first = t < radius ? 0 : t - radius;
    const std::size_t last = std::min(t + radius, length - 1);
    const double* taps = weights.data() + (first + radius - t);
    for (std::size_t i = 0; i < d; ++i) {
      y[t * d + i] = mixed(tally, taps, x.data() + first * d + i, last - first + 1, d);
    }
  }
  return tally.result(std::move(y));
}

CountedRun count_plain_attention(std::size_t length, const CostSize& size) {
  Tally tally;
  const std::size_t d = size.width;
  Operands operands(tally, length, d);
  std::vector<double> matrix = tally.hold(length * length);
  for (std::size_t m = 0; m < length; ++m) {
    double* row = matrix.data() + m * length;
    for (std::size_t n = 0; n < length; ++n) {
      row[n] = score(tally, operands.query.data() + m * d, operands.key.data() + n * d, d);
    }
    const double sum = exponentials(tally, row, length, largest(tally, row, length));
    for (std::size_t n = 0; n < length; ++n) row[n] = tally.divide(row[n], sum);
  }
  for (std::size_t m = 0; m < length; ++m) {
    for (std::size_t i = 0; i < d; ++i) {
      operands.output[m * d + i] =
          mixed(tally, matrix.data() + m * length, operands.value.data() + i, length, d);
    }
  }
  return tally.result(std::move(operands.output));
}

CountedRun count_streaming_attention(std::size_t length, const CostSize& size) {
  Tally tally;
  const std::size_t d = size.width;
  Operands operands(tally, length, d);
  std::vector<double> scores = tally.hold(std::min(size.block, length));
  for (std::size_t m = 0; m < length; ++m) {
    double* output = operands.output.data() + m * d;
    Running running;
    for (std::size_t first = 0; first < length; first += size.block) {
      const std::size_t count = std::min(size.block, length - first);
      const double* values = operands.value.data() + first * d;
      for (std::size_t j = 0; j < count; ++j) {
        scores[j] = score(tally, operands.query.data() + m * d, operands.key.data() + (first + j) * d, d);
      }
      if (first > 0) {
        join_block(tally, running, scores, count, values, output, d);
        continue;
      }
      running.maximum = largest(tally, scores.data(), count);
      running.sum = exponentials(tally, scores.data(), count, running.maximum);
      for (std::size_t i = 0; i < d; ++i) output[i] = mixed(tally, scores.data(), values + i, count, d);
    }
    for (std::size_t i = 0; i < d; ++i) output[i] = tally.divide(output[i], running.sum);
  }
  return tally.result(std::move(operands.output));
}

}  // namespace attnlab
