// Unit vectors around the circle as keys and values, and what queries at chosen angles make of them.
#include "experiments/vectors/vectors.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr double longest = 1000.0;

/// (cos, sin) of an angle in degrees, exact at multiples of 45 as the book writes its queries: (1/√2, 1/√2),
/// (1, 0), (0, 1).
std::pair<double, double> unit_vector(double degrees) {
  const double eighths = degrees / 45.0;
  if (eighths != std::floor(eighths)) {
    const double radians = degrees * pi / 180.0;
    return {std::cos(radians), std::sin(radians)};
  }
  const double half = 1.0 / std::sqrt(2.0);
  const std::array<double, 8> cosines{1.0, half, 0.0, -half, -1.0, -half, 0.0, half};
  const auto turn = static_cast<std::size_t>(eighths - 8.0 * std::floor(eighths / 8.0));
  return {cosines.at(turn), cosines.at((turn + 6) % 8)};
}

/// Code 2.2.3: n vectors of length 1, at 360°/n from each other, (n, 2).
Tensor<double> vectors_around_circle(std::size_t count) {
  const double theta = 2.0 * pi / static_cast<double>(count);
  Tensor<double> vectors = Tensor<double>::from_shape({count, 2});
  for (std::size_t i = 0; i < count; ++i) {
    vectors(i, 0) = std::cos(theta * static_cast<double>(i));
    vectors(i, 1) = std::sin(theta * static_cast<double>(i));
  }
  return vectors;
}

/// Of the user's own vectors: among vectors of one length the nearer weighs more.
void require_unit_length(const Tensor<double>& vectors) {
  for (std::size_t i = 0; i < vectors.shape().front(); ++i) {
    const double length = std::hypot(vectors(i, 0), vectors(i, 1));
    if (std::abs(length - 1.0) <= longest_error_of_own) continue;
    refuse_usage(text("--input vectors の v{} の長さは {:g} です", "--input vectors: v{} has length {:g}",
                      i + 1, length),
                 {"長さを 1 にしてください。長さの違いは --long で見られます",
                  "give vectors of length 1; --long makes one of them longer"});
  }
}

Tensor<double> queries_at(const std::vector<double>& degrees) {
  Tensor<double> queries = Tensor<double>::from_shape({degrees.size(), 2});
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    std::tie(queries(i, 0), queries(i, 1)) = unit_vector(degrees[i]);
  }
  return queries;
}

// --- The long vector -------------------------------------------------------------------------------------

struct LongVector {
  std::size_t index;  // from 0
  double length;
};

/// "v4:5" and "4:5" count from 1: the vector with index 3, five times as long. Nothing for "none".
std::optional<LongVector> parse_long(const std::string& typed, std::size_t count) {
  if (typed == "none") return std::nullopt;
  const std::vector<std::string> parts = split(typed.substr(typed.rfind('v', 0) == 0 ? 1 : 0), ":");
  const auto number = number_from<std::size_t>(parts.front()).value_or(0);
  const auto length = number_from<double>(parts.back()).value_or(-1.0);
  if (parts.size() == 2 && number >= 1 && number <= count && length >= 0.0 && length <= longest)
    return LongVector{number - 1, length};
  refuse_usage(text("--long の値「{}」を解釈できません", "--long {} is no vector and length", typed),
               text("none、または v1～v{} と長さ 0～{:g} を v4:5 の形で指定してください",
                    "use none, or v1 to v{} and a length from 0 to {:g}, such as v4:5", count, longest));
}

/// The default v4 does not exist among two or three vectors: then none is long.
std::optional<LongVector> long_vector(const Arguments& arguments, std::size_t count) {
  if (!arguments.is_set("long") && count < 4) return std::nullopt;
  return parse_long(arguments.text("long"), count);
}

Tensor<double> with_length(const Tensor<double>& vectors, const LongVector& one) {
  Tensor<double> result = vectors;
  xt::view(result, one.index) *= one.length;
  return result;
}

