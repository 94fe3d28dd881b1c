// The figures of `cost`: operations and memory against length, or measured time, on log-log axes with slopes.
#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

/// "plain (slope 2.00)": the title says of what.
Text name_with_slope(const Tensor<double>& values, std::size_t row) {
  const Text& name = cost_methods()[row].name;
  const Text short_name{name.ja(), name.en().substr(0, name.en().find(" attention"))};
  return text("{}（傾き {:.2f}）", "{} (slope {:.2f})", short_name, final_slope(values, row));
}

/// Whether two curves of that height cannot be told apart on a logarithmic axis.
bool coincide(const Tensor<double>& values, std::size_t row, std::size_t other) {
  return largest_magnitude(xt::log10(xt::view(values, row) / xt::view(values, other))) <= 0.05;
}

/// One curve with points per method. Streaming is dashed, and named in the picture where it lies on plain
/// attention's. What was counted follows a formula: there its points would only hide the others.
Chart cost_chart(const CostRun& run, const Tensor<double>& values, const std::string& id, Text label) {
  constexpr std::size_t streaming = 2;
  const std::vector<double> lengths(run.lengths.begin(), run.lengths.end());
  Chart chart{Axis{{"系列長 n", "Sequence length n"}, Axis::Scale::log10},
              Axis{std::move(label), Axis::Scale::log10}};
  for (std::size_t row = 0; row < cost_methods().size(); ++row) {
    Curve curve{id + "." + cost_methods()[row].id, lengths,         values_of(values, row), series_ink(row),
                name_with_slope(values, row),      row == streaming};
    curve.shows = {id, row};
    Points points{curve.id + ".points", lengths, curve.y, curve.ink, Text::none(), curve.shows};
    chart.layers.emplace_back(std::move(curve));
    if (row == streaming && !run.measured) continue;
    chart.layers.emplace_back(std::move(points));
  }
  if (coincide(values, streaming, streaming - 1)) {
    const std::size_t middle = lengths.size() / 2;
    chart.layers.emplace_back(Callout{
        id + ".together", lengths[middle], values(streaming, middle), {"2 本が重なる", "two coincide"}});
  }
  return chart;
}

Text counted_title(const CostRun& run) {
  const std::size_t last = run.last();
  if (run.bytes(2, last) >= run.bytes(1, last)) {  // one block holds all keys
    return {"アテンションの演算は n² で増える", "Attention's work grows as n²"};
  }
  return {"アテンションの演算は n² で増え、ストリーミングで減るのはメモリだけ",
          "Attention's work grows as n²; streaming saves memory only"};
}

Figure counted_figure(const CostRun& run) {
  return Figure{"cost", counted_title(run)}
      .described(text(
          "両対数の折れ線 2 枚。1 枚目は演算の回数で、最後の傾きは固定フィルタ {:.2f}、アテンション {:.2f}、ストリーミング {:.2f}。2 枚目はメモリで、順に {:.2f}、{:.2f}、{:.2f}。",
          "Two log-log charts. Operations: the last slopes are {:.2f} for the fixed filter, {:.2f} for plain and {:.2f} for streaming attention. Memory: {:.2f}, {:.2f} and {:.2f}.",
          final_slope(run.operations, 0), final_slope(run.operations, 1), final_slope(run.operations, 2),
          final_slope(run.bytes, 0), final_slope(run.bytes, 1), final_slope(run.bytes, 2)))
      .captioned(
          text("次元 {}、フィルタの重み {} 個、ブロック {} 個、float64。傾きは最後の 2 点から。",
               "Width {}, {} filter weights, blocks of {}, float64. Slopes: between the last two points.",
               run.size.width, run.size.taps, run.size.block))
      .panel({"演算の回数", "Operations"},
             cost_chart(run, run.operations, "operations", {"演算の回数", "Operations"}))
      .panel({"メモリ", "Memory"}, cost_chart(run, run.bytes, "bytes", {"バイト", "Bytes"}))
      .on_page(14.0, 6.5);
}

/// Plain attention at the speed of a matrix product, or of copying memory where that is less.
Curve least_of_plain_attention(const CostRun& run) {
  const CostMethod& plain = cost_methods()[1];
  Curve least{"seconds.least",
              {},
              {},
              muted_ink,
              {"アテンションの演算を行列積の速さで", "plain at a matrix product's speed"},
              true};
  for (const std::size_t length : run.lengths) {
    const auto operations = static_cast<double>(plain.operations.at(length, run.size));
    const double bytes = bytes_per_number * static_cast<double>(plain.numbers.at(length, run.size));
    least.x.push_back(static_cast<double>(length));
    least.y.push_back(operations / run.roofline.roof(operations / bytes));
  }
  return least;
}

Figure measured_figure(const CostRun& run) {
  const std::size_t last = run.last();
  const auto time = [&](std::size_t row) { return second_text(run.seconds(row, last)); };
  const auto slope = [&run](std::size_t row) { return final_slope(run.seconds, row); };
  Chart chart = cost_chart(run, run.seconds, "seconds", {"秒", "Seconds"});
  chart.layers.emplace_back(least_of_plain_attention(run));
  return Figure{"time", text("{} トークン：固定フィルタ {}、アテンション {}、ストリーミング {}",
                             "{} tokens: filter {}, plain attention {}, streaming {}", run.lengths[last],
                             time(0), time(1), time(2))}
      .described(text(
          "系列長に対する計算時間の両対数の折れ線。最後の傾きは、固定フィルタが {:.2f}、アテンションが {:.2f}、ストリーミングが {:.2f}。",
          "Log-log chart of the time against the sequence length. The last slopes are {:.2f} for the fixed filter, {:.2f} for plain and {:.2f} for streaming attention.",
          slope(0), slope(1), slope(2)))
      .captioned(
          text("この機械での測定、3 回のうち最短。次元 {}。傾きは最後の 2 点から。",
               "Measured on this machine, best of three. Width {}. Slopes: between the last two points.",
               run.size.width))
      .panel(std::move(chart));
}

}  // namespace

std::vector<Figure> figures(const CostRun& run) {
  if (run.measured)
    return {measured_figure(run), layers_figure(run), heads_figure(run), roofline_figure(run)};
  return {counted_figure(run)};
}

}  // namespace attnlab
