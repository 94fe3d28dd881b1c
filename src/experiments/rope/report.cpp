// The words of `rope`.
#include "core/named.hpp"
#include "experiments/rope/rope.hpp"

namespace attnlab {
namespace {

/// The first pair, the last, and what the ways make of them.
Table ways_table(const RopeRun& run) {
  Table table{{{"方法", "way"},
               {"最も速い組", "fastest pair"},
               {"最も遅い組", "slowest pair"},
               {"注意係数", "attention factor"},
               {"出典", "source"}}};
  for (std::size_t way = 0; way < run.ways.size(); ++way) {
    const RotaryMethod* method = rotary_method(run.ways[way].method);
    table.rows.push_back({method->title, fmt::format("{:.6g}", run.scaled(way, 0)),
                          fmt::format("{:.6g}", run.scaled(way, run.pairs() - 1)),
                          fmt::format("{:.4g}", run.attention(way)), method->source});
  }
  return table;
}

}  // namespace

std::vector<Block> body(const RopeRun& run, const std::vector<Stage>& /*stages*/) {
  const std::size_t last = run.pairs() - 1;
  return {
      Paragraph::heading("位置に応じて回す", "Turning by position"),
      Equation{formula::read("θ_i = base^{−2i / d}")},
      Equation{formula::read("R(m) q · R(n) k")},
      Paragraph::plain(
          "組 i は 1 つ進むごとに θ_i だけ回ります。d = {}、底 {:.10g} では {} 組あり、波長は {:.4g} から {:.6g} です。",
          "Pair i turns by θ_i from one position to the next. With d = {} and base {:.10g} there are {} pairs, of wavelengths from {:.4g} to {:.6g}.",
          run.width, run.base, run.pairs(), run.wavelengths(0), run.wavelengths(last)),
      Paragraph::plain(
          "スコアは m − n だけで決まります（同じ m − n での差は、クエリとキーの長さの積に対して {}）。距離 {} では {:.4g} です。回さなければ（NoPE）どの距離でも {:.4g} で、順序は因果マスクからしか伝わりません。",
          "The score depends on m − n alone (largest difference for one m − n, by the lengths of query and key: {}); at distance {} it is {:.4g}. Without turning (NoPE) it is {:.4g} at any distance, and only a causal mask tells of order.",
          difference_text(run.deviation), run.distance, run.by_distance(run.distance), run.unturned),
      Paragraph::heading("2 つの組み方", "Two pairings"),
      Paragraph::plain(
          "GPT-NeoX と Hugging Face の Llama は座標 i と i + d/2 を、RoFormer と Meta の Llama は 2i と 2i + 1 を組にします。同じ重みで取り違えると、距離 0 のスコアは変わりませんが、ほかでは最大 {:.4g} ずれます。W_Q と W_K の列を並べ替えれば一致します。",
          "GPT-NeoX and Hugging Face's Llama pair coordinates i and i + d/2; RoFormer and Meta's Llama pair 2i and 2i + 1. The same weights with the wrong pairing give the same score at distance 0, elsewhere one that is off by up to {:.4g}. With the columns of W_Q and W_K reordered they agree.",
          largest_difference(run.by_distance, run.confused)),
      Paragraph::heading("学習より長い文脈", "Longer than trained"),
      Paragraph::plain(
          "学習した長さ {:.10g} のうちに 1 周しない組が {} 組あります。その先の角度は、学習中に一度も現れていません。",
          "Pairs that never finish a turn within the trained length {:.10g}: {}. Beyond it they meet angles that training never showed.",
          run.length, run.unfinished()),
      Paragraph::plain("文脈を {:.10g} 倍にするときの、1 つ進むごとの角度：",
                       "For a context {:.10g} times as long, radians from one position to the next:",
                       run.ways.front().factor),
      ways_table(run),
      Paragraph::plain(
          "YaRN はさらにクエリとキーを 0.1 ln s + 1 = {:.4g} 倍します。`model` と `attend` は config.json の rope_scaling をこの同じ表で計算します（動的 NTK と LongRoPE も）。",
          "YaRN also multiplies queries and keys by 0.1 ln s + 1 = {:.4g}. `model` and `attend` compute a config.json's rope_scaling from this same table (dynamic NTK and LongRoPE as well).",
          run.attention.back()),
      Paragraph::say(
          "クエリもキーも自分の位置の分だけ回るので、内積に残るのは差の分の回転だけです。",
          "Query and key each turn by their own position; in their product only the turn of the difference is left."),
      Paragraph::misunderstanding(
          "RoPE だけで、学習より長い文脈が使えるようになるわけではありません。遅い組は、学習で見ていない角度になります。",
          "RoPE alone does not carry a model beyond the length it was trained on: slow pairs come to angles that it has never seen."),
      Paragraph::note(
          "足す位置エンコーディングとの関係は `attnlab positional`、その図 rotary も同じ回転です。",
          "For the encoding that is added see `attnlab positional`, whose figure rotary shows the same rotation."),
  };
}

}  // namespace attnlab
