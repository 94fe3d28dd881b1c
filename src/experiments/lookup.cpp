// Attention as a soft dictionary: a hard lookup returns one value, a soft one the mean of all, by nearness.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/formula.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/entropy.hpp"
#include "experiments/lookup_parts.hpp"
#include "experiments/report_body.hpp"
#include "experiments/tensor_array.hpp"
#include "experiments/tensor_measures.hpp"
#include "experiments/worked_lines.hpp"

namespace attnlab {
namespace {

struct Entry {
  Text key;
  Text value;
};

const std::array<Entry, entries>& dictionary() {
  static const std::array<Entry, entries> table{{{{"夏目", "Natsume"}, {"漱石", "Soseki"}},
                                                 {{"森", "Mori"}, {"鷗外", "Ogai"}},
                                                 {{"中島", "Nakajima"}, {"敦", "Atsushi"}},
                                                 {{"松尾", "Matsuo"}, {"芭蕉", "Basho"}}}};
  return table;
}

std::vector<Parameter> parameters() {
  return {
      {"query",
       SyntaxKind{"NAME|DEGREES"},
       "森",
       {"クエリ：夏目、森、中島、松尾（Natsume などでも可）、または -360～360 の角度（度）",
        "the query: Natsume, Mori, Nakajima, Matsuo, or an angle from -360 to 360 degrees"}},
      {"temperature",
       NumbersKind{{1, 12}, {1e-3, 1e6}},
       "0.05,0.2,0.5,1,2,5,100",
       {"温度（小さい順）", "the temperatures, rising"}},
  };
}

// --- Reading ----------------------------------------------------------------------------------------------

/// Letters a to z count alike, large or small.
std::string folded(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

std::optional<std::size_t> entry_named(const std::string& text) {
  for (std::size_t i = 0; i < entries; ++i) {
    if (text == key_name(i).ja() || folded(text) == folded(key_name(i).en())) return i;
  }
  return std::nullopt;
}

double angle_of(const std::string& text) {
  double degrees = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, degrees);
  if (error == std::errc{} && stop == end && std::abs(degrees) <= 360.0) return degrees;
  throw Error(ErrorKind::usage,
              {fmt::format("--query の値「{}」は辞書にない名前です", text),
               fmt::format("--query {} is no name in the dictionary", text)},
              {"夏目、森、中島、松尾のどれか、または角度を指定してください（例：--query 75）",
               "use Natsume, Mori, Nakajima or Matsuo, or an angle in degrees, such as --query 75"});
}

void require_rising(const std::vector<double>& temperatures) {
  for (std::size_t i = 1; i < temperatures.size(); ++i) {
    if (temperatures[i] > temperatures[i - 1]) continue;
    throw Error(ErrorKind::usage,
                {fmt::format("--temperature で {:g} の次が {:g} です", temperatures[i - 1], temperatures[i]),
                 fmt::format("--temperature has {:g} after {:g}", temperatures[i], temperatures[i - 1])},
                {"小さい順に並べてください（例：--temperature 0.1,1,10）",
                 "let the temperatures rise, as in --temperature 0.1,1,10"});
  }
}

// --- The computation --------------------------------------------------------------------------------------

/// Four unit vectors, exactly (1, 0), (0, 1), (−1, 0), (0, −1).
Tensor<double> directions() {
  return {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
}

void ask(const std::string& text, LookupRun& run) {
  run.query = Tensor<double>::from_shape({2});
  if (const std::optional<std::size_t> entry = entry_named(text)) {
    run.query(0) = run.keys(*entry, 0);
    run.query(1) = run.keys(*entry, 1);
    run.query_name = key_name(*entry);
    return;
  }
  const double degrees = angle_of(text);
  run.query(0) = std::cos(degrees * pi / 180.0);
  run.query(1) = std::sin(degrees * pi / 180.0);
  run.query_name = Text::same(fmt::format("{:g}°", degrees));
}

/// One-hot at the largest score; keys equally near, up to rounding, share alike.
void find(LookupRun& run) {
  const double best = *std::max_element(run.scores.begin(), run.scores.end());
  for (std::size_t j = 0; j < entries; ++j) {
    if (run.scores(j) > best - 1e-12) run.found.push_back(j);
  }
  run.hard_weights = Tensor<double>::from_shape({entries});
  run.hard_weights.fill(0.0);
  for (const std::size_t j : run.found) run.hard_weights(j) = 1.0 / static_cast<double>(run.found.size());
}

/// weights (n, 4) or (4) times the values (4, 2).
Tensor<double> mixed(const Tensor<double>& weights, const Tensor<double>& values) {
  if (weights.dimension() == 2) return matmul(weights, values);
  Tensor<double> row = weights;
  row.reshape({1, entries});
  Tensor<double> output = matmul(row, values);
  output.reshape({2});
  return output;
}

LookupRun compute(const Arguments& arguments) {
  const std::vector<double> temperatures = arguments.numbers("temperature");
  require_rising(temperatures);
  LookupRun run{directions(), directions(), {}, {}, {}, {}, {}, {}, {}, {}, {}, Text::same("")};
  ask(arguments.text("query"), run);
  run.scores = Tensor<double>::from_shape({entries});
  for (std::size_t j = 0; j < entries; ++j) {
    run.scores(j) = run.query(0) * run.keys(j, 0) + run.query(1) * run.keys(j, 1);
  }
  run.temperature = Tensor<double>::from_shape({temperatures.size()});
  run.tempered = Tensor<double>::from_shape({temperatures.size(), entries});
  for (std::size_t i = 0; i < temperatures.size(); ++i) {
    run.temperature(i) = temperatures[i];
    for (std::size_t j = 0; j < entries; ++j) run.tempered(i, j) = run.scores(j) / temperatures[i];
  }
  run.weights = softmax(run.tempered);
  run.output = mixed(run.weights, run.values);
  find(run);
  run.hard_output = mixed(run.hard_weights, run.values);
  return run;
}

// --- The trace --------------------------------------------------------------------------------------------

using formula::row;
using formula::sym;

/// (0, 1, 0, −1) / 0.05 = (0, 20, 0, −20)
std::vector<Formula> tempered_lines(const LookupRun& run) {
  std::vector<Formula> lines;
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    lines.push_back(worked::equation(
        {worked::indexed("S", i),
         formula::fraction(worked::numbers(&run.scores(0), entries), worked::number(run.temperature(i))),
         worked::numbers(&run.tempered(i, 0), entries)}));
  }
  return lines;
}

/// One line per key: 1 for the nearest, 0 for the others.
std::vector<Formula> hard_lines(const LookupRun& run) {
  const double best = *std::max_element(run.scores.begin(), run.scores.end());
  std::vector<Formula> lines;
  for (std::size_t j = 0; j < entries; ++j) {
    const bool found = run.hard_weights(j) > 0.0;
    lines.push_back(
        row({worked::indexed("a", j), sym("="), worked::number(run.hard_weights(j)), sym(":"),
             worked::indexed("s", j), sym("="), worked::number(run.scores(j)), sym(found ? "=" : "<"),
             sym("max"), worked::indexed("s", run.found.front()), sym("="), worked::number(best)}));
  }
  return lines;
}

std::vector<Stage> stages(const LookupRun& run) {
  const std::vector<std::string> point{"keys", "coordinates"};
  const std::vector<std::string> rows{"temperatures", "keys"};
  const Formula scores = row({sym("q"), formula::sup(sym("K"), sym("T"))});
  const Formula tempered = formula::fraction(scores, sym("T"));
  const Formula weights = formula::call("softmax", tempered);
  return {
      {"keys", row({}), to_array(run.keys, point)},
      {"values", row({}), to_array(run.values, point)},
      {"query", row({}), to_array(run.query, {"coordinates"})},
      {"scores", scores, to_array(run.scores, {"keys"}), derived::product_with_transpose("query", "keys")},
      {"hard_weights", formula::call("onehot", row({sym("argmax"), scores})),
       to_array(run.hard_weights, {"keys"}), derived::worked({"scores"}, hard_lines(run))},
      {"hard_output", row({formula::call("onehot", row({sym("argmax"), scores})), sym("V")}),
       to_array(run.hard_output, {"coordinates"}), derived::product("hard_weights", "values")},
      {"temperature", row({}), to_array(run.temperature, {"temperatures"})},
      {"tempered_scores", tempered, to_array(run.tempered, rows),
       derived::worked({"scores", "temperature"}, tempered_lines(run))},
      {"weights", weights, to_array(run.weights, rows), derived::softmax("tempered_scores")},
      {"output", row({weights, sym("V")}), to_array(run.output, {"temperatures", "coordinates"}),
       derived::product("weights", "values")},
  };
}

// --- What must hold ---------------------------------------------------------------------------------------

/// How far the score of the best key lies above that of the best that was not found; infinite if all were.
double gap_of(const LookupRun& run) {
  const double best = run.scores(run.found.front());
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < entries; ++j) {
    if (run.hard_weights(j) == 0.0) gap = std::min(gap, best - run.scores(j));
  }
  return gap;
}

std::vector<Invariant> invariants(const LookupRun& run) {
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon();  // some sums of numbers up to 1
  // A score within 1e-12 of the largest counts as equal (see find); T down to 1e-3 makes 1e-9 of it.
  const double ties = run.found.size() > 1 ? 1e-8 : rounding;
  const Tensor<double> spread = entropy(run.weights);
  const double gap = gap_of(run);
  double outside = 0.0;
  double not_hard = 0.0;
  double not_mean = 0.0;
  double sharpened = 0.0;
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    for (std::size_t j = 0; j < entries; ++j) {
      const double weight = run.weights(i, j);
      // All scores lie in −1..1: no weight differs from 1/4 by more than (exp(2/T) − 1) / 4.
      not_mean = std::max(not_mean, std::abs(weight - 0.25) - std::expm1(2.0 / run.temperature(i)) / 4.0);
      // The three others together have at most 3 exp(−gap/T).
      not_hard = std::max(not_hard,
                          std::abs(weight - run.hard_weights(j)) - 3.0 * std::exp(-gap / run.temperature(i)));
    }
    outside = std::max(outside, std::abs(run.output(i, 0)) + std::abs(run.output(i, 1)) - 1.0);
    if (i > 0) sharpened = std::max(sharpened, spread(i - 1) - spread(i));
  }
  return {
      {"weights_sum_to_one",
       {"各行の和は 1", "every row of the weights sums to 1"},
       row_sum_error(run.weights),
       rounding},
      {"output_within_hull",
       {"出力はバリューの凸包の中", "the output lies in the convex hull of the values"},
       std::max(0.0, outside),
       rounding},
      {"cold_limit_is_one_hot",
       {"注意度と one-hot の差は 3 exp(−差/T) 以下",
        "the weights differ from one-hot by at most 3 exp(−gap/T)"},
       std::max(0.0, not_hard),
       ties},
      {"hot_limit_is_mean",
       {"注意度と 1/4 の差は (exp(2/T) − 1)/4 以下",
        "the weights differ from 1/4 by at most (exp(2/T) − 1)/4"},
       std::max(0.0, not_mean),
       rounding},
      {"entropy_rises_with_temperature",
       {"温度が上がるとエントロピーは減らない", "the entropy never falls as the temperature rises"},
       std::max(0.0, sharpened),
       rounding},
  };
}

// --- The words --------------------------------------------------------------------------------------------

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

std::vector<Block> body(const LookupRun& run) {
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

Report run_lookup(const Arguments& arguments, const Context&) {
  const LookupRun run = compute(arguments);
  const std::size_t last = run.temperature.size() - 1;
  Report report;
  report.body = body(run);
  report.stages = stages(run);
  report.scalars = {{"found_index", static_cast<double>(run.found.front())},
                    {"coldest_weight", weight_of_found(run, 0)},
                    {"hottest_weight", weight_of_found(run, last)}};
  report.invariants = invariants(run);
  report.figures = {lookup_figure(run), dictionary_figure(run)};
  return report;
}

}  // namespace

const Text& key_name(std::size_t entry) {
  return dictionary().at(entry).key;
}

const Text& value_name(std::size_t entry) {
  return dictionary().at(entry).value;
}

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

Experiment lookup_experiment() {
  return {"lookup",
          {"辞書の検索とソフトな検索：温度で 1 件から平均まで",
           "hard and soft dictionary lookup, from one value to the mean"},
          {"スライド「クエリ・キー・バリュー」、記事 式 (6)", "slides, query, key and value; article eq. 6"},
          parameters(),
          run_lookup};
}

}  // namespace attnlab