/// The next vector whose score with the first query has the opposite sign.
std::optional<WeightChange> opposite_change(const VectorsRun& run, double length, std::size_t long_index) {
  const AttentionStages<double>& before = run.requested.attention;
  const std::size_t count = run.vectors.shape().front();
  for (std::size_t step = 1; step < count; ++step) {
    const std::size_t index = (long_index + step) % count;
    if (before.raw_scores(0, index) * before.raw_scores(0, long_index) >= 0.0) continue;
    const Tensor<double> vectors = with_length(run.vectors, {index, length});
    const AttentionStages<double> after =
        scaled_dot_product_attention(run.requested.queries, vectors, vectors, {run.scale, {}});
    return WeightChange{index, before.weights(0, index), after.weights(0, index)};
  }
  return std::nullopt;
}

// --- On the tape -----------------------------------------------------------------------------------------

using namespace worked;

/// v₃ = 5 · (−0.309017, 0.951057) = (−1.54508, 4.75528); the others stay as they are.
std::vector<Chain> lengthened_lines(const VectorsRun& run, const LongVector& one,
                                    const Tensor<double>& vectors) {
  return lines(run.vectors.shape().front(), [&](std::size_t i) {
    const double length = i == one.index ? one.length : 1.0;
    return equation(indexed("v", i),
                    {together({length, "·", numbers(&run.vectors(i, 0), 2)}), numbers(&vectors(i, 0), 2)});
  });
}

std::string lengthened_code(std::size_t count, const LongVector& one) {
  return fmt::format("np.where(np.arange({})[:, np.newaxis] == {}, {} * vectors, vectors)", count, one.index,
                     python_repr(one.length));
}

/// 45.0, 0.0, 90.0
std::string numbers_code(const std::vector<double>& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const double number : numbers) words.push_back(python_repr(number));
  return joined(words, ", ");
}

/// The queries on the tape attend to the vectors under this name; `prefix` tells the lengthened ones.
AttentionStages<double> attend(VectorsRun& run, const std::string& prefix) {
  RecordedAttention recorded;
  recorded.scores = scores_formula(run, formula::sym("Q"));
  recorded.weights = formula::call("softmax", recorded.scores.formula);
  recorded.output = formula::row({recorded.weights.formula, formula::sym("V")});
  recorded.prefix = prefix;
  return run.tape.attention("queries", prefix + "vectors", prefix + "vectors", run.scale, recorded);
}

Lengthened lengthen(VectorsRun& run, const LongVector& one) {
  const Tensor<double> vectors = with_length(run.vectors, one);
  run.tape.step("long_vectors", together({one.length, "·", "v"}).formula, vectors, {"vectors", "coordinates"},
                derived::worked({"vectors"}, lengthened_lines(run, one, vectors),
                                lengthened_code(vectors.shape().front(), one)));
  AttentionStages<double> after = attend(run, "long_");
  const WeightChange change{one.index, run.requested.attention.weights(0, one.index),
                            after.weights(0, one.index)};
  return {one.length, vectors, std::move(after), change, opposite_change(run, one.length, one.index)};
}

// --- The run ---------------------------------------------------------------------------------------------

std::vector<double> query_degrees(const Arguments& arguments) {
  if (!arguments.is_set("queries")) return {arguments.number("query-angle")};
  if (arguments.is_set("query-angle")) {
    refuse_usage({"--query-angle と --queries は同時に指定できません",
                  "--query-angle and --queries exclude each other"},
                 {"1 つのクエリなら --query-angle 45、複数なら --queries 45,0,90 としてください",
                  "give --query-angle 45 for one query or --queries 45,0,90 for several"});
  }
  return arguments.numbers("queries");
}

}  // namespace

VectorsRun VectorsRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::size_t count = arguments.count("count");
  const std::optional<LongVector> one = long_vector(arguments, count);
  const std::vector<double> degrees = query_degrees(arguments);
  VectorsRun run;
  run.tape = Tape(arguments);
  run.vectors = run.tape.input_or("vectors", vectors_around_circle(count), {"vectors", "coordinates"},
                                  fmt::format("unit_vectors(np.arange({0}.0) * 360 / {0})", count));
  require_unit_length(run.vectors);
  run.scale = parse_scale(arguments.text("scale"));
  run.requested.degrees = degrees;
  run.requested.queries =
      run.tape.step("queries", Formula{}, queries_at(degrees), {"queries", "coordinates"},
                    derived::input(fmt::format("unit_vectors(np.array([{}]))", numbers_code(degrees))));
  run.requested.attention = attend(run, "");
  run.several = run.requested;
  if (!arguments.is_set("queries")) {
    run.several.degrees = {degrees.front(), 0.0, 90.0};
    run.several.queries = queries_at(run.several.degrees);
    run.several.attention =
        scaled_dot_product_attention(run.several.queries, run.vectors, run.vectors, {run.scale, {}});
  }
  if (one) run.lengthened = lengthen(run, *one);
  return run;
}

