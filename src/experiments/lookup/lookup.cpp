#include "experiments/lookup/lookup.hpp"

#include "core/from_chars.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

using namespace worked;

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

// --- Reading ----------------------------------------------------------------------------------------------

/// Letters a to z count alike, large or small.
std::optional<std::size_t> entry_named(const std::string& query) {
  for (std::size_t i = 0; i < entries; ++i) {
    if (query == key_name(i).ja() || lower_case(query) == lower_case(key_name(i).en())) return i;
  }
  return std::nullopt;
}

double angle_of(const std::string& query) {
  double degrees = 0.0;
  const char* const end = query.data() + query.size();
  const auto [stop, error] = from_chars(query.data(), end, degrees);
  if (stop != end || query.empty() || std::isnan(degrees)) {
    refuse_usage(
        text("--query の値「{}」は辞書にない名前です", "--query {} is no name in the dictionary", query),
        {"夏目、森、中島、松尾のどれか、または角度を指定してください（例：--query 75）",
         "use Natsume, Mori, Nakajima or Matsuo, or an angle in degrees, such as --query 75"});
  }
  if (error == std::errc{} && std::abs(degrees) <= 360.0) return degrees;
  refuse_usage(text("--query の角度 {} は -360 から 360 までにありません",
                    "--query {} is not between -360 and 360 degrees", query),
               {"この範囲の角度を指定してください（例：--query 75）",
                "choose an angle in that range, such as --query 75"});
}

void require_rising(const std::vector<double>& temperatures) {
  for (std::size_t i = 1; i < temperatures.size(); ++i) {
    if (temperatures[i] > temperatures[i - 1]) continue;
    refuse_usage(text("--temperature で {:g} の次が {:g} です", "--temperature has {:g} after {:g}",
                      temperatures[i - 1], temperatures[i]),
                 {"小さい順に並べてください（例：--temperature 0.1,1,10）",
                  "give the temperatures in rising order, as in --temperature 0.1,1,10"});
  }
}

// --- The computation --------------------------------------------------------------------------------------

/// Scores this near to the largest count as equal: rounding alone tells them apart.
double tie_of(const LookupRun& run) { return 1e-12 * std::max(1.0, largest_magnitude(run.scores)); }

/// A name asks with that name's key; a query that was read is named by its coordinates.
void compare(const Arguments& arguments, LookupRun& run) {
  const bool is_read = find_named(arguments.sources.arrays, "query") != nullptr;
  if (is_read && arguments.is_set("query")) {
    refuse_usage({"--query と --input query は同時に指定できません",
                  "--query and --input query cannot be given together"},
                 {"どちらか一方にしてください", "give one of them"});
  }
  const std::string& typed = arguments.text("query");
  if (const std::optional<std::size_t> entry = entry_named(typed)) {
    run.query = {run.keys(*entry, 0), run.keys(*entry, 1)};
    run.query_name = key_name(*entry);
  } else {
    const double degrees = angle_of(typed);
    run.query = {std::cos(degrees * pi / 180.0), std::sin(degrees * pi / 180.0)};
    run.query_name = Text::same(fmt::format("{:g}°", degrees));
  }
  run.query = run.tape.input_or("query", run.query, {"coordinates"});
  if (is_read) run.query_name = Text::same(fmt::format("({:.3g}, {:.3g})", run.query(0), run.query(1)));
}

// --- The trace --------------------------------------------------------------------------------------------

/// (0, 1, 0, −1) / 0.05 = (0, 20, 0, −20)
Chain tempered_line(const LookupRun& run, std::size_t i) {
  return equation(indexed("S", i), {quotient(numbers(&run.scores(0), entries), run.temperature(i)),
                                    numbers(&run.tempered(i, 0), entries)});
}

/// One line per key: 1 for the nearest, 0 for the others.
Chain hard_line(const LookupRun& run, std::size_t j) {
  const Written best = number(largest(run.scores));
  const Written score = number(run.scores(j));
  Chain line = equation(indexed("s", j), {score});
  line.links.push_back({run.hard_weights(j) > 0.0 ? relation(score.exact) : "<", formula::read("max s")});
  line.links.push_back({relation(best.exact), best.formula});
  line.links.push_back(
      {"→", formula::row({indexed("a", j), formula::sym("="), number(run.hard_weights(j)).formula})});
  return line;
}

