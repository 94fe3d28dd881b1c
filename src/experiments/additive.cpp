// Additive attention: a small network scores query and key together, beside the dot product.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"
#include "experiments/additive/additive.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

std::vector<Parameter> parameters() {
  return {
      {"queries", IntegerKind{{1, 16}}, "3", {"クエリの個数", "how many queries"}},
      {"keys", IntegerKind{{1, 32}}, "5", {"キーの個数", "how many keys"}},
      {"query-width", IntegerKind{{2, 512}}, "128", {"クエリの次元 d_q", "width d_q of the queries"}},
      {"key-width",
       IntegerKind{{2, 512}},
       "128",
       {"キーの次元 d_k。d_q と違ってもよい", "width d_k of the keys; may differ from d_q"}},
      {"units", IntegerKind{{1, 512}}, "64", {"隠れ層のユニット数", "units of the hidden layer"}},
      rng_parameter(),
      seed_parameter("0"),
  };
}

// --- The computation

/// [q; k] for every query and every key.
Tensor<double> concatenate(const Tensor<double>& query, const Tensor<double>& key) {
  const std::size_t d_q = query.shape()[1];
  const std::size_t d_k = key.shape()[1];
  Tensor<double> pairs = Tensor<double>::from_shape({query.shape()[0], key.shape()[0], d_q + d_k});
  for (std::size_t i = 0; i < query.shape()[0]; ++i) {
    for (std::size_t j = 0; j < key.shape()[0]; ++j) {
      for (std::size_t d = 0; d < d_q; ++d) pairs(i, j, d) = query(i, d);
      for (std::size_t d = 0; d < d_k; ++d) pairs(i, j, d_q + d) = key(j, d);
    }
  }
  return pairs;
}

DotProductRuns dot_products(const Tensor<double>& query, const Tensor<double>& key) {
  AttentionOptions<double> unscaled;
  unscaled.scale = 1.0;
  return {scaled_dot_product_attention(query, key, key, unscaled),
          scaled_dot_product_attention(query, key, key)};
}

/// What the dot product answers to these widths; nothing when it takes them.
std::optional<Text> refusal_of(const Tensor<double>& query, const Tensor<double>& key) {
  try {
    scaled_dot_product_attention(query, key, key);
  } catch (const Error& error) {
    return Text{error.message(Language::ja), error.message(Language::en)};
  }
  return std::nullopt;
}

ShortenedKeys shorten(const AdditiveRun& run) {
  const std::size_t width = run.d_k / 2;
  ShortenedKeys shortened;
  shortened.key = xt::view(run.key, xt::all(), xt::range(std::size_t{0}, width));
  shortened.network.hidden =
      xt::view(run.network.hidden, xt::range(std::size_t{0}, run.d_q + width), xt::all());
  shortened.network.score = run.network.score;
  shortened.attention = additive_attention(shortened.network, run.query, shortened.key, shortened.key);
  return shortened;
}

/// x (n, width) times the entries of the vector from `first` on.
Tensor<double> part_of(const Tensor<double>& x, const Tensor<double>& vector, std::size_t first) {
  Tensor<double> column = xt::view(vector, xt::range(first, first + x.shape()[1]), xt::newaxis());
  Tensor<double> part = matmul(x, column);
  part.reshape({x.shape()[0]});
  return part;
}

LinearScores without_hidden_layer(const AdditiveRun& run) {
  LinearScores linear;
  Tensor<double> column = xt::view(run.network.score, xt::all(), xt::newaxis());
  linear.vector = matmul(run.network.hidden, column);
  linear.vector.reshape({run.d_q + run.d_k});
  linear.query_part = part_of(run.query, linear.vector, 0);
  linear.key_part = part_of(run.key, linear.vector, run.d_q);
  linear.scores = xt::view(linear.query_part, xt::all(), xt::newaxis()) + linear.key_part;
  linear.weights = softmax(linear.scores);
  linear.largest_difference = difference_of_rows(linear.weights);
  return linear;
}

