// Attention pooling: the same tokens compared with themselves, in a learned space, and as queries and keys.
#include "experiments/pooling/pooling.hpp"

#include "experiments/by_hand/example.hpp"

namespace attnlab {
namespace {

using namespace worked;

// --- The computation

/// Of queries, keys and values; the stages are named scores_1, weights_1, output_1 for the suffix "1".
struct RecordedScheme {
  std::string suffix;
  std::string query;  // stages
  std::string key;
  std::string value;
  std::string scores;  // formulas
  std::string values;
};

Scheme attend(Tape& tape, const RecordedScheme& recorded) {
  const std::string weights = "softmax(" + recorded.scores + ")";
  Scheme scheme;
  scheme.value = tape.numbers_of(recorded.value);
  scheme.scores = tape.product_with_transpose("scores_" + recorded.suffix, recorded.scores, recorded.query,
                                              recorded.key, {"queries", "keys"});
  scheme.weights = tape.softmax("weights_" + recorded.suffix, weights, "scores_" + recorded.suffix);
  scheme.output = tape.product("output_" + recorded.suffix, weights + " " + recorded.values,
                               "weights_" + recorded.suffix, recorded.value, {"queries", "width"});
  scheme.score_asymmetry = most_one_sided(scheme.scores).difference;
  scheme.weight_asymmetry = most_one_sided(scheme.weights).difference;
  return scheme;
}

/// SM(Q Kᵀ) V of other tokens by this run's weight matrices.
Tensor<double> output_for(const PoolingRun& run, const Tensor<double>& x) {
  const Tensor<double> scores = matmul(matmul(x, run.w_query), attnlab::transpose(matmul(x, run.w_key)));
  return matmul(softmax(scores), matmul(x, run.w_value));
}

// --- The trace

/// asymmetry[0] = |S[0, 1] − S[1, 0]| = |1.2 − 0.7| = 0.5, at the largest difference
std::vector<Chain> asymmetry_lines(const PoolingRun& run) {
  const auto distance = [](const Piece& above, const Piece& below) {
    return together({"|", above, "−", below, "|"});
  };
  return lines(run.schemes().size(), [&](std::size_t i) {
    const Tensor<double>& scores = run.schemes().at(i)->scores;
    const OneSided most = most_one_sided(scores);
    return equation(entry("asymmetry", {i}),
                    {distance(entry("S", {most.first, most.second}), entry("S", {most.second, most.first})),
                     distance(scores(most.first, most.second), factor(scores(most.second, most.first))),
                     most.difference});
  });
}

// --- What must hold

constexpr double rounding = 1e-12;  // tol64 of the page, relative to the largest number of a stage

/// How far the rows of `output` reach beyond all rows of `value` in this direction (d, 1).
double reach(const Tensor<double>& output, const Tensor<double>& value, const Tensor<double>& direction) {
  return largest(matmul(output, direction)) - largest(matmul(value, direction));
}

/// The smallest weight below 0, or how far a row's sum is from 1.
double error_of_weights(const Tensor<double>& weights) {
  return std::max(row_sum_error(weights), -*std::min_element(weights.begin(), weights.end()));
}

/// |A (V + 2 X) - (A V + 2 A X)|: linear in the values while the weights stay as they are.
double error_of_linearity(const PoolingRun& run) {
  const Tensor<double> mixed = run.qkv.value + 2.0 * run.x;
  const Tensor<double> together = matmul(run.qkv.weights, mixed);
  const Tensor<double> gap = run.qkv.output + 2.0 * matmul(run.qkv.weights, run.x);
  return largest_difference(together, gap);
}

/// a_animal / a_street of "it" in one layer: log ratio in "tired" minus in "wide".
double change_of_ratio(const Reading& tired, const Reading& wide) {
  const auto log_ratio = [](const Reading& reading) {
    return std::log(weight_on(reading, "animal") / weight_on(reading, "street"));
  };
  return std::abs(log_ratio(tired) - log_ratio(wide));
}

}  // namespace

Text beginning_of(const PoolingRun& run) {
  return run.tape.any_read() ? run.tape.described() : text("乱数の種 {}", "seed {}", run.tape.seed());
}

PoolingRun PoolingRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::size_t tokens = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  PoolingRun run;
  run.labels = token_labels(arguments, tokens);
  run.labels_are_words = !arguments.text("labels").empty();

  const Axes token{"tokens", "width"};
  const Axes weight{"width_in", "width_out"};
  Tape& tape = run.tape = Tape(arguments);  // in this order: X, U, W_q, W_k, W_v
  run.x = tape.normal("x", {tokens, width}, token);
  tape.normal("u", {width, width}, weight);
  run.w_query = tape.normal("w_query", {width, width}, weight);
  run.w_key = tape.normal("w_key", {width, width}, weight);
  run.w_value = tape.normal("w_value", {width, width}, weight);