/// One-hot at the largest score; keys equally near, up to rounding, share alike.
void find(LookupRun& run) {
  run.found = largest_of_all(values_of(run.scores), tie_of(run));
  run.hard_weights = Tensor<double>({entries}, 0.0);
  for (const std::size_t j : run.found) run.hard_weights(j) = 1.0 / static_cast<double>(run.found.size());
  run.tape.step("hard_weights", "onehot(argmax q K^T)", run.hard_weights, {"keys"},
                derived::worked({"scores"}, lines(entries, [&](std::size_t j) { return hard_line(run, j); }),
                                fmt::format("one_hot_of_largest(scores, {})", python_repr(tie_of(run))))
                    .with_rows_of_one());
  run.tape.product("hard_output", "onehot(argmax q K^T) V", "hard_weights", "values", {"coordinates"});
  const std::size_t nearest = run.found.front();
  run.equals_key =
      std::hypot(run.query(0) - run.keys(nearest, 0), run.query(1) - run.keys(nearest, 1)) < 1e-12;
  run.found_name = value_name(nearest);
  for (std::size_t i = 1; i < run.found.size(); ++i) {
    run.found_name = text("{}」と「{}", "{} and {}", run.found_name, value_name(run.found[i]));
  }
}

std::size_t nearest_to_one(const std::vector<double>& temperatures) {
  const auto nearer = [](double a, double b) { return std::abs(std::log(a)) < std::abs(std::log(b)); };
  const auto nearest = std::min_element(temperatures.begin(), temperatures.end(), nearer);
  return static_cast<std::size_t>(std::distance(temperatures.begin(), nearest));
}

// --- What must hold ---------------------------------------------------------------------------------------

/// How far the score of the best key lies above that of the best that was not found; infinite if all were.
double gap_of(const LookupRun& run) {
  const double best = run.scores(run.found.front());
  double gap = infinity;
  for (std::size_t j = 0; j < entries; ++j) {
    if (run.hard_weights(j) == 0.0) gap = std::min(gap, best - run.scores(j));
  }
  return gap;
}

/// How far an output lies beyond all values in one of the four diagonal directions, those between the keys.
double beyond_values(const LookupRun& run, std::size_t i) {
  double furthest = -infinity;
  for (const double x : {1.0, -1.0}) {
    for (const double y : {1.0, -1.0}) {
      double most = -infinity;
      for (std::size_t j = 0; j < entries; ++j)
        most = std::max(most, x * run.values(j, 0) + y * run.values(j, 1));
      furthest = std::max(furthest, x * run.output(i, 0) + y * run.output(i, 1) - most);
    }
  }
  return furthest;
}

/// Towards the key before it.
Arguments turned_aside(Arguments arguments, std::size_t entry) {
  constexpr double quarter = 90.0;
  constexpr double aside = 20.0;
  arguments.set("query", fmt::format("{:g}", quarter * static_cast<double>(entry) - aside));
  return arguments;
}

}  // namespace