std::vector<Scalar> scalars(const VectorsRun& run) {
  const Tensor<double>& weights = run.requested.attention.weights;
  const Tensor<double>& output = run.requested.attention.output;
  const std::size_t largest = largest_key(weights, 0);
  std::vector<Scalar> result{{"weights_sum", row_sum(weights, 0)},
                             {"largest_weight", weights(0, largest)},
                             {"largest_index", static_cast<double>(largest)},
                             {"output_length", std::hypot(output(0, 0), output(0, 1))}};
  if (run.lengthened) {
    result.push_back({"long_weight_before", run.lengthened->change.before});
    result.push_back({"long_weight_after", run.lengthened->change.after});
  }
  return result;
}

double degrees_of(const VectorsRun& run, std::size_t index) {
  if (run.tape.any_read()) {
    const double degrees = std::atan2(run.vectors(index, 1), run.vectors(index, 0)) * 180.0 / pi;
    return degrees < 0.0 ? degrees + 360.0 : degrees;
  }
  return 360.0 * static_cast<double>(index) / static_cast<double>(run.vectors.shape().front());
}

std::vector<std::size_t> largest_keys(const Tensor<double>& weights, std::size_t query) {
  const std::vector<double> row = values_of(weights, query);
  return largest_of_all(row, 1e-12 * *std::max_element(row.begin(), row.end()));
}

std::size_t largest_key(const Tensor<double>& weights, std::size_t query) {
  return largest_keys(weights, query).front();
}

double row_sum(const Tensor<double>& weights, std::size_t query) {
  const std::vector<double> row = values_of(weights, query);
  return std::accumulate(row.begin(), row.end(), 0.0);
}

double scale_factor(const VectorsRun& run) {
  return run.scale.value_or(1.0 / std::sqrt(2.0));  // d = 2
}

Formula scores_formula(const VectorsRun& run, const Formula& query) {
  using namespace formula;
  Formula product = row({query, read("K^T")});
  if (!run.scale) return fraction(product, root(sym("d")));
  if (*run.scale == 1.0) return product;
  return row({sym(fmt::format("{:g}", *run.scale)), product});
}

Experiment vectors_experiment() {
  return Experiment{
      "vectors",
      {"円周上のベクトルへの内積アテンション：近いキーほど注意度が大きい",
       "dot-product attention to vectors on a circle: the closer the key, the larger its weight"},
      {"教科書 図 2.2.1, 2.2.2, 2.2.7～2.2.12、コード 2.2.2～2.2.4",
       "textbook fig. 2.2.1, 2.2.2, 2.2.7 to 2.2.12, code 2.2.2 to 2.2.4"},
      {parameter("count", IntegerKind{{2, 1000}}, "10", "ベクトルの個数", "number of vectors"),
       parameter("query-angle", NumberKind{{-360.0, 360.0}}, "45", "クエリの角度（度）",
                 "angle of the query in degrees"),
       parameter("queries", NumbersKind{{1, 100}, {-360.0, 360.0}}, "",
                 "複数のクエリの角度（度）。--query-angle とは同時に使えません",
                 "angles of several queries in degrees, instead of --query-angle"),
       parameter("long", SyntaxKind{"v4:5|4:5|none"}, "v4:5",
                 "長くするベクトル（v1, v2, … の名前）とその長さ",
                 "the vector that is longer (by its name v1, v2, …), and its length"),
       scale_parameter("none")},
      report_of<VectorsRun>}
      .with_inputs({{"vectors", {"count", "2"}}})
      .with_sliders({{"query-angle=5:355:36"}});
}

}  // namespace attnlab
