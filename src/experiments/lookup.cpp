// Attention as a soft dictionary: a hard lookup returns one value, a soft one the mean of all, by nearness.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/formula.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/lookup/lookup.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

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
        "the query: Natsume, Mori, Nakajima, Matsuo, or an angle from -360 to 360 degrees"},
       "Mori"},
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

[[noreturn]] void refuse_angle(const std::string& text) {
  throw Error(ErrorKind::usage,
              {fmt::format("--query の角度 {} は -360 から 360 までにありません", text),
               fmt::format("--query {} is not between -360 and 360 degrees", text)},
              {"この範囲の角度を指定してください（例：--query 75）",
               "choose an angle in that range, such as --query 75"});
}

double angle_of(const std::string& text) {
  double degrees = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, degrees);
  const bool is_number = stop == end && !text.empty() && !std::isnan(degrees);
  if (is_number && error == std::errc{} && std::abs(degrees) <= 360.0) return degrees;
  if (is_number) refuse_angle(text);
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
std::vector<Chain> tempered_lines(const LookupRun& run) {
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    lines.push_back(worked::equation(
        worked::indexed("S", i),
        {worked::quotient(worked::numbers(&run.scores(0), entries), worked::number(run.temperature(i))),
         worked::numbers(&run.tempered(i, 0), entries)}));
  }
  return lines;
}

/// One line per key: 1 for the nearest, 0 for the others.
std::vector<Chain> hard_lines(const LookupRun& run) {
  const Written best = worked::number(*std::max_element(run.scores.begin(), run.scores.end()));
  std::vector<Chain> lines;
  for (std::size_t j = 0; j < entries; ++j) {
    const bool found = run.hard_weights(j) > 0.0;
    const Written score = worked::number(run.scores(j));
    Chain line = worked::equation(worked::indexed("s", j), {score});
    line.links.push_back({found ? relation(score.exact) : "<", row({sym("max"), sym("s")})});
    line.links.push_back({relation(best.exact), best.formula});
    line.links.push_back(
        {"→", row({worked::indexed("a", j), sym("="), worked::number(run.hard_weights(j)).formula})});
    lines.push_back(std::move(line));
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

Report run_lookup(const Arguments& arguments, const Context&) {
  const LookupRun run = compute(arguments);
  const std::size_t last = run.temperature.size() - 1;
  Report report;
  report.body = lookup_body(run);
  report.stages = stages(run);
  report.scalars = {{"found_index", static_cast<double>(run.found.front())},
                    {"coldest_weight", weight_of_found(run, 0)},
                    {"hottest_weight", weight_of_found(run, last)}};
  report.invariants = lookup_invariants(run);
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

Experiment lookup_experiment() {
  return {"lookup",
          {"辞書の検索とソフトな検索：温度で 1 件から平均まで",
           "hard and soft dictionary lookup, from one value to the mean"},
          {"スライド「クエリ・キー・バリュー」、記事 式 (6)", "slides, query, key and value; article eq. 6"},
          parameters(),
          run_lookup};
}

}  // namespace attnlab
