// The figures of `cost`: operations and memory against length, or measured time, on log-log axes with slopes.
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cost_parts.hpp"

namespace attnlab {
namespace {

std::vector<double> lengths_of(const CostRun& run) {
  return {run.lengths.begin(), run.lengths.end()};
}

std::vector<double> row_of(const Tensor<double>& values, std::size_t row) {
  const std::size_t columns = values.shape()[1];
  return {values.data() + row * columns, values.data() + (row + 1) * columns};
}

/// "plain attention, slope 2.00"
Text name_with_slope(const CostRun& run, const Tensor<double>& values, std::size_t row) {
  const double slope = final_slope(run, values, row);
  const Text& name = run.methods[row].name;
  return {fmt::format("{}（傾き {:.2f}）", name.ja(), slope), fmt::format("{}: {:.2f}", name.en(), slope)};
}

/// One curve with points per method. Streaming is dashed, without points: its operations lie on plain
/// attention's.
Chart cost_chart(const CostRun& run, const Tensor<double>& values, const std::string& id, Text label) {
  constexpr std::size_t dashed_row = 2;
  Chart chart{{{"系列長 n", "Sequence length n"}, Axis::Scale::log10, {}, {}},
              {std::move(label), Axis::Scale::log10, {}, {}},
              {}};
  for (std::size_t row = 0; row < run.methods.size(); ++row) {
    const std::string curve = id + "." + run.methods[row].id;
    const Ink ink = series_ink(row);
    chart.layers.emplace_back(Curve{curve, lengths_of(run), row_of(values, row), ink,
                                    name_with_slope(run, values, row), row == dashed_row});
    if (row == dashed_row) continue;
    chart.layers.emplace_back(
        Points{curve + ".points", lengths_of(run), row_of(values, row), ink, Text::same("")});
  }
  return chart;
}

}  // namespace

Figure counted_figure(const CostRun& run) {
  const std::size_t last = run.lengths.size() - 1;
  const std::string plain = byte_text(run.bytes(1, last));
  const std::string streaming = byte_text(run.bytes(2, last));
  const CostSize& size = run.size;
  return {
      "cost",
      {fmt::format("アテンションは n² で増える：{} トークンで {}、ストリーミングなら {}", run.lengths[last],
                   plain, streaming),
       fmt::format("Attention grows as n²: {} at {} tokens, {} when streaming", plain, run.lengths[last],
                   streaming)},
      {"両対数の折れ線 2 枚。1 枚目は演算の回数で、固定フィルタは傾き "
       "1、アテンションは通常でもストリーミングでも"
       "傾き 2。2 枚目はメモリで、通常のアテンションだけが傾き 2 に近づき、ほかは傾き 1。",
       "Two log-log charts. Operations: the fixed filter has slope 1, attention slope 2, plain or streaming. "
       "Memory: only plain attention approaches slope 2, the others have slope 1."},
      {fmt::format("次元 {}、フィルタの重み {} 個、ブロック {} 個、float64。傾きは最後の 2 点から。",
                   size.width, size.taps, size.block),
       fmt::format("Width {}, {} filter weights, blocks of {}, float64. Numbers: slopes between the last "
                   "two points.",
                   size.width, size.taps, size.block)},
      {{{"演算の回数", "Operations"},
        cost_chart(run, run.operations, "operations", {"演算の回数", "Operations"})},
       {{"メモリ", "Memory"}, cost_chart(run, run.bytes, "bytes", {"バイト", "Bytes"})}},
      0,
      {},
      {14.0, 6.5}};
}

Figure measured_figure(const CostRun& run) {
  const std::size_t last = run.lengths.size() - 1;
  const std::string filter = second_text(run.seconds(0, last));
  const std::string attention = second_text(run.seconds(1, last));
  return {
      "time",
      {fmt::format("{} トークン：固定フィルタ {}、アテンション {}", run.lengths[last], filter, attention),
       fmt::format("{} tokens: fixed filter {}, attention {}", run.lengths[last], filter, attention)},
      {"系列長に対する計算時間の両対数の折れ線。固定フィルタの傾きは 1 に、アテンションの傾きは 2 に近い。",
       "Log-log chart of the time against the sequence length: the fixed filter's slope is near 1, "
       "attention's near 2."},
      {fmt::format("この機械での測定、3 回のうち最短。次元 {}。傾きは最後の 2 点から。", run.size.width),
       fmt::format("Measured on this machine, best of three. Width {}. Numbers: slopes between the last two "
                   "points.",
                   run.size.width)},
      {{Text::same(""), cost_chart(run, run.seconds, "seconds", {"秒", "Seconds"})}},
      1,
      {},
      {10.0, 6.25}};
}

}  // namespace attnlab
