// The three ways to mix tokens: as plain loops that count every operation and every number they hold, and
// what each costs by formulas derived step by step, which these loops prove.
#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

// --- What the loops that count are made of

/// Counts the operations, tally(a * b), and the numbers that are held.
struct Tally : CountedRun {
  /// The result of one operation.
  double operator()(double value) {
    ++operations;
    return value;
  }
  /// An array that stays until the end of the run.
  std::vector<double> hold(std::size_t count) {
    numbers += static_cast<double>(count);
    return std::vector<double>(count);
  }
  /// The same, with some values in it: what they are does not matter for the cost.
  std::vector<double> hold_input(std::size_t count, double step) {
    std::vector<double> values = hold(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = std::sin(step * static_cast<double>(i + 1));
    return values;
  }
};

double largest(Tally& tally, const double* values, std::size_t count) {
  double result = values[0];
  for (std::size_t j = 1; j < count; ++j) result = tally(std::max(result, values[j]));
  return result;
}

/// Replaces values by exp(value - shift) and returns their sum.
double exponentials(Tally& tally, double* values, std::size_t count, double shift) {
  for (std::size_t j = 0; j < count; ++j) values[j] = tally(std::exp(tally(values[j] - shift)));
  double sum = values[0];
  for (std::size_t j = 1; j < count; ++j) sum = tally(sum + values[j]);
  return sum;
}

/// Sum over j of weight j times entry (j, column) of values (count, d).
double mixed(Tally& tally, const double* weights, const double* values, std::size_t count, std::size_t d) {
  double sum = tally(weights[0] * values[0]);
  for (std::size_t j = 1; j < count; ++j) sum = tally(sum + tally(weights[j] * values[j * d]));
  return sum;
}

/// q · k / sqrt(d): d products, d - 1 sums, one product with the scale.
double score(Tally& tally, const double* query, const double* key, std::size_t d) {
  return tally(mixed(tally, query, key, d, 1) * (1.0 / std::sqrt(static_cast<double>(d))));
}

/// The running state of one query.
struct Running {
  double maximum = 0.0;
  double sum = 0.0;
};

/// Puts a block's exponentials, relative to the larger of both maxima, into the unfinished output.
void join_block(Tally& tally, Running& running, std::vector<double>& scores, std::size_t count,
                const double* values, double* output, std::size_t d) {
  const double maximum = tally(std::max(running.maximum, largest(tally, scores.data(), count)));
  const double correction = tally(std::exp(tally(running.maximum - maximum)));
  const double sum = exponentials(tally, scores.data(), count, maximum);
  running.sum = tally(tally(running.sum * correction) + sum);
  for (std::size_t i = 0; i < d; ++i) {
    const double part = mixed(tally, scores.data(), values + i, count, d);
    output[i] = tally(tally(output[i] * correction) + part);
  }
  running.maximum = maximum;
}

// --- The loops

CountedRun count_fixed_filter(std::size_t length, const CostSize& size) {
  Tally tally;
  const std::size_t d = size.width;
  const std::size_t radius = size.taps / 2;
  const std::vector<double> weights = tally.hold_input(size.taps, 0.4);
  const std::vector<double> x = tally.hold_input(length * d, 0.7);
  tally.output = tally.hold(length * d);
  for (std::size_t t = 0; t < length; ++t) {
    const std::size_t first = t < radius ? 0 : t - radius;
    const std::size_t last = std::min(t + radius, length - 1);
    const double* taps = weights.data() + (first + radius - t);
    for (std::size_t i = 0; i < d; ++i) {
      tally.output[t * d + i] = mixed(tally, taps, x.data() + first * d + i, last - first + 1, d);
    }
  }
  return tally;
}

/// Queries, keys and values; the output, too, is held.
std::array<std::vector<double>, 3> hold_tokens(Tally& tally, std::size_t count) {
  tally.output = tally.hold(count);
  return {tally.hold_input(count, 0.7), tally.hold_input(count, 1.3), tally.hold_input(count, 2.1)};
}

CountedRun count_plain_attention(std::size_t length, const CostSize& size) {
  Tally tally;
  const std::size_t d = size.width;
  const auto [query, key, value] = hold_tokens(tally, length * d);
  std::vector<double> matrix = tally.hold(length * length);
  for (std::size_t m = 0; m < length; ++m) {
    double* row = matrix.data() + m * length;
    for (std::size_t n = 0; n < length; ++n) {
      row[n] = score(tally, query.data() + m * d, key.data() + n * d, d);
    }
    const double sum = exponentials(tally, row, length, largest(tally, row, length));
    for (std::size_t n = 0; n < length; ++n) row[n] = tally(row[n] / sum);
  }
  for (std::size_t m = 0; m < length; ++m) {
    for (std::size_t i = 0; i < d; ++i) {
      tally.output[m * d + i] = mixed(tally, matrix.data() + m * length, value.data() + i, length, d);
    }
  }
  return tally;
}

CountedRun count_streaming_attention(std::size_t length, const CostSize& size) {
  Tally tally;
  const std::size_t d = size.width;
  const auto [query, key, value] = hold_tokens(tally, length * d);
  std::vector<double> scores = tally.hold(std::min(size.block, length));
  for (std::size_t m = 0; m < length; ++m) {
    double* output = tally.output.data() + m * d;
    Running running;
    for (std::size_t first = 0; first < length; first += size.block) {
      const std::size_t count = std::min(size.block, length - first);
      const double* values = value.data() + first * d;
      for (std::size_t j = 0; j < count; ++j) {
        scores[j] = score(tally, query.data() + m * d, key.data() + (first + j) * d, d);
      }
      if (first > 0) {
        join_block(tally, running, scores, count, values, output, d);
        continue;
      }
      running.maximum = largest(tally, scores.data(), count);
      running.sum = exponentials(tally, scores.data(), count, running.maximum);
      for (std::size_t i = 0; i < d; ++i) output[i] = mixed(tally, scores.data(), values + i, count, d);
    }
    for (std::size_t i = 0; i < d; ++i) output[i] = tally(output[i] / running.sum);
  }
  return tally;
}

// --- The formulas

using Count = std::uint64_t;

/// y_t = sum of w_i x_(t+i), |i| <= r = (w - 1) / 2, for each of the d columns; beyond the ends there is
/// nothing. An output number of c taps takes c products and c - 1 sums. All rows together have n w taps, less
/// 1 + 2 + ... + r at each end: T = n w - r (r + 1). Operations d (2T - n). Needs n >= r.
CostMethod fixed_filter_cost() {
  return {"fixed_filter",
          {"固定フィルタ", "fixed filter"},
          {"d(2(nw − r(r+1)) − n)",
           [](Count n, const CostSize& size) {
             const Count r = size.taps / 2;
             return size.width * (2 * (n * size.taps - r * (r + 1)) - n);
           },
           "{d} (2 ({n} · {w} − {r} · {r1}) − {n})", "{d} * (2 * (length * {w} - {r} * {r1}) - length)"},
          {"2nd + w", [](Count n, const CostSize& size) { return 2 * n * size.width + size.taps; },
           "2 · {n} · {d} + {w}", "2 * length * {d} + {w}"},
          count_fixed_filter,
          run_fixed_filter};
}

/// Article eq. 2, with the matrix of scores kept, for n queries and n keys of width d:
///   Q Kᵀ      n² (d products, d - 1 sums)                                        n² (2d - 1)
///   scale     n²                                                                 n²
///   softmax   per row: n - 1 comparisons, n differences, n exponentials,
///             n - 1 sums, n divisions                                            n (5n - 2)
///   A V       n d (n products, n - 1 sums)                                       n d (2n - 1)
/// Sum: n² (4d + 5) - n (d + 2).
CostMethod plain_attention_cost() {
  return {"plain_attention",
          {"アテンション", "plain attention"},
          {"n²(4d+5) − n(d+2)",
           [](Count n, const CostSize& size) { return n * n * (4 * size.width + 5) - n * (size.width + 2); },
           "{n}² (4 · {d} + 5) − {n} ({d} + 2)", "length**2 * (4 * {d} + 5) - length * ({d} + 2)"},
          {"4nd + n²", [](Count n, const CostSize& size) { return 4 * n * size.width + n * n; },
           "4 · {n} · {d} + {n}²", "4 * length * {d} + length**2"},
          count_plain_attention,
          run_plain_attention};
}

Count blocks(Count n, const CostSize& size) { return (n + size.block - 1) / size.block; }

/// The same result without the matrix: each query reads the keys in m = ceil(n / b) blocks and keeps a
/// running maximum, a running sum and the unfinished output (Milakov and Gimelshein 2018, algorithm 3; Rabe
/// and Staats 2021; Dao et al. 2022, algorithm 1). Per query:
///   scores, scale      n (2d - 1) + n
///   softmax of blocks  n - m comparisons, n differences, n exponentials, n - m sums
///   weights times V    d (2n - m)
///   each later block   1 comparison, 1 difference, 1 exponential; sum: 1 product, 1 sum; output: d products,
///                      d sums                                                    (m - 1) (2d + 5)
///   at the end         d divisions, of the output instead of the weights
/// Sum: 4n (d + 1) + m (d + 3) - d - 5.
CostMethod streaming_attention_cost() {
  return {"streaming_attention",
          {"ストリーミング", "streaming attention"},
          {"n(4n(d+1) + m(d+3) − d − 5)",
           [](Count n, const CostSize& size) {
             const Count d = size.width;
             return n * (4 * n * (d + 1) + blocks(n, size) * (d + 3) - d - 5);
           },
           "{n} (4 · {n} ({d} + 1) + {m} ({d} + 3) − {d} − 5)",
           "length * (4 * length * ({d} + 1) + np.ceil(length / {b}) * ({d} + 3) - {d} - 5)"},
          {"4nd + b",
           [](Count n, const CostSize& size) { return 4 * n * size.width + std::min<Count>(size.block, n); },
           "4 · {n} · {d} + {held}", "4 * length * {d} + np.where(length < {b}, length, 0 * length + {b})"},
          count_streaming_attention,
          run_streaming_attention};
}

}  // namespace

std::string with_numbers(const char* formula, std::uint64_t n, const CostSize& size) {
  const std::size_t r = size.taps / 2;
  return fmt::format(fmt::runtime(formula), fmt::arg("n", n), fmt::arg("d", size.width),
                     fmt::arg("w", size.taps), fmt::arg("r", r), fmt::arg("r1", r + 1),
                     fmt::arg("b", size.block), fmt::arg("m", blocks(n, size)),
                     fmt::arg("held", std::min<Count>(size.block, n)));
}

const std::vector<CostMethod>& cost_methods() {
  static const std::vector<CostMethod> table{fixed_filter_cost(), plain_attention_cost(),
                                             streaming_attention_cost()};
  return table;
}

}  // namespace attnlab
