// Attention pooling: the same tokens compared with themselves, in a learned space, and as queries and keys.
#include "experiments/pooling/pooling.hpp"
#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

std::vector<Parameter> parameters() {
  return {
      {"tokens", IntegerKind{{2, 64}}, "5", {"トークンの個数 N", "how many tokens N"}},
      {"width", IntegerKind{{1, 64}}, "4", {"トークンの次元 D", "width D of the tokens"}},
      labels_parameter(),
      rng_parameter(),
      seed_parameter("0"),
  };
}

// --- The computation

Scheme attend(Tensor<double> query, Tensor<double> key, Tensor<double> value) {
  Scheme scheme;
  scheme.query = std::move(query);
  scheme.key = std::move(key);
  scheme.value = std::move(value);
  scheme.scores = matmul(scheme.query, transpose(scheme.key));
  scheme.weights = softmax(scheme.scores);
  scheme.output = matmul(scheme.weights, scheme.value);
  scheme.score_asymmetry = most_one_sided(scheme.scores).difference;
  scheme.weight_asymmetry = most_one_sided(scheme.weights).difference;
  return scheme;
}

PoolingRun compute(const Arguments& arguments) {
  const std::size_t tokens = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  PoolingRun run;
  run.labels = token_labels(arguments, tokens);
  run.labels_are_words = !arguments.text("labels").empty();
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));

  RandomStream random = random_stream(arguments);  // in this order: X, U, W_q, W_k, W_v
  run.x = random.randn({tokens, width});
  run.u = random.randn({width, width});
  run.w_query = random.randn({width, width});
  run.w_key = random.randn({width, width});
  run.w_value = random.randn({width, width});

  run.first = attend(run.x, run.x, run.x);
  const Tensor<double> projected = matmul(run.x, run.u);
  run.second = attend(projected, projected, projected);
  run.qkv = attend_with_weights_of(run, run.x);
  run.sentences = read_sentences();
  return run;
}

// --- The trace

/// Scores, weights and output of one scheme; the operands name its queries, keys and values.
std::vector<Stage> scheme_stages(const std::string& suffix, const Scheme& scheme,
                                 const std::array<std::string, 3>& operands, const std::string& scores,
                                 const std::string& value) {
  const auto& [query, key, values] = operands;
  const std::vector<std::string> pair{"queries", "keys"};
  return {
      step("scores_" + suffix, scores, scheme.scores, pair, derived::product_with_transpose(query, key)),
      step("weights_" + suffix, "softmax(" + scores + ")", scheme.weights, pair,
           derived::softmax("scores_" + suffix)),
      step("output_" + suffix, "softmax(" + scores + ") " + value, scheme.output, {"queries", "width"},
           derived::product("weights_" + suffix, values)),
  };
}

/// asymmetry[0] = |S[0, 1] − S[1, 0]| = |1.2 − 0.7| = 0.5, at the largest difference
std::vector<Chain> asymmetry_lines(const PoolingRun& run) {
  const auto distance = [](const Written& above, const Written& below) {
    return worked::together({worked::exactly("|"), above, worked::exactly("−"), below, worked::exactly("|")});
  };
  return worked::lines(run.schemes().size(), [&](std::size_t i) {
    const Tensor<double>& scores = run.schemes().at(i)->scores;
    const OneSided most = most_one_sided(scores);
    return worked::equation(worked::entry("asymmetry", {i}),
                            {distance(worked::exactly(worked::entry("S", {most.first, most.second})),
                                      worked::exactly(worked::entry("S", {most.second, most.first}))),
                             distance(worked::number(scores(most.first, most.second)),
                                      worked::factor(scores(most.second, most.first))),
                             worked::number(most.difference)});
  });
}

std::vector<Stage> reading_stages(const Reading& reading) {
  const auto named = [&reading](const char* stage) { return reading.name + stage; };
  return {
      input(named("_tokens"), reading.tokens, {"words", "width"}),
      input(named("_projection"), reading.projection, {"width", "head_width"}),
      step(named("_keys"), "X W", reading.keys, {"words", "head_width"},
           derived::product(named("_tokens"), named("_projection"))),
      input(named("_query"), reading.query, {"queries", "head_width"}),
      step(named("_scores"), "q K^T", reading.scores, {"queries", "words"},
           derived::product_with_transpose(named("_query"), named("_keys"))),
      step(named("_weights"), "softmax(q K^T)", reading.weights, {"queries", "words"},
           derived::softmax(named("_scores"))),
      step(named("_output"), "a X", reading.output, {"queries", "width"},
           derived::product(named("_weights"), named("_tokens"))),
  };
}

