// Attention pooling: the same tokens compared with themselves, in a learned space, and as queries and keys.
#include <array>
#include <utility>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/pooling/pooling.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
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

using formula::call;
using formula::row;
using formula::sub;
using formula::sym;

Formula with_transpose(const char* left, const char* right) {
  return row({sym(left), formula::sup(sym(right), sym("T"))});
}

/// Scores, weights and output of one scheme; `query`, `key` and `value` name its operands.
void add_scheme(std::vector<Stage>& stages, const std::string& suffix, const Scheme& scheme,
                const std::array<std::string, 3>& operands, const Formula& scores, const Formula& value) {
  const auto& [query, key, values] = operands;
  stages.push_back({"scores_" + suffix, scores, to_array(scheme.scores, {"queries", "keys"}),
                    derived::product_with_transpose(query, key)});
  stages.push_back({"weights_" + suffix, call("softmax", scores),
                    to_array(scheme.weights, {"queries", "keys"}), derived::softmax("scores_" + suffix)});
  stages.push_back({"output_" + suffix, row({call("softmax", scores), value}),
                    to_array(scheme.output, {"queries", "width"}),
                    derived::product("weights_" + suffix, values)});
}

Stage asymmetry(const PoolingRun& run) {
  const Tensor<double> found{run.first.score_asymmetry, run.second.score_asymmetry, run.qkv.score_asymmetry};
  std::vector<Chain> lines;
  std::size_t index = 0;
  for (const Scheme* scheme : {&run.first, &run.second, &run.qkv}) {
    const OneSided most = most_one_sided(scheme->scores);
    const Formula above = worked::entry("S", {most.first, most.second});
    const Formula below = worked::entry("S", {most.second, most.first});
    const Written difference = worked::together(
        {worked::exactly("|"), worked::number(scheme->scores(most.first, most.second)), worked::exactly("−"),
         worked::factor(scheme->scores(most.second, most.first)), worked::exactly("|")});
    lines.push_back(worked::equation(worked::entry("asymmetry", {index}),
                                     {worked::exactly(row({sym("|"), above, sym("−"), below, sym("|")})),
                                      difference, worked::number(most.difference)}));
    ++index;
  }
  return {"asymmetry", sym("max|S − Sᵀ|"), to_array(found, {"scheme"}),
          derived::worked({"scores_1", "scores_2", "scores_qkv"}, std::move(lines))};
}

void add_reading(std::vector<Stage>& stages, const Reading& reading) {
  const std::string& name = reading.name;
  const std::string query = name + "_query";
  stages.push_back({name + "_tokens", row({}), to_array(reading.tokens, {"words", "width"})});
  stages.push_back({name + "_projection", row({}), to_array(reading.projection, {"width", "head_width"})});
  stages.push_back({name + "_keys", row({sym("X"), sym("W")}),
                    to_array(reading.keys, {"words", "head_width"}),
                    derived::product(name + "_tokens", name + "_projection")});
  stages.push_back({query, row({}), to_array(reading.query, {"queries", "head_width"})});
  stages.push_back({name + "_scores", with_transpose("q", "K"),
                    to_array(reading.scores, {"queries", "words"}),
                    derived::product_with_transpose(query, name + "_keys")});
  stages.push_back({name + "_weights", call("softmax", with_transpose("q", "K")),
                    to_array(reading.weights, {"queries", "words"}), derived::softmax(name + "_scores")});
  stages.push_back({name + "_output", row({sym("a"), sym("X")}),
                    to_array(reading.output, {"queries", "width"}),
                    derived::product(name + "_weights", name + "_tokens")});
}

std::vector<Stage> trace(const PoolingRun& run) {
  const std::vector<std::string> token{"tokens", "width"};
  const std::vector<std::string> weight{"width_in", "width_out"};
  std::vector<Stage> stages{
      {"x", row({}), to_array(run.x, token)},
      {"u", row({}), to_array(run.u, weight)},
      {"w_query", row({}), to_array(run.w_query, weight)},
      {"w_key", row({}), to_array(run.w_key, weight)},
      {"w_value", row({}), to_array(run.w_value, weight)},
  };
  add_scheme(stages, "1", run.first, {"x", "x", "x"}, with_transpose("X", "X"), sym("X"));
  stages.push_back({"projected", row({sym("X"), sym("U")}), to_array(run.second.query, token),
                    derived::product("x", "u")});
  const Formula second =
      row({sym("X"), sym("U"), formula::sup(sym("U"), sym("T")), formula::sup(sym("X"), sym("T"))});
  add_scheme(stages, "2", run.second, {"projected", "projected", "projected"}, second,
             row({sym("X"), sym("U")}));
  stages.push_back({"query", row({sym("X"), sub(sym("W"), sym("q"))}), to_array(run.qkv.query, token),
                    derived::product("x", "w_query")});
  stages.push_back({"key", row({sym("X"), sub(sym("W"), sym("k"))}), to_array(run.qkv.key, token),
                    derived::product("x", "w_key")});
  stages.push_back({"value", row({sym("X"), sub(sym("W"), sym("v"))}), to_array(run.qkv.value, token),
                    derived::product("x", "w_value")});
  add_scheme(stages, "qkv", run.qkv, {"query", "key", "value"}, with_transpose("Q", "K"), sym("V"));
  stages.push_back(asymmetry(run));
  const SentenceReadings& read = run.sentences;
  for (const Reading* reading : {&read.river, &read.money, &read.tired, &read.wide, &read.tired_2,
                                 &read.wide_2, &read.head_1, &read.head_2}) {
    add_reading(stages, *reading);
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
