// What `lookup` says: the dictionary, the weights by temperature, and the sentences for the lecture.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/lookup/lookup.hpp"
#include "experiments/report_body.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sym;

Table entries_table(const LookupRun& run) {
  Table table{{{"キー", "key"},
               {"バリュー", "value"},
               {"スコア q·k", "score q·k"},
               {"ハードな検索", "hard lookup"},
               {fmt::format("ソフトな検索 T={:g}", run.temperature(plain_softmax(run))),
                fmt::format("soft lookup T={:g}", run.temperature(plain_softmax(run)))}},
              {}};
  for (std::size_t j = 0; j < entries; ++j) {
    table.rows.push_back({key_name(j), value_name(j), fmt::format("{:.3f}", run.scores(j)),
                          fmt::format("{:.3g}", run.hard_weights(j)),
                          fmt::format("{:.4f}", run.weights(plain_softmax(run), j))});
  }
  return table;
}

Table temperatures_table(const LookupRun& run) {
  Table table{{{"T", "T"}}, {}};
  for (std::size_t j = 0; j < entries; ++j) table.header.push_back(value_name(j));
  table.header.emplace_back("出力", "output");
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    std::vector<ShortText> cells{fmt::format("{:g}", run.temperature(i))};
    for (std::size_t j = 0; j < entries; ++j) cells.emplace_back(fmt::format("{:.4f}", run.weights(i, j)));
    // no "-0.0000" from a sum that rounding left below 0
    const auto digits = [](double x) { return fmt::format("{:.4f}", std::abs(x) < 5e-5 ? 0.0 : x); };
    cells.emplace_back(fmt::format("({}, {})", digits(run.output(i, 0)), digits(run.output(i, 1))));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Paragraph to_say(const LookupRun& run) {
  const std::size_t last = run.temperature.size() - 1;
  const Text found = found_values(run);
  const Text one = value_name(run.found.front());
  const std::string cold = fmt::format("{:.2f}", weight_of_found(run, 0));
  const std::string hot = fmt::format("{:.2f}", weight_of_found(run, last));
  return {
      Role::say,
      {fmt::format("辞書は「{}」で引くと「{}」だけを返します。アテンションはすべてのバリューを近さに応じて"
                   "混ぜます。「{}」の注意度は温度 {:g} で {}、温度 {:g} で {} です（均等なら 0.25）。",
                   run.query_name.ja(), found.ja(), one.ja(), run.temperature(0), cold, run.temperature(last),
                   hot),
       fmt::format("Asked for {}, a dictionary returns {} and nothing else. Attention mixes all values, "
                   "the nearer the key the more: {} gets {} at temperature {:g} and {} at {:g}; an equal "
                   "share is 0.25.",
                   run.query_name.en(), found.en(), one.en(), cold, run.temperature(0), hot,
                   run.temperature(last))}};
}

Paragraph misunderstanding() {
  return {
      Role::misunderstanding,
      {"「アテンションは最も近いキーのバリューを 1 つ取り出す」のではありません。それは温度を 0 に近づけた"
       "極限で、softmax は T = 1 です。また、辞書と違ってキーに一致しないクエリ（例：--query 75）にも答え"
       "られます。",
       "Attention does not fetch the value of the nearest key: that is the limit of temperature 0, "
       "and softmax has T = 1. And unlike a dictionary it answers queries that equal no key (try --query "
       "75)."}};
}

}  // namespace

Text found_values(const LookupRun& run) {
  const Text& first = value_name(run.found.front());
  if (run.found.size() == 1) return first;
  const Text& second = value_name(run.found.back());
  return {first.ja() + "」と「" + second.ja(), first.en() + " and " + second.en()};
}

double weight_of_found(const LookupRun& run, std::size_t index) {
  return run.weights(index, run.found.front());
}

std::size_t plain_softmax(const LookupRun& run) {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < run.temperature.size(); ++i) {
    if (std::abs(std::log(run.temperature(i))) < std::abs(std::log(run.temperature(nearest)))) nearest = i;
  }
  return nearest;
}

std::vector<Block> lookup_body(const LookupRun& run) {
  std::vector<Block> blocks;
  add_heading(blocks, "辞書の検索とソフトな検索", "Looking up, hard and soft");
  blocks.emplace_back(Equation{
      row({sym("o"), sym("="),
           formula::call("softmax",
                         formula::fraction(row({sym("q"), formula::sup(sym("K"), sym("T"))}), sym("T"))),
           sym("V")})});
  add_text(blocks,
           fmt::format("クエリ：{}。キーもバリューも長さ 1 で、0°、90°、180°、270° の向きです。",
                       run.query_name.ja()),
           fmt::format("Query: {}. Keys and values have length 1 and point to 0°, 90°, 180° and 270°.",
                       run.query_name.en()));
  blocks.emplace_back(entries_table(run));
  add_text(blocks, "温度ごとの注意度と出力：", "Weights and output by temperature:");
  blocks.emplace_back(temperatures_table(run));
  blocks.emplace_back(to_say(run));
  blocks.emplace_back(misunderstanding());
  return blocks;
}

}  // namespace attnlab
