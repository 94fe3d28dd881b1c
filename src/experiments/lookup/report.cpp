// What `lookup` says: the dictionary, the weights by temperature, and the sentences for the lecture.
#include "experiments/lookup/lookup.hpp"

namespace attnlab {
namespace {

Table entries_table(const LookupRun& run) {
  Table table{{{"キー", "key"},
               {"バリュー", "value"},
               {"スコア q·k", "score q·k"},
               {"ハードな検索", "hard lookup"},
               text("ソフトな検索 T={:g}", "soft lookup T={:g}", run.temperature(run.plain))}};
  for (std::size_t j = 0; j < entries; ++j) {
    table.rows.push_back({key_name(j), value_name(j), fmt::format("{:.3f}", run.scores(j)),
                          fmt::format("{:.3g}", run.hard_weights(j)),
                          fmt::format("{:.4f}", run.weights(run.plain, j))});
  }
  return table;
}

Table temperatures_table(const LookupRun& run) {
  Table table{{{"T", "T"}}};
  for (std::size_t j = 0; j < entries; ++j) table.header.push_back(value_name(j));
  table.header.emplace_back("出力", "output");
  // no "-0.0000" from a sum that rounding left below 0
  const auto digits = [](double x) { return fmt::format("{:.4f}", std::abs(x) < 5e-5 ? 0.0 : x); };
  for (std::size_t i = 0; i <= run.last; ++i) {
    std::vector<ShortText> cells{fmt::format("{:g}", run.temperature(i))};
    for (std::size_t j = 0; j < entries; ++j) cells.emplace_back(fmt::format("{:.4f}", run.weights(i, j)));
    cells.emplace_back(fmt::format("({}, {})", digits(run.output(i, 0)), digits(run.output(i, 1))));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Paragraph what_is_requested(const LookupRun& run) {
  if (run.tape.any_read()) {
    return Paragraph::plain("クエリ：{}。{}。", "Query: {}. {}.", run.query_name, run.tape.described());
  }
  return Paragraph::plain("クエリ：{}。キーもバリューも長さ 1 で、0°、90°、180°、270° の向きです。",
                          "Query: {}. Keys and values have length 1 and point to 0°, 90°, 180° and 270°.",
                          run.query_name);
}

/// A weight of 1.00 at every temperature has mixed nothing, as far as two digits tell.
Paragraph to_say(const LookupRun& run) {
  const Text has = run.found.size() == 1 ? Text{"", "one has"} : Text{"", "ones have"};
  const Text requested =
      run.equals_key
          ? text("辞書は「{}」で引くと「{}」だけを返します。",
                 "Asked for {}, a dictionary returns {} and nothing else.", run.query_name, run.found_name)
          : text("クエリ（{}）と一致するキーは辞書にありません。最も近いキーの値は{}「{}」です。",
                 "No key of the dictionary equals the query {}; the nearest {} {}.", run.query_name, has,
                 run.found_name);
  const Text mixed = run.hot_weight >= 0.995
                         ? Text{"温度がこれほど低いと、アテンションも同じです。",
                                " At so low a temperature attention does the same:"}
                         : Text{"アテンションはすべてのバリューを近さに応じて混ぜます。",
                                " Attention mixes all values, more of those with nearer keys:"};
  return Paragraph::say(
      "{}{}「{}」の注意度は温度 {:g} で {:.2f}、温度 {:g} で {:.2f} です（均等なら 0.25）。",
      "{0}{1} {2} gets {4:.2f} at temperature {3:g} and {6:.2f} at {5:g}; uniform weights would be 0.25.",
      requested, mixed, value_name(run.found.front()), run.temperature(0), run.cold_weight,
      run.temperature(run.last), run.hot_weight);
}

}  // namespace

std::vector<Block> body(const LookupRun& run, const std::vector<Stage>& /*stages*/) {
  return {
      Paragraph::heading("辞書の検索とソフトな検索", "Hard and soft lookup"),
      Equation{formula::read("o = softmax(\\frac{q K^T}{T}) V")},
      what_is_requested(run),
      entries_table(run),
      Paragraph::plain("温度ごとの注意度と出力：", "Weights and output by temperature:"),
      temperatures_table(run),
      to_say(run),
      Paragraph::misunderstanding(
          "「アテンションは最も近いキーのバリューを 1 つ取り出す」のではありません。それは温度を 0 に近づけた極限で、softmax は T = 1 です。また、辞書と違ってキーに一致しないクエリ（キーとキーの間の向きなど）にも答えられます。",
          "Attention does not fetch the value of the nearest key: that is the limit of temperature 0, and softmax has T = 1. And unlike a dictionary it answers queries that equal no key, between two of them for example."),
  };
}

}  // namespace attnlab