  run.first = attend(tape, {"1", "x", "x", "x", "X X^T", "X"});
  tape.product("projected", "X U", "x", "u", token);
  run.second = attend(tape, {"2", "projected", "projected", "projected", "X U U^T X^T", "X U"});
  tape.product("query", "X W_q", "x", "w_query", token);
  tape.product("key", "X W_k", "x", "w_key", token);
  tape.product("value", "X W_v", "x", "w_value", token);
  run.qkv = attend(tape, {"qkv", "query", "key", "value", "Q K^T", "V"});
  Tensor<double> asymmetry = Tensor<double>::from_shape({run.schemes().size()});
  for (std::size_t i = 0; i < asymmetry.size(); ++i) asymmetry(i) = run.schemes().at(i)->score_asymmetry;
  tape.step("asymmetry", formula::sym("max|S − Sᵀ|"), asymmetry, {"scheme"},
            derived::worked({"scores_1", "scores_2", "scores_qkv"}, asymmetry_lines(run),
                            "np.stack([abs(s - s.T).max() for s in (scores_1, scores_2, scores_qkv)])"));

  run.value_rank = static_cast<double>(rank_of(run.qkv.value));
  run.output_rank = static_cast<double>(rank_of(run.qkv.output));
  Tensor<double> half = run.w_value;
  xt::view(half, xt::range(std::max<std::size_t>(1, width / 2), width), xt::all()) = 0.0;
  const Tensor<double> value = matmul(run.x, half);
  run.half_excess =
      static_cast<double>(rank_of(matmul(run.qkv.weights, value))) - static_cast<double>(rank_of(value));
  run.nonlinearity = largest_difference(output_for(run, 2.0 * run.x), 2.0 * run.qkv.output);
  run.span = span_of_values(tape, run);
  run.sentences = read_sentences(tape);
  run.embedding = static_embedding(tape, run.sentences);
  return run;
}

std::vector<Scalar> scalars(const PoolingRun& run) {
  const SentenceReadings& read = run.sentences;
  return {
      {"weight_asymmetry_1", run.first.weight_asymmetry},
      {"weight_asymmetry_2", run.second.weight_asymmetry},
      {"weight_asymmetry_qkv", run.qkv.weight_asymmetry},
      {"rank_of_value", run.value_rank},
      {"rank_of_output", run.output_rank},
      {"nonlinearity", run.nonlinearity},
      {"bank_apart_word2vec", distance_in_word2vec(run)},
      {"bank_apart_attention", distance_in_attention(run)},
      {"outputs_inside_hull", static_cast<double>(outputs_inside(run))},
      {"rank_of_line_output", static_cast<double>(rank_of(run.span.line_output))},
      {"rank_of_line_projected", static_cast<double>(rank_of(run.span.line_projected))},
      {"rank_of_line_residual", static_cast<double>(rank_of(run.span.line_residual))},
      {"bank_on_river", weight_on(read.river, "river")},
      {"bank_on_cash", weight_on(read.money, "cash")},
      {"it_on_animal_tired", weight_on(read.tired_1, "animal")},
      {"it_on_street_tired", weight_on(read.tired_1, "street")},
      {"it_on_animal_wide", weight_on(read.wide_1, "animal")},
      {"it_on_street_wide", weight_on(read.wide_1, "street")},
      {"brush_on_painted", weight_on(read.head_0, "painted")},
      {"brush_on_woman", weight_on(read.head_1, "woman")},
      {"name_on_subject", weight_on(read.neko_0, "吾輩") + weight_on(read.neko_0, "猫")},
      {"name_on_none", weight_on(read.neko_1, "ない")},
  };
}

double reach_beyond_hull(const Tensor<double>& output, const Tensor<double>& value) {
  const std::size_t width = value.shape()[1];
  const Tensor<double> mean = xt::mean(value, {0});
  std::vector<Tensor<double>> directions;
  for (std::size_t d = 0; d < width; ++d)
    for (const double sign : {1.0, -1.0}) directions.emplace_back(sign * xt::view(xt::eye<double>(width), d));
  for (std::size_t i = 0; i < output.shape()[0]; ++i) directions.emplace_back(xt::view(output, i) - mean);
  double furthest = -infinity;
  for (Tensor<double>& direction : directions) {
    const double length = std::accumulate(direction.begin(), direction.end(), 0.0,
                                          [](double sum, double x) { return std::hypot(sum, x); });
    if (length == 0.0) continue;
    direction /= length;
    direction.reshape({width, 1});
    furthest = std::max(furthest, reach(output, value, direction));
  }
  return furthest;
}