std::vector<Stage> trace(const PoolingRun& run) {
  const std::vector<std::string> token{"tokens", "width"};
  const std::vector<std::string> weight{"width_in", "width_out"};
  std::vector<Stage> stages{
      input("x", run.x, token),
      input("u", run.u, weight),
      input("w_query", run.w_query, weight),
      input("w_key", run.w_key, weight),
      input("w_value", run.w_value, weight),
  };
  const auto project = [&](const char* name, const char* formula, const Tensor<double>& values,
                           const char* weights) {
    stages.push_back(step(name, formula, values, token, derived::product("x", weights)));
  };
  append(stages, scheme_stages("1", run.first, {"x", "x", "x"}, "X X^T", "X"));
  project("projected", "X U", run.second.query, "u");
  append(stages,
         scheme_stages("2", run.second, {"projected", "projected", "projected"}, "X U U^T X^T", "X U"));
  project("query", "X W_q", run.qkv.query, "w_query");
  project("key", "X W_k", run.qkv.key, "w_key");
  project("value", "X W_v", run.qkv.value, "w_value");
  append(stages, scheme_stages("qkv", run.qkv, {"query", "key", "value"}, "Q K^T", "V"));
  Array asymmetry{{3}, {"scheme"}, {}};
  for (const Scheme* scheme : run.schemes()) asymmetry.data.push_back(scheme->score_asymmetry);
  stages.push_back({"asymmetry", formula::sym("max|S − Sᵀ|"), std::move(asymmetry),
                    derived::worked({"scores_1", "scores_2", "scores_qkv"}, asymmetry_lines(run))});
  const SentenceReadings& words = run.sentences;
  for (const Reading* reading : {&words.river, &words.money, &words.tired, &words.wide, &words.tired_2,
                                 &words.wide_2, &words.head_1, &words.head_2}) {
    append(stages, reading_stages(*reading));
  }
  return stages;
}

std::vector<Scalar> scalars(const PoolingRun& run) {
  const SentenceReadings& read = run.sentences;
  return {
      {"weight_asymmetry_1", run.first.weight_asymmetry},
      {"weight_asymmetry_2", run.second.weight_asymmetry},
      {"weight_asymmetry_qkv", run.qkv.weight_asymmetry},
      {"rank_of_value", static_cast<double>(rank_of(run.qkv.value))},
      {"rank_of_output", static_cast<double>(rank_of(run.qkv.output))},
      {"nonlinearity", nonlinearity(run)},
      {"bank_on_river", weight_on(read.river, "river")},
      {"bank_on_cash", weight_on(read.money, "cash")},
      {"it_on_animal_tired", weight_on(read.tired_2, "animal")},
      {"it_on_street_tired", weight_on(read.tired_2, "street")},
      {"it_on_animal_wide", weight_on(read.wide_2, "animal")},
      {"it_on_street_wide", weight_on(read.wide_2, "street")},
      {"brush_on_painted", weight_on(read.head_1, "painted")},
      {"brush_on_woman", weight_on(read.head_2, "woman")},
  };
}

Report run_pooling(const Arguments& arguments, const Context&) {
  const PoolingRun run = compute(arguments);
  Report report;
  report.stages = trace(run);
  report.body = pooling_body(run);
  report.scalars = scalars(run);
  report.invariants = pooling_invariants(run);
  report.figures = pooling_figures(run);
  return report;
}

}  // namespace

Scheme attend_with_weights_of(const PoolingRun& run, const Tensor<double>& x) {
  return attend(matmul(x, run.w_query), matmul(x, run.w_key), matmul(x, run.w_value));
}

double nonlinearity(const PoolingRun& run) {
  const Tensor<double> twice = 2.0 * run.x;
  const Tensor<double> expected = 2.0 * run.qkv.output;
  return largest_difference(attend_with_weights_of(run, twice).output, expected);
}

Experiment pooling_experiment() {
  return {
      "pooling",
      {"注意プーリング：案 1、案 2、QKV と、文脈で変わる単語ベクトル",
       "attention pooling in three schemes, and words moved by their context"},
      {"スライド 注意プーリング、案 1・案 2、性質", "slides: attention pooling, schemes 1 and 2, properties"},
      parameters(),
      run_pooling};
}

}  // namespace attnlab
