// The figures of `cost`: operations and memory against length, or measured time, on log-log axes with slopes.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

std::vector<double> lengths_of(const CostRun& run) {
  return {run.lengths.begin(), run.lengths.end()};
}

std::vector<double> row_of(const Tensor<double>& values, std::size_t row) {
  const std::size_t columns = values.shape()[1];
  return {values.data() + row * columns, values.data() + (row + 1) * columns};
}

/// "plain (slope 2.00)": the title says of what.
Text name_with_slope(const CostRun& run, const Tensor<double>& values, std::size_t row) {
  const double slope = final_slope(run, values, row);
  const Text& name = run.methods[row].name;
  return {fmt::format("{}（傾き {:.2f}）", name.ja(), slope),
          fmt::format("{} (slope {:.2f})", name.en().substr(0, name.en().find(" attention")), slope)};
}

/// Whether two curves of that height cannot be told apart on a logarithmic axis.
bool coincide(const Tensor<double>& values, std::size_t row, std::size_t other) {
  for (std::size_t column = 0; column < values.shape()[1]; ++column) {
    if (std::abs(std::log10(values(row, column) / values(other, column))) > 0.05) return false;
  }
  return true;
}

/// Where points would only hide each other: what was counted follows a formula, what was measured does not.
enum class StreamingPoints { hidden, shown };

/// One curve with points per method. Streaming is dashed, and named in the picture where it lies on plain
/// attention's.
Chart cost_chart(const CostRun& run, const Tensor<double>& values, const std::string& id, Text label,
                 StreamingPoints streaming_points) {
  constexpr std::size_t dashed_row = 2;
  Chart chart{{{"系列長 n", "Sequence length n"}, Axis::Scale::log10, {}, {}},
              {std::move(label), Axis::Scale::log10, {}, {}},
              {}};
  for (std::size_t row = 0; row < run.methods.size(); ++row) {
    const std::string curve = id + "." + run.methods[row].id;
    const Ink ink = series_ink(row);
    chart.layers.emplace_back(Curve{curve, lengths_of(run), row_of(values, row), ink,
                                    name_with_slope(run, values, row), row == dashed_row});
    if (row == dashed_row && streaming_points == StreamingPoints::hidden) continue;
    chart.layers.emplace_back(
        Points{curve + ".points", lengths_of(run), row_of(values, row), ink, Text::same("")});
  }
  if (coincide(values, dashed_row, dashed_row - 1)) {
    const std::size_t middle = run.lengths.size() / 2;
    chart.layers.emplace_back(Callout{id + ".together",
                                      static_cast<double>(run.lengths[middle]),
                                      values(dashed_row, middle),
                                      {"2 本が重なる", "two coincide"}});
  }
  return chart;
}

Text counted_title(const CostRun& run) {
  const std::size_t last = run.lengths.size() - 1;
  if (run.bytes(2, last) >= run.bytes(1, last)) {  // one block holds all keys
    return {"アテンションの演算は n² で増える", "Attention's work grows as n²"};
  }
  return {"アテンションの演算は n² で増え、ストリーミングで減るのはメモリだけ",
          "Attention's work grows as n²; streaming saves only memory"};
}

}  // namespace

Figure counted_figure(const CostRun& run) {
  const auto slope = [&run](const Tensor<double>& values, std::size_t row) {
    return final_slope(run, values, row);
  };
  const CostSize& size = run.size;
  return {
      "cost",
      counted_title(run),
      {fmt::format("両対数の折れ線 2 枚。1 枚目は演算の回数で、最後の傾きは固定フィルタ {:.2f}、アテンション "
                   "{:.2f}、ストリーミング {:.2f}。2 枚目はメモリで、順に {:.2f}、{:.2f}、{:.2f}。",
                   slope(run.operations, 0), slope(run.operations, 1), slope(run.operations, 2),
                   slope(run.bytes, 0), slope(run.bytes, 1), slope(run.bytes, 2)),
       fmt::format("Two log-log charts. Operations: the last slopes are {:.2f} for the fixed filter, {:.2f} "
                   "for plain and {:.2f} for streaming attention. Memory: {:.2f}, {:.2f} and {:.2f}.",
                   slope(run.operations, 0), slope(run.operations, 1), slope(run.operations, 2),
                   slope(run.bytes, 0), slope(run.bytes, 1), slope(run.bytes, 2))},
      {fmt::format("次元 {}、フィルタの重み {} 個、ブロック {} 個、float64。傾きは最後の 2 点から。",
                   size.width, size.taps, size.block),
       fmt::format("Width {}, {} filter weights, blocks of {}, float64. Slopes: between the last "
                   "two points.",
                   size.width, size.taps, size.block)},
      {{{"演算の回数", "Operations"},
        cost_chart(run, run.operations, "operations", {"演算の回数", "Operations"}, StreamingPoints::hidden)},
       {{"メモリ", "Memory"},
        cost_chart(run, run.bytes, "bytes", {"バイト", "Bytes"}, StreamingPoints::hidden)}},
      0,
      {},
      {14.0, 6.5}};
}

Figure measured_figure(const CostRun& run) {
  const std::size_t last = run.lengths.size() - 1;
  const std::string filter = second_text(run.seconds(0, last));
  const std::string plain = second_text(run.seconds(1, last));
  const std::string streaming = second_text(run.seconds(2, last));
  const auto slope = [&run](std::size_t row) { return final_slope(run, run.seconds, row); };
  return {
      "time",
      {fmt::format("{} トークン：固定フィルタ {}、アテンション {}、ストリーミング {}", run.lengths[last],
                   filter, plain, streaming),
       fmt::format("{} tokens: filter {}, plain attention {}, streaming {}", run.lengths[last], filter, plain,
                   streaming)},
      {fmt::format(
           "系列長に対する計算時間の両対数の折れ線。最後の傾きは、固定フィルタが {:.2f}、アテンションが "
           "{:.2f}、ストリーミングが {:.2f}。",
           slope(0), slope(1), slope(2)),
       fmt::format("Log-log chart of the time against the sequence length. The last slopes are {:.2f} for "
                   "the fixed filter, {:.2f} for plain and {:.2f} for streaming attention.",
                   slope(0), slope(1), slope(2))},
      {fmt::format("この機械での測定、3 回のうち最短。次元 {}。傾きは最後の 2 点から。", run.size.width),
       fmt::format("Measured on this machine, best of three. Width {}. Slopes: between the last two "
                   "points.",
                   run.size.width)},
      {{Text::same(""), cost_chart(run, run.seconds, "seconds", {"秒", "Seconds"}, StreamingPoints::shown)}},
      1,
      {},
      {10.0, 6.25}};
}

}  // namespace attnlab
