// The words of `cost`: the formulas, the numbers at the longest sequence, and how they grow.
#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

struct Unit {
  double size;
  const char* name;
};

/// The number in the largest unit that leaves at least 1; the last unit where none does.
std::string in_units(double value, const std::vector<Unit>& units) {
  for (const Unit& unit : units) {
    if (value >= unit.size) return fmt::format("{:.3g} {}", value / unit.size, unit.name);
  }
  return fmt::format("{:.3g} {}", value / units.back().size, units.back().name);
}

Table formulas() {
  Table table{{{"方法", "method"}, {"演算の回数", "operations"}, {"数の個数", "numbers held"}}};
  for (const CostMethod& method : cost_methods()) {
    table.rows.push_back({method.name, method.operations.written, method.numbers.written});
  }
  return table;
}

Table costs_at_the_end(const CostRun& run) {
  const std::size_t last = run.last();
  Table table{{text("n = {}", "n = {}", run.lengths[last]),
               {"演算の回数", "operations"},
               {"傾き", "slope"},
               {"メモリ", "memory"},
               {"傾き", "slope"}}};
  for (std::size_t row = 0; row < cost_methods().size(); ++row) {
    table.rows.push_back({cost_methods()[row].name, fmt::format("{:.3g}", run.operations(row, last)),
                          fmt::format("{:.3f}", final_slope(run.operations, row)),
                          byte_text(run.bytes(row, last)),
                          fmt::format("{:.3f}", final_slope(run.bytes, row))});
  }
  return table;
}