std::vector<Invariant> invariants(const PoolingRun& run) {
  const auto scale = [](const Tensor<double>& values) { return std::max(1.0, largest_magnitude(values)); };
  double weights = 0.0;
  double beyond = -infinity;
  for (const Scheme* scheme : run.schemes()) {
    weights = std::max(weights, error_of_weights(scheme->weights));
    beyond = std::max(beyond, reach_beyond_hull(scheme->output, scheme->value) / scale(scheme->value));
  }
  const SentenceReadings& sentences = run.sentences;
  const std::vector<double> outside = distances_beyond_hull(run.span.output, run.qkv.value);
  const Tensor<double> direction = xt::view(run.w_value, 0, xt::all());
  const double off_line = furthest_from_line(run.span.line_output, direction);
  const Tensor<double> turned = matmul(run.span.w_line, run.span.w_mixing);
  const double off_turned = furthest_from_line(run.span.line_projected, xt::view(turned, 0, xt::all()));
  const auto tokens = static_cast<double>(run.x.shape()[0]);
  return {
      invariant("weights_sum_to_one", weights, rounding, "どの方式でも注意度は 0 以上で、各行の和は 1",
                "in every scheme weights are at least 0 and each row sums to 1"),
      invariant("scores_1_symmetric", run.first.score_asymmetry, rounding * scale(run.first.scores),
                "XXᵀ は対称", "X Xᵀ is symmetric"),
      invariant("scores_2_symmetric", run.second.score_asymmetry, rounding * scale(run.second.scores),
                "XUUᵀXᵀ は対称", "X U Uᵀ Xᵀ is symmetric"),
      invariant("output_inside_hull", std::max(0.0, beyond), rounding,
                "調べたどの方向にも、出力はバリューの凸包から出ない",
                "in no direction tried does an output leave the convex hull of the values"),
      invariant("probes_inside_hull", std::max(0.0, *std::max_element(outside.begin(), outside.end())),
                rounding * scale(run.qkv.value), "乱数のトークンの出力も、平面で見てバリューの凸包から出ない",
                "in the plane no output of a random token leaves the convex hull of the values"),
      invariant("line_stays_a_line", off_line, rounding * tokens * scale(run.span.line_value),
                "バリューの階数が 1 なら、出力は 1 本の線の上",
                "when the values have rank 1 all outputs lie on a line"),
      invariant("line_stays_a_line_after_w_output", off_turned,
                rounding * tokens * scale(run.span.line_value) * scale(run.span.w_mixing) *
                    static_cast<double>(run.span.w_mixing.shape()[0]),
                "W_O を掛けても、出力は 1 本の線の上", "after W_O they lie on a line still"),
      invariant("rank_of_output", std::max(0.0, run.output_rank - run.value_rank), 0.0,
                "出力の階数はバリューの階数以下", "the rank of the output is at most that of the values"),
      invariant("rank_of_output_half", std::max(0.0, run.half_excess), 0.0,
                "バリューの階数を半分にすると、出力の階数もそれ以下",
                "the same with values of half the rank"),
      invariant("one_vector_in_every_context", distance_in_word2vec(run), 0.0,  // a column is picked
                "Word2Vec の bank は、どちらの文でも同じ",
                "Word2Vec has one vector of bank in both sentences"),
      invariant("linear_in_values", error_of_linearity(run),
                rounding * (scale(run.qkv.value) + 2.0 * scale(run.x)),
                "注意度を固定すれば、出力はバリューについて線形",
                "with fixed weights the output is linear in the values"),
      invariant("one_vector_without_attention",
                largest_difference(sentences.river.query, sentences.money.query), 0.0,
                "注意がなければ bank のベクトルはどちらの文でも同じ",
                "without attention bank has the same vector in both sentences"),
      invariant("one_layer_keeps_the_ratio", change_of_ratio(sentences.tired_0, sentences.wide_0), rounding,
                "1 層では、it の animal と street への注意度の比は 2 つの文で同じ",
                "in one layer the ratio of it's weights on animal and street is the same in both sentences"),
  };
}

Experiment pooling_experiment() {
  return Experiment{
      "pooling",
      {"注意プーリング：案 1、案 2、QKV と、文脈で変わる単語ベクトル",
       "attention pooling in three schemes, and words moved by their context"},
      {"スライド 注意プーリング、案 1・案 2、性質", "slides: attention pooling, schemes 1 and 2, properties"},
      {{"tokens", IntegerKind{{2, 64}}, "5", {"トークンの個数 N", "number of tokens N"}},
       {"width", IntegerKind{{1, 64}}, "4", {"トークンの次元 D", "width D of the tokens"}},
       labels_parameter(),
       rng_parameter(),
       seed_parameter("0")},
      report_of<PoolingRun>}
      .with_inputs({{"x", {"tokens", "width"}},
                    {"u", {"width", "width"}},
                    {"w_query", {"width", "width"}},
                    {"w_key", {"width", "width"}},
                    {"w_value", {"width", "width"}},
                    {"probe", {"100", "width"}},
                    {"w_mixing", {"width", "width"}}})
      .with_example(words_by_hand(3))
      .with_sliders({{"seed=0:19"}});
}

}  // namespace attnlab
