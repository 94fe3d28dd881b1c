// Times attnlab's own implementations against the sequence length, and what this machine could do: the only
// place that looks at a clock.
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

constexpr std::size_t product_size = 512;
constexpr std::size_t numbers_copied = std::size_t{1} << 22U;  // 32 MB: more than the caches hold

Tensor<double> ones(const Shape& shape) { return Tensor<double>(shape, 1.0); }

/// Operations per second of A B, n x n: n³ multiplications and as many additions.
double product_rate(const Context& context) {
  const Tensor<double> a = ones({product_size, product_size});
  const auto product = [&] { return matmul(a, a)(0, 0); };
  const auto n = static_cast<double>(product_size);
  return 2.0 * n * n * n / best_seconds(product, 3, context);
}

double copy_rate(const Context& context) {
  const Tensor<double> from = ones({numbers_copied});
  Tensor<double> to = from;
  const auto copy = [&] {
    std::copy(from.begin(), from.end(), to.begin());
    return to(numbers_copied - 1);
  };
  return 2.0 * bytes_per_number * static_cast<double>(numbers_copied) / best_seconds(copy, 1, context);
}

/// One query over as many keys as make 32 MB with their values: what a language model computes for each word
/// that it writes.
RooflinePoint one_query(const CostSize& size, const Context& context) {
  const std::size_t keys = numbers_copied / (2 * size.width);
  const Tensor<double> query = ones({1, size.width});
  const Tensor<double> tokens = ones({keys, size.width});
  const Tensor<double> values = ones({keys, size.width});
  const auto attention = [&] { return streaming_attention(query, tokens, values).output(0, 0); };
  const auto n = static_cast<double>(keys);
  const auto d = static_cast<double>(size.width);
  const double operations = n * (4.0 * d + 5.0) - (d + 2.0);  // of plain attention's n queries one
  const double numbers = 2.0 * n * d + 2.0 * d;
  return {"one_query",
          {"クエリ 1 個", "one query"},
          operations / (bytes_per_number * numbers),
          operations / best_seconds(attention, 1, context)};
}

/// The powers of ten around the values.
Interval decades_around(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {std::pow(10.0, std::floor(std::log10(*low))), std::pow(10.0, std::ceil(std::log10(*high)))};
}

/// 10.5 G and 0.3 G: with two digits, of operations or bytes.
std::string giga(double value) { return fmt::format("{:.2g}", value / 1e9); }

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
          {"時計が進まないので測れません", "cannot measure: the clock does not advance"},
          {"--measure なしで演算の回数を数えてください", "leave out --measure to count operations instead"});
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
  Tensor<double> output({n, d}, 0.0);
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

Roofline measure_limits(const Context& context) { return {product_rate(context), copy_rate(context), {}}; }

void measure_points(CostRun& run, const Context& context) {
  Roofline& roofline = run.roofline;
  const std::size_t length = run.lengths[run.last()];
  for (std::size_t row = 0; row < cost_methods().size(); ++row) {
    const CostMethod& method = cost_methods()[row];
    const auto operations = static_cast<double>(method.operations.at(length, run.size));
    const auto numbers = static_cast<double>(method.numbers.at(length, run.size));
    roofline.points.push_back({method.id, method.name, operations / (bytes_per_number * numbers),
                               operations / run.seconds(row, run.last())});
  }
  roofline.points.push_back(one_query(run.size, context));
}

Figure roofline_figure(const CostRun& run) {
  const Roofline& roofline = run.roofline;
  double low = roofline.ridge();
  double high = roofline.ridge();
  for (const RooflinePoint& point : roofline.points) {
    low = std::min(low, point.intensity);
    high = std::max(high, point.intensity);
  }
  const std::vector<double> corners{low / 2.0, roofline.ridge(), high * 2.0};
  std::vector<double> roof;
  roof.reserve(corners.size());
  for (const double intensity : corners) roof.push_back(roofline.roof(intensity));
  std::vector<double> rates = roof;
  for (const RooflinePoint& point : roofline.points) rates.push_back(point.rate);
  const Interval shown = decades_around(rates);
  Chart chart{Axis{{"演算の密度（演算 / バイト）", "Intensity (operations per byte)"}, Axis::Scale::log10},
              Axis{{"演算 / 秒", "Operations per second"}, Axis::Scale::log10}.within(shown.low, shown.high)};
  chart.layers.emplace_back(Curve{"roof",
                                  corners,
                                  roof,
                                  muted_ink,
                                  {"行列積とメモリのコピーの速さ", "speed of a matrix product, of copying"}});
  for (std::size_t i = 0; i < roofline.points.size(); ++i) {
    const RooflinePoint& point = roofline.points[i];
    chart.layers.emplace_back(Points{"roofline." + point.id, {point.intensity}, {point.rate}, series_ink(i)});
    chart.layers.emplace_back(
        Callout{"roofline." + point.id + ".name", point.intensity, point.rate, point.name});
  }
  const RooflinePoint& one = roofline.points.back();
  const bool waits = one.intensity < roofline.ridge();
  return Figure{"roofline", waits ? Text{"クエリ 1 個のアテンションの速さは、計算ではなくメモリで決まる",
                                         "Attention for one query is limited by memory, not arithmetic"}
                                  : Text{"この機械の 2 つの限界：計算とメモリ",
                                         "This machine's two limits: arithmetic and memory"}}
      .described(text(
          "両対数のグラフ。演算の密度に対する速さの上限は、密度 {:.2g} までメモリの速さで、そこからは計算の速さで決まります。点は固定フィルタ、アテンション、ストリーミング、クエリ 1 個です。",
          "Log-log chart. Up to an intensity of {:.2g} memory limits the speed, beyond it arithmetic does. Points: the fixed filter, plain and streaming attention, one query.",
          roofline.ridge()))
      .captioned(text(
          "1 スレッド、float64。限界は行列積（毎秒 {} G 演算）とメモリのコピー（毎秒 {} GB）で測定。{} トークン、次元 {}。クエリ 1 個は 32 MB のキーとバリューに対して。",
          "One thread, float64. Limits: a matrix product ({} G operations/s) and copying memory ({} GB/s). {} tokens, width {}; one query over 32 MB of keys and values.",
          giga(roofline.peak), giga(roofline.copy), run.lengths[run.last()], run.size.width))
      .panel(std::move(chart));
}

}  // namespace attnlab