LookupRun LookupRun::compute(const Arguments& arguments, const Context& context) {
  const std::vector<double> temperatures = arguments.numbers("temperature");
  require_rising(temperatures);
  LookupRun run;
  const Tensor<double> circle{{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};  // exactly: no cosines
  Tape& tape = run.tape = Tape(arguments);
  run.keys = tape.input_or("keys", circle, {"keys", "coordinates"});
  run.values = tape.input_or("values", circle, {"keys", "coordinates"});
  compare(arguments, run);
  run.scores = tape.product_with_transpose("scores", "q K^T", "query", "keys", {"keys"});
  find(run);
  run.temperature = tape.input_or("temperature", to_tensor(temperatures), {"temperatures"});
  run.tempered =
      xt::view(run.scores, xt::newaxis(), xt::all()) / xt::view(run.temperature, xt::all(), xt::newaxis());
  tape.step("tempered_scores", "\\frac{q K^T}{T}", run.tempered, {"temperatures", "keys"},
            derived::worked({"scores", "temperature"},
                            lines(temperatures.size(), [&](std::size_t i) { return tempered_line(run, i); }),
                            "scores / temperature[:, np.newaxis]"));
  run.weights = tape.softmax("weights", "softmax(\\frac{q K^T}{T})", "tempered_scores");
  run.output = tape.product("output", "softmax(\\frac{q K^T}{T}) V", "weights", "values",
                            {"temperatures", "coordinates"});
  run.plain = nearest_to_one(temperatures);
  run.last = temperatures.size() - 1;
  run.cold_weight = run.weights(0, run.found.front());
  run.plain_weight = run.weights(run.plain, run.found.front());
  run.hot_weight = run.weights(run.last, run.found.front());
  const std::optional<std::size_t> entry = entry_named(arguments.text("query"));
  if (entry && !tape.any_read())
    run.beside = std::make_shared<const LookupRun>(compute(turned_aside(arguments, *entry), context));
  return run;
}

std::vector<Scalar> scalars(const LookupRun& run) {
  return {{"found_index", static_cast<double>(run.found.front())},
          {"coldest_weight", run.cold_weight},
          {"hottest_weight", run.hot_weight}};
}

std::vector<Invariant> invariants(const LookupRun& run) {
  const bool is_own = run.tape.any_read();  // else all scores lie in −1..1, all values on the unit circle
  const double size =
      is_own ? std::max({1.0, largest_magnitude(run.tempered), largest_magnitude(run.values)}) : 1.0;
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * size;  // some sums of such numbers
  // A score within 1e-12 of the largest counts as equal (see tie_of); T down to 1e-3 makes 1e-9 of it.
  const double ties = run.found.size() > 1 ? 1e-8 * size : rounding;
  const double range =
      is_own ? largest(run.scores) - *std::min_element(run.scores.begin(), run.scores.end()) : 2.0;
  const double gap = gap_of(run);
  double outside = 0.0;
  double not_hard = 0.0;
  double not_mean = 0.0;
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    for (std::size_t j = 0; j < entries; ++j) {
      const double weight = run.weights(i, j);
      // Where scores differ by up to 2, no weight differs from 1/4 by more than (exp(2/T) − 1) / 4.
      not_mean = std::max(not_mean, std::abs(weight - 0.25) - std::expm1(range / run.temperature(i)) / 4.0);
      // The three others together have at most 3 exp(−gap/T).
      not_hard = std::max(not_hard,
                          std::abs(weight - run.hard_weights(j)) - 3.0 * std::exp(-gap / run.temperature(i)));
    }
    outside = std::max(outside, beyond_values(run, i));
  }
  return {
      invariant("weights_sum_to_one", row_sum_error(run.weights), rounding, "各行の和は 1",
                "every row of the weights sums to 1"),
      invariant("output_within_hull", outside, rounding, "出力はバリューの凸包の中",
                "the output lies in the convex hull of the values"),
      invariant("cold_limit_is_one_hot", not_hard, ties, "注意度と one-hot の差は 3 exp(−差/T) 以下",
                "the weights differ from one-hot by at most 3 exp(−gap/T)"),
      invariant("hot_limit_is_mean", not_mean, rounding, "注意度と 1/4 の差は (exp({:g}/T) − 1)/4 以下",
                "the weights differ from 1/4 by at most (exp({:g}/T) − 1)/4", range),
      invariant("entropy_rises_with_temperature", disorder(run.temperature, entropy(run.weights)), rounding,
                "温度が上がるとエントロピーは減らない", "the entropy never falls as the temperature rises"),
  };
}

const Text& key_name(std::size_t entry) { return dictionary().at(entry).key; }

const Text& value_name(std::size_t entry) { return dictionary().at(entry).value; }

Experiment lookup_experiment() {
  return Experiment{
      "lookup",
      {"辞書の検索とソフトな検索：温度で 1 件から平均まで",
       "hard and soft dictionary lookup, from one value to the mean"},
      {"スライド「クエリ・キー・バリュー」、記事 式 (6)", "slides, query, key and value; article eq. 6"},
      {{"query",
        SyntaxKind{"NAME|DEGREES"},
        "森",
        {"クエリ：夏目、森、中島、松尾（Natsume などでも可）、または -360～360 の角度（度）",
         "the query: Natsume, Mori, Nakajima, Matsuo, or an angle from -360 to 360 degrees"},
        "Mori"},
       {"temperature",
        NumbersKind{{1, 12}, {1e-3, 1e6}},
        "0.05,0.2,0.5,1,2,5,100",
        {"温度（小さい順）", "the temperatures, rising"}}},
      report_of<LookupRun>}
      .with_inputs({{"keys", {"4", "2"}},
                    {"values", {"4", "2"}},
                    {"query", {"2"}},
                    {"temperature", {"temperatures?"}}})
      .with_sliders({{"query=-180:180:37"}});
}

}  // namespace attnlab