AdditiveRun compute(const Arguments& arguments) {
  AdditiveRun run;
  run.d_q = arguments.count("query-width");
  run.d_k = arguments.count("key-width");
  run.units = arguments.count("units");
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  const std::size_t inputs = run.d_q + run.d_k;

  RandomStream random = random_stream(arguments);  // in this order: query, key, W, v
  run.query = random.randn({arguments.count("queries"), run.d_q});
  run.key = random.randn({arguments.count("keys"), run.d_k});
  run.network.hidden = random.randn({inputs, run.units}) / std::sqrt(static_cast<double>(inputs));
  run.network.score = random.randn({run.units}) / std::sqrt(static_cast<double>(run.units));

  run.pairs = concatenate(run.query, run.key);
  run.hidden_input = matmul(run.pairs, run.network.hidden);
  run.attention = additive_attention(run.network, run.query, run.key, run.key);
  run.linear = without_hidden_layer(run);
  if (run.d_q == run.d_k) {
    run.dot = dot_products(run.query, run.key);
    run.shortened = shorten(run);
  }
  run.refusal = refusal_of(run.query, run.shortened ? run.shortened->key : run.key);
  return run;
}

// --- The trace

using worked::most_lines;

Derivation pairs_derivation(const AdditiveRun& run) {
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(run.query.shape()[0], most_lines); ++i) {
    lines.push_back(
        worked::equation(worked::entry("pairs", {i, 0}),
                         {worked::together({worked::exactly("["), written_list(&run.query(i, 0), run.d_q),
                                            worked::exactly(";"), written_list(&run.key(0, 0), run.d_k),
                                            worked::exactly("]")})}));
  }
  return derived::worked({"query", "key"}, std::move(lines));
}

/// u·q or w·k: one product of the rows of x with a part of the vector each.
Derivation part_derivation(const char* name, const std::string& operand, const Tensor<double>& x,
                           const double* vector, const Tensor<double>& part) {
  std::vector<Chain> lines;
  const std::size_t width = x.shape()[1];
  for (std::size_t i = 0; i < std::min(x.shape()[0], most_lines); ++i) {
    lines.push_back(
        worked::equation(formula::sym(fmt::format("{}[{}]", name, i)),
                         {written_products(x.data() + i * width, vector, width), worked::number(part(i))}));
  }
  return derived::worked({operand, "linear"}, std::move(lines));
}

Derivation short_scores_derivation(const AdditiveRun& run) {
  const AdditiveStages<double>& attention = run.shortened->attention;
  std::vector<Chain> lines;
  const std::size_t queries = run.query.shape()[0];
  const std::size_t keys = run.key.shape()[0];
  for (std::size_t i = 0; i < std::min(queries, most_lines); ++i) {
    const double* hidden = attention.hidden.data() + i * keys * run.units;
    lines.push_back(worked::equation(worked::entry("S", {i, 0}),
                                     {written_products(hidden, run.network.score.data(), run.units),
                                      worked::number(attention.scores(i, 0))}));
  }
  return derived::worked({"query", "short_key", "short_w_hidden", "w_score"}, std::move(lines));
}

using formula::call;
using formula::row;
using formula::sym;

const std::vector<std::string> pair_axes{"queries", "keys"};

void add_network(std::vector<Stage>& stages, const AdditiveRun& run) {
  const AdditiveStages<double>& attention = run.attention;
  stages = {
      {"query", row({}), to_array(run.query, {"queries", "query_width"})},
      {"key", row({}), to_array(run.key, {"keys", "key_width"})},
      {"w_hidden", row({}), to_array(run.network.hidden, {"inputs", "units"})},
      {"w_score", row({}), to_array(run.network.score, {"units"})},
      {"pairs", sym("[q; k]"), to_array(run.pairs, {"queries", "keys", "inputs"}), pairs_derivation(run)},
      {"hidden_input", row({sym("[q; k] "), sym("W")}),
       to_array(run.hidden_input, {"queries", "keys", "units"}), derived::product("pairs", "w_hidden")},
      {"hidden", call("tanh", row({sym("[q; k] "), sym("W")})),
       to_array(attention.hidden, {"queries", "keys", "units"}), derived::tanh("hidden_input")},
      {"scores", row({call("tanh", row({sym("[q; k] "), sym("W")})), sym(" v")}),
       to_array(attention.scores, pair_axes), derived::product("hidden", "w_score")},
      {"weights", call("softmax", sym("S")), to_array(attention.weights, pair_axes),
       derived::softmax("scores")},
      {"output", row({sym("A"), sym("K")}), to_array(attention.output, {"queries", "key_width"}),
       derived::product("weights", "key")},
  };
}

