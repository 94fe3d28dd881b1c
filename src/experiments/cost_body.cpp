// The words of `cost`: the formulas, the numbers at the longest sequence, and how they grow.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "experiments/cost/cost.hpp"
#include "experiments/report_body.hpp"

namespace attnlab {
namespace {

struct Unit {
  double size;
  const char* name;
};

/// The number in the largest unit that leaves at least 1; the last unit where none does.
template <std::size_t count>
std::string in_units(double value, const std::array<Unit, count>& units) {
  for (const Unit& unit : units) {
    if (value >= unit.size) return fmt::format("{:.3g} {}", value / unit.size, unit.name);
  }
  return fmt::format("{:.3g} {}", value / units.back().size, units.back().name);
}

std::size_t last_column(const CostRun& run) {
  return run.lengths.size() - 1;
}

Table formulas(const CostRun& run) {
  Table table{{{"方法", "method"}, {"演算の回数", "operations"}, {"数の個数", "numbers held"}}, {}};
  for (const CostMethod& method : run.methods) {
    table.rows.push_back({method.name, method.operations_formula, method.numbers_formula});
  }
  return table;
}

Table costs_at_the_end(const CostRun& run) {
  const std::size_t last = last_column(run);
  Table table{{{fmt::format("n = {}", run.lengths[last]), fmt::format("n = {}", run.lengths[last])},
               {"演算の回数", "operations"},
               {"傾き", "slope"},
               {"メモリ", "memory"},
               {"傾き", "slope"}},
              {}};
  for (std::size_t row = 0; row < run.methods.size(); ++row) {
    table.rows.push_back({run.methods[row].name, fmt::format("{:.3g}", run.operations(row, last)),
                          fmt::format("{:.3f}", final_slope(run, run.operations, row)),
                          byte_text(run.bytes(row, last)),
                          fmt::format("{:.3f}", final_slope(run, run.bytes, row))});
  }
  return table;
}

Paragraph counted_to_say(const CostRun& run) {
  const std::size_t last = last_column(run);
  const double longer = static_cast<double>(run.lengths[last]) / static_cast<double>(run.lengths[last - 1]);
  const auto growth = [&](const Tensor<double>& values, std::size_t row) {
    return values(row, last) / values(row, last - 1);
  };
  const std::string text_bytes = byte_text(run.bytes(1, last));
  const std::string text_streaming = byte_text(run.bytes(2, last));
  return {
      Role::say,
      {fmt::format(
           "系列が {:.0f} 倍になると、固定フィルタの演算は {:.2f} 倍、アテンションの演算は {:.2f} 倍です。"
           "{} トークンでは重みの行列を持つと {}、少しずつ読めば {} で済みます。",
           longer, growth(run.operations, 0), growth(run.operations, 1), run.lengths[last], text_bytes,
           text_streaming),
       fmt::format("Make the sequence {:.0f} times as long: the filter works {:.2f} times as much, attention "
                   "{:.2f} times. At {} tokens keeping the matrix of weights takes {}, streaming takes {}.",
                   longer, growth(run.operations, 0), growth(run.operations, 1), run.lengths[last],
                   text_bytes, text_streaming)}};
}

Paragraph counted_misunderstanding(const CostRun& run) {
  const std::size_t last = last_column(run);
  const double share = run.operations(2, last) / run.operations(1, last);
  return {
      Role::misunderstanding,
      {fmt::format(
           "ストリーミングが減らすのはメモリで、計算ではありません。演算は通常の {:.2f} 倍で、やはり n² "
           "で増えます。出力は同じで、近似ではありません。",
           share),
       fmt::format("Streaming saves memory, not work: it takes {:.2f} times plain attention's operations, "
                   "still growing as n². Nor is it an approximation: the output is the same.",
                   share)}};
}

Paragraph counting_rules(const CostRun& run) {
  return {
      Role::note,
      {fmt::format("四則、比較、exp を 1 回ずつ数えます。n は系列長、d = {} は次元、w = {} は重みの個数で "
                   "r = (w − 1) / 2、b = {} は一度に読むキーの個数で m = ⌈n / b⌉。数は 8 バイト（float64）。"
                   "アテンションは射影を含まず、n × n のスコアを配列に持ちます。傾きは最後の 2 "
                   "点の両対数の傾きです。",
                   run.size.width, run.size.taps, run.size.block),
       fmt::format("Counted: each +, −, ×, ÷, comparison and exp. n tokens of width d = {}; w = {} filter "
                   "weights, r = (w − 1) / 2; b = {} keys at a time, m = ⌈n / b⌉. Numbers take 8 bytes "
                   "(float64). Attention without its projections; plain keeps the n × n scores. Slopes: "
                   "log-log, between the last two lengths.",
                   run.size.width, run.size.taps, run.size.block)}};
}

// --- Measured

Table times(const CostRun& run) {
  Table table{{{"n", "n"}}, {}};
  for (const CostMethod& method : run.methods) table.header.push_back(method.name);
  for (std::size_t column = 0; column < run.lengths.size(); ++column) {
    std::vector<ShortText> cells{std::to_string(run.lengths[column])};
    for (std::size_t row = 0; row < run.methods.size(); ++row) {
      cells.emplace_back(second_text(run.seconds(row, column)));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Paragraph measured_to_say(const CostRun& run) {
  const std::size_t last = last_column(run);
  const auto growth = [&](std::size_t row) { return run.seconds(row, last) / run.seconds(row, last - 1); };
  const double share = run.seconds(2, last) / run.seconds(1, last);
  return {
      Role::say,
      {fmt::format("系列を {} から {} に延ばすと、時間は固定フィルタで {:.1f} 倍、アテンションで {:.1f} 倍、"
                   "ストリーミングで {:.1f} 倍になりました。{} トークンでのストリーミングの時間は、通常の"
                   "アテンションの {:.2f} 倍です。",
                   run.lengths[last - 1], run.lengths[last], growth(0), growth(1), growth(2),
                   run.lengths[last], share),
       fmt::format("From {} to {} tokens the filter took {:.1f} times as long, plain attention {:.1f} times, "
                   "streaming attention {:.1f} times. At {} tokens streaming took {:.2f} times as long as "
                   "plain attention.",
                   run.lengths[last - 1], run.lengths[last], growth(0), growth(1), growth(2),
                   run.lengths[last], share)}};
}

Paragraph measured_misunderstanding() {
  return {Role::misunderstanding,
          {"O(n²) は「いつも 2 倍の長さで 4 倍の時間」という意味ではありません。短い系列では呼び出しの手間、"
           "長い系列ではキャッシュに収まるかどうかで、傾きは 2 からずれます。",
           "O(n²) does not mean four times the time at every doubling: for short sequences the overhead of "
           "calls, for long ones the caches move the slope away from 2."}};
}

Paragraph measuring_rules() {
  return {Role::note,
          {"どれも 1 スレッドで、3 回測った最短の時間です。機械と負荷によって変わります。"
           "ストリーミングの演算が少ないわけではありません。一度に計算するスコアがキャッシュに収まり、exp を"
           "ベクトル命令でまとめて計算する実装です。ブロックの大きさは実装が決め、--block は数えるときだけ"
           "使います。",
           "Best of three, on one thread each; other machines and loads give other times. Streaming does not "
           "compute less: this implementation keeps the scores it works on in the cache and computes several "
           "exponentials at once. It chooses its own blocks; --block is for counting."}};
}

}  // namespace

std::string byte_text(double bytes) {
  constexpr std::array<Unit, 5> units{{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1.0, "B"}}};
  return in_units(bytes, units);
}

std::string second_text(double seconds) {
  constexpr std::array<Unit, 4> units{{{1.0, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  return in_units(seconds, units);
}

std::vector<Block> counted_body(const CostRun& run) {
  std::vector<Block> blocks;
  add_heading(blocks, "系列長と計算量", "Cost against sequence length");
  blocks.emplace_back(formulas(run));
  blocks.emplace_back(costs_at_the_end(run));
  blocks.emplace_back(counted_to_say(run));
  blocks.emplace_back(counted_misunderstanding(run));
  blocks.emplace_back(counting_rules(run));
  return blocks;
}

std::vector<Block> measured_body(const CostRun& run) {
  std::vector<Block> blocks;
  add_heading(blocks, "系列長と計算時間（この機械での測定）", "Time against sequence length, measured here");
  blocks.emplace_back(times(run));
  blocks.emplace_back(measured_to_say(run));
  blocks.emplace_back(measured_misunderstanding());
  blocks.emplace_back(measuring_rules());
  return blocks;
}

}  // namespace attnlab