Table times(const CostRun& run) {
  Table table{{{"n", "n"}}};
  for (const CostMethod& method : cost_methods()) table.header.push_back(method.name);
  for (std::size_t column = 0; column < run.lengths.size(); ++column) {
    std::vector<ShortText> cells{std::to_string(run.lengths[column])};
    for (std::size_t row = 0; row < cost_methods().size(); ++row) {
      cells.emplace_back(second_text(run.seconds(row, column)));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table roofline_table(const Roofline& roofline) {
  Table table{{{"プログラム", "program"},
               {"演算 / バイト", "operations per byte"},
               {"演算 / 秒", "operations per second"},
               {"限界に対する割合", "of the limit"},
               {"限界を決めるもの", "limited by"}}};
  for (const RooflinePoint& point : roofline.points) {
    table.rows.push_back(
        {point.name, fmt::format("{:.3g}", point.intensity), fmt::format("{:.3g}", point.rate),
         fmt::format("{:.2f}", point.rate / roofline.roof(point.intensity)),
         point.intensity < roofline.ridge() ? Text{"メモリ", "memory"} : Text{"計算", "arithmetic"}});
  }
  return table;
}

std::vector<Block> counted_body(const CostRun& run) {
  const std::size_t last = run.last();
  return {
      Paragraph::heading("系列長と計算量", "Cost against sequence length"),
      formulas(),
      costs_at_the_end(run),
      Paragraph::say(
          "系列が 2 倍になると、固定フィルタの演算は {:.2f} 倍、アテンションの演算は {:.2f} 倍です。{} トークンでは注意度の行列を残すと {}、ブロックごとに計算すれば {} で済みます。",
          "When the sequence doubles, the filter's work grows {:.2f} times, attention's {:.2f} times. At {} tokens keeping the weight matrix takes {}, streaming takes {}.",
          growth(run.operations, 0), growth(run.operations, 1), run.lengths[last],
          byte_text(run.bytes(1, last)), byte_text(run.bytes(2, last))),
      Paragraph::misunderstanding(
          "ストリーミングが減らすのはメモリで、計算ではありません。演算は通常の {:.2f} 倍で、やはり n² で増えます。出力は同じで、近似ではありません。",
          "Streaming saves memory, not work: it takes {:.2f} times the operations of plain attention and still grows as n². It is not an approximation: the output is the same.",
          run.operations(2, last) / run.operations(1, last)),
      Paragraph::note(
          "四則、比較、exp を 1 回ずつ数えます。n は系列長、d = {} は次元、w = {} は重みの個数で r = (w − 1) / 2、b = {} は一度に処理するキーの個数で m = ⌈n / b⌉。数は 8 バイト（float64）。アテンションは射影を含まず、n × n のスコアを配列に持ちます。傾きは最後の 2 点の両対数の傾きです。",
          "Counted: each +, −, ×, ÷, comparison and exp. n tokens of width d = {}; w = {} filter weights, r = (w − 1) / 2; b = {} keys at a time, m = ⌈n / b⌉. Numbers take 8 bytes (float64). Attention without its projections; plain keeps the n × n scores. Slopes: log-log, between the last two lengths.",
          run.size.width, run.size.taps, run.size.block),
  };
}

std::vector<Block> measured_body(const CostRun& run) {
  const std::size_t last = run.last();
  return {
      Paragraph::heading("系列長と計算時間（この機械での測定）",
                         "Time against sequence length, measured here"),
      times(run),
      Paragraph::say(
          "系列を {} から {} に延ばすと、時間は固定フィルタで {:.1f} 倍、アテンションで {:.1f} 倍、ストリーミングで {:.1f} 倍になりました。{} トークンでのストリーミングの時間は、通常のアテンションの {:.2f} 倍です。",
          "From {} to {} tokens the filter took {:.1f} times as long, plain attention {:.1f} times, streaming attention {:.1f} times. At {} tokens streaming took {:.2f} times as long as plain attention.",
          run.lengths[last - 1], run.lengths[last], growth(run.seconds, 0), growth(run.seconds, 1),
          growth(run.seconds, 2), run.lengths[last], run.seconds(2, last) / run.seconds(1, last)),
      Paragraph::misunderstanding(
          "O(n²) は「いつも 2 倍の長さで 4 倍の時間」という意味ではありません。短い系列では呼び出しの手間、長い系列ではキャッシュに収まるかどうかで、傾きは 2 からずれます。",
          "O(n²) does not mean four times the time at every doubling: for short sequences call overhead and for long ones the caches move the slope away from 2."),
      Paragraph::note(
          "どれも 1 スレッドで、3 回測った最短の時間です。機械と負荷によって変わります。ストリーミングの演算が少ないわけではありません。一度に計算するスコアがキャッシュに収まり、exp をベクトル命令でまとめて計算する実装です。ブロックの大きさは実装が決め、--block は数えるときだけ使います。",
          "Best of three runs on one thread; other machines and loads give other times. Streaming does not compute less: this implementation keeps the scores it works on in the cache and computes several exponentials at once. It chooses its own blocks; --block is for counting."),
      Paragraph::heading("この機械の限界（ルーフライン）", "This machine's limits: the roofline"),
      roofline_table(run.roofline),
      Paragraph::note(
          "限界は 1 スレッドの行列積（毎秒 {:.3g} 演算）とメモリのコピー（毎秒 {:.3g} バイト）です。配列がキャッシュに収まれば、メモリの限界を超えることがあり、1 つの形のための実装が行列積より少し速いこともあります。クエリ 1 個（言語モデルが 1 語ごとにする計算）は、キーとバリューをメモリから 1 度ずつ読み込むだけなので、演算の密度が小さくなります。",
          "Limits: one thread's matrix product ({:.3g} operations/s) and copying of memory ({:.3g} bytes/s). Arrays that fit into the cache may exceed the memory limit, and code written for one shape may be slightly faster than the product. One query, the work of a language model for each new word, loads every key and value once: its intensity is low.",
          run.roofline.peak, run.roofline.copy),
  };
}

}  // namespace

std::string byte_text(double bytes) {
  return in_units(bytes, {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1.0, "B"}});
}

std::string second_text(double seconds) {
  return in_units(seconds, {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}});
}

std::vector<Block> body(const CostRun& run, const std::vector<Stage>& /*stages*/) {
  return run.measured ? measured_body(run) : counted_body(run);
}

}  // namespace attnlab