void add_dot_product(std::vector<Stage>& stages, const AdditiveRun& run) {
  const Formula dot = row({sym("Q"), formula::sup(sym("K"), sym("T"))});
  const double scale = 1.0 / std::sqrt(static_cast<double>(run.d_k));
  const AttentionStages<double>& scaled = run.dot->scaled;
  stages.push_back({"dot_scores", dot, to_array(run.dot->plain.scores, pair_axes),
                    derived::product_with_transpose("query", "key")});
  stages.push_back({"dot_weights", call("softmax", dot), to_array(run.dot->plain.weights, pair_axes),
                    derived::softmax("dot_scores")});
  stages.push_back({"scaled_dot_scores", formula::fraction(dot, formula::root(sym("d"))),
                    to_array(scaled.scores, pair_axes), derived::scaled("dot_scores", scale)});
  stages.push_back({"scaled_dot_weights", call("softmax", formula::fraction(dot, formula::root(sym("d")))),
                    to_array(scaled.weights, pair_axes), derived::softmax("scaled_dot_scores")});
}

void add_shortened_keys(std::vector<Stage>& stages, const AdditiveRun& run) {
  const ShortenedKeys& shortened = *run.shortened;
  stages.push_back({"short_key", row({}), to_array(shortened.key, {"keys", "short_width"})});
  stages.push_back({"short_w_hidden", row({}), to_array(shortened.network.hidden, {"inputs", "units"})});
  stages.push_back({"short_scores", row({call("tanh", row({sym("[q; k] "), sym("W")})), sym(" v")}),
                    to_array(shortened.attention.scores, pair_axes), short_scores_derivation(run)});
  stages.push_back({"short_weights", call("softmax", sym("S")),
                    to_array(shortened.attention.weights, pair_axes), derived::softmax("short_scores")});
}

void add_mistake(std::vector<Stage>& stages, const AdditiveRun& run) {
  const LinearScores& linear = run.linear;
  stages.push_back({"linear", row({sym("W"), sym(" v")}), to_array(linear.vector, {"inputs"}),
                    derived::product("w_hidden", "w_score")});
  stages.push_back({"query_part", sym("u·q"), to_array(linear.query_part, {"queries"}),
                    part_derivation("u·q", "query", run.query, linear.vector.data(), linear.query_part)});
  stages.push_back({"key_part", sym("w·k"), to_array(linear.key_part, {"keys"}),
                    part_derivation("w·k", "key", run.key, linear.vector.data() + run.d_q, linear.key_part)});
  stages.push_back({"linear_scores", sym("u·q + w·k"), to_array(linear.scores, pair_axes),
                    derived::product("pairs", "linear")});
  stages.push_back({"linear_weights", call("softmax", sym("u·q + w·k")), to_array(linear.weights, pair_axes),
                    derived::softmax("linear_scores")});
}

Report run_additive(const Arguments& arguments, const Context&) {
  const AdditiveRun run = compute(arguments);
  Report report;
  add_network(report.stages, run);
  if (run.dot) add_dot_product(report.stages, run);
  if (run.shortened) add_shortened_keys(report.stages, run);
  add_mistake(report.stages, run);
  report.body = additive_body(run);
  report.scalars = additive_scalars(run);
  report.invariants = additive_invariants(run);
  report.figures = additive_figures(run);
  return report;
}

}  // namespace

Experiment additive_experiment() {
  return {"additive",
          {"加法アテンションと内積アテンションを同じ入力で比べる",
           "a small network scores query and key, beside the dot product"},
          {"教科書 図 2.2.3", "textbook fig. 2.2.3"},
          parameters(),
          run_additive};
}

}  // namespace attnlab
