// Additive attention: a small network scores query and key together, beside the dot product.
#include "experiments/additive/additive.hpp"

namespace attnlab {
namespace {

// --- The computation

/// [q; k] for every query and every key.
Tensor<double> concatenate(const Tensor<double>& query, const Tensor<double>& key) {
  const std::size_t d_q = query.shape()[1];
  Tensor<double> pairs = Tensor<double>::from_shape({query.shape()[0], key.shape()[0], d_q + key.shape()[1]});
  xt::view(pairs, xt::all(), xt::all(), xt::range(0, d_q)) = xt::view(query, xt::all(), xt::newaxis());
  xt::view(pairs, xt::all(), xt::all(), xt::range(d_q, xt::placeholders::_)) = key;
  return pairs;
}

/// What the dot product answers to these widths; nothing when it takes them.
std::optional<Text> refusal_of(const Tensor<double>& query, const Tensor<double>& key) {
  try {
    scaled_dot_product_attention(query, key, key);
  } catch (const Error& error) {
    return error.message();
  }
  return std::nullopt;
}

/// x (..., width) times the entries of the vector from `first` on: (...).
Tensor<double> product_with_part(const Tensor<double>& x, const Tensor<double>& vector,
                                 std::size_t first = 0) {
  const Tensor<double> column = xt::view(vector, xt::range(first, first + x.shape().back()), xt::newaxis());
  return xt::squeeze(matmul(x, column), x.dimension() - 1);
}

// --- The trace

using namespace worked;
using formula::call;
using formula::row;
using formula::sym;

const std::vector<std::string> pair_axes{"queries", "keys"};

/// u·q or w·k: one product of the rows of x with a part of the vector each.
std::vector<Chain> part_lines(const char* name, const Tensor<double>& x, const double* vector,
                              const Tensor<double>& part) {
  return lines(x.shape()[0], [&](std::size_t i) {
    return equation(sym(fmt::format("{}[{}]", name, i)),
                    {written_products(&x(i, 0), vector, x.shape()[1]), number(part(i))});
  });
}

std::vector<Chain> pairs_lines(const AdditiveRun& run) {
  return lines(run.queries, [&](std::size_t i) {
    return equation(entry("pairs", {i, 0}),
                    {together({exactly("["), written_list(&run.query(i, 0), run.d_q), exactly(";"),
                               written_list(&run.key(0, 0), run.d_k), exactly("]")})});
  });
}

std::vector<Chain> short_scores_lines(const AdditiveRun& run, const AdditiveStages<double>& attention) {
  return lines(run.queries, [&](std::size_t i) {
    return equation(entry("S", {i, 0}),
                    {written_products(&attention.hidden(i, 0, 0), run.network.score.data(), run.units),
                     number(attention.scores(i, 0))});
  });
}

Formula input_of_units() { return row({sym("[q; k] "), sym("W")}); }
Formula score() { return row({call("tanh", input_of_units()), sym(" v")}); }

void score_pairs(Tape& tape, AdditiveRun& run) {
  const Axes units{"queries", "keys", "units"};
  run.query = tape.normal("query", {run.queries, run.d_q}, {"queries", "query_width"});  // in this order
  run.key = tape.normal("key", {run.keys, run.d_k}, {"keys", "key_width"});
  run.network.hidden = tape.normal("w_hidden", {run.joined_width, run.units}, {"inputs", "units"},
                                   over_root(run.joined_width));
  run.network.score = tape.normal("w_score", {run.units}, {"units"}, over_root(run.units));
  run.pairs = concatenate(run.query, run.key);
  run.attention = additive_attention(run.network, run.query, run.key, run.key);
  tape.step("pairs", sym("[q; k]"), run.pairs, {"queries", "keys", "inputs"},
            derived::worked({"query", "key"}, pairs_lines(run), "join_pairs(query, key)"));
  tape.product("hidden_input", input_of_units(), "pairs", "w_hidden", units);
  tape.step("hidden", call("tanh", input_of_units()), run.attention.hidden, units,
            derived::tanh("hidden_input"));
  tape.step("scores", score(), run.attention.scores, pair_axes, derived::product("hidden", "w_score"));
  tape.softmax("weights", "softmax(S)", "scores");
  tape.product("output", "A K", "weights", "key", {"queries", "key_width"});
}

DotProductRuns dot_products(Tape& tape, std::size_t width) {
  DotProductRuns dot;
  tape.product_with_transpose("dot_scores", "Q K^T", "query", "key", pair_axes);
  dot.plain = tape.softmax("dot_weights", "softmax(Q K^T)", "dot_scores");
  tape.scaled("scaled_dot_scores", "\\frac{Q K^T}{\\sqrt{d}}", "dot_scores", over_root(width));
  dot.scaled = tape.softmax("scaled_dot_weights", "softmax(\\frac{Q K^T}{\\sqrt{d}})", "scaled_dot_scores");
  return dot;
}

ShortenedKeys shorten(Tape& tape, const AdditiveRun& run) {
  const std::size_t width = run.d_k / 2;
  ShortenedKeys shortened;
  shortened.key = tape.step("short_key", Formula{}, xt::view(run.key, xt::all(), xt::range(0, width)),
                            {"keys", "short_width"}, derived::input(fmt::format("key[:, :{}]", width)));
  AdditiveWeights<double> network = run.network;  // without the rows of the missing entries
  network.hidden = tape.step(
      "short_w_hidden", Formula{}, xt::view(run.network.hidden, xt::range(0, run.d_q + width), xt::all()),
      {"inputs", "units"}, derived::input(fmt::format("w_hidden[:{}]", run.d_q + width)));
  shortened.attention = additive_attention(network, run.query, shortened.key, shortened.key);
  tape.step("short_scores", score(), shortened.attention.scores, pair_axes,
            derived::worked({"query", "short_key", "short_w_hidden", "w_score"},
                            short_scores_lines(run, shortened.attention),
                            "np.tanh(join_pairs(query, short_key) @ short_w_hidden) @ w_score"));
  tape.softmax("short_weights", "softmax(S)", "short_scores");
  return shortened;
}

LinearScores without_tanh(Tape& tape, const AdditiveRun& run) {
  LinearScores linear;
  linear.vector = tape.product("linear", "W v", "w_hidden", "w_score", {"inputs"});
  const double* vector = linear.vector.data();
  const Tensor<double> query_part = product_with_part(run.query, linear.vector);
  const Tensor<double> key_part = product_with_part(run.key, linear.vector, run.d_q);
  tape.step("query_part", sym("u·q"), query_part, {"queries"},
            derived::worked({"query", "linear"}, part_lines("u·q", run.query, vector, query_part),
                            fmt::format("query @ linear[:{}]", run.d_q)));
  tape.step("key_part", sym("w·k"), key_part, {"keys"},
            derived::worked({"key", "linear"}, part_lines("w·k", run.key, vector + run.d_q, key_part),
                            fmt::format("key @ linear[{}:]", run.d_q)));
  linear.scores = xt::view(query_part, xt::all(), xt::newaxis()) + key_part;
  tape.step("linear_scores", sym("u·q + w·k"), linear.scores, pair_axes, derived::product("pairs", "linear"));
  linear.weights = tape.softmax("linear_weights", call("softmax", sym("u·q + w·k")), "linear_scores");
  return linear;
}

// --- The words --------------------------------------------------------------------------------------------

Values shown_weights(const char* ja, const char* en, const Tensor<double>& weights) {
  return {{ja, en}, to_array(weights, {"queries", "keys"})};
}

/// What a pair costs, and what widths are allowed.
Table comparison(const AdditiveRun& run) {
  const std::string parameters = std::to_string(run.parameters);
  return {{{"", ""}, {"加法", "additive"}, {"内積", "dot product"}},
          {{Text{"パラメータ", "parameters"}, parameters, "0"},
           {Text{"うち W", "of these, W"}, fmt::format("{} × {}", run.joined_width, run.units), "—"},
           {Text{"うち v", "of these, v"}, std::to_string(run.units), "—"},
           {Text{"乗算（1 ペア）", "multiplications a pair"}, parameters,
            run.dot ? std::to_string(run.d_k) : "—"},
           {"d_q ≠ d_k", Text{"計算できる", "works"}, Text{"エラー", "error"}}}};
}

Text where_from(const AdditiveRun& run) {
  if (run.tape.any_read()) return text("入力：{}。", "Inputs: {}.", run.tape.described());
  return text("重みは乱数で、まだ学習していません（乱数の種 {}）。",
              "The weights are random, untrained (seed {}).", run.tape.seed());
}

Paragraph to_say(const AdditiveRun& run) {
  if (!run.dot) {
    return Paragraph::say(
        "クエリが {} 次元、キーが {} 次元でも、結合すれば {} 次元の入力です。加法アテンションはそのまま計算でき、内積はできません。",
        "Joined, a query of width {} and a key of width {} make an input of width {}: additive attention works unchanged, the dot product is undefined.",
        run.d_q, run.d_k, run.joined_width);
  }
  return Paragraph::say(
      "同じ入力でも、最大の注意度は加法で {}、内積で {}、√d で割ると {} です。加法は {} 個のパラメータを学習しますが、内積には 1 つもありません。内積で学習するのは、クエリとキーを作る射影の方です。",
      "On the same input the largest weight is {} (additive), {} (dot product) and {} (divided by √d). Additive attention learns {} parameters of its own, the dot product none: there the projections to queries and keys are what is learned.",
      largest_in_two_digits(run.attention.weights), largest_in_two_digits(run.dot->plain),
      largest_in_two_digits(run.dot->scaled), run.parameters);
}

}  // namespace

AdditiveRun AdditiveRun::compute(const Arguments& arguments, const Context& /*context*/) {
  AdditiveRun run;
  run.queries = arguments.count("queries");
  run.keys = arguments.count("keys");
  run.d_q = arguments.count("query-width");
  run.d_k = arguments.count("key-width");
  run.joined_width = run.d_q + run.d_k;
  run.units = arguments.count("units");

  Tape& tape = run.tape = Tape(arguments);
  score_pairs(tape, run);
  run.parameters = run.network.hidden.size() + run.network.score.size();
  if (run.d_q == run.d_k) {
    run.dot = dot_products(tape, run.d_k);
    run.shortened = shorten(tape, run);
  }
  run.linear = without_tanh(tape, run);
  run.refusal = refusal_of(run.query, run.shortened ? run.shortened->key : run.key);
  run.refusals = run.refusal ? 1.0 : 0.0;
  return run;
}

std::vector<Scalar> scalars(const AdditiveRun& run) {
  std::vector<Scalar> all{{"additive_parameters", static_cast<double>(run.parameters)},
                          {"dot_parameters", 0.0},
                          {"largest_weight", largest(run.attention.weights)},
                          {"query_difference", difference_of_rows(run.attention.weights)},
                          {"linear_query_difference", difference_of_rows(run.linear.weights)}};
  if (run.dot) {
    all.push_back({"largest_dot_weight", largest(run.dot->plain)});
    all.push_back({"largest_scaled_dot_weight", largest(run.dot->scaled)});
  }
  return all;
}

// --- What must hold

std::vector<Invariant> invariants(const AdditiveRun& run) {
  constexpr double rounding = 1e-12;  // tol64 of the page: scores and units stay below a few dozen
  const auto terms = static_cast<double>(run.joined_width);  // of the sums in u·q + w·k
  const Tensor<double> joined = product_with_part(run.pairs, run.linear.vector);
  Tensor<double> tanh_of_pairs = run.tape.numbers_of("hidden_input");
  for (double& unit : tanh_of_pairs) unit = std::tanh(unit);
  return {
      invariant("weights_sum_to_one", row_sum_error(run.attention.weights), rounding,
                "加法アテンションの注意度の各行の和は 1", "every row of the additive weights sums to 1"),
      invariant("concatenation_splits", largest_difference(tanh_of_pairs, run.attention.hidden), rounding,
                "[q; k] W は、q に掛かる行と k に掛かる行の積の和に等しい",
                "[q; k] W equals the query's rows of W times q plus the key's rows times k"),
      invariant("linear_score_splits", largest_difference(joined, run.linear.scores),
                rounding * std::sqrt(terms), "tanh がなければスコアは u·q + w·k",
                "without tanh the score is u·q + w·k"),
      invariant("linear_rows_equal", difference_of_rows(run.linear.weights), rounding,
                "隠れ層がなければ注意度はどのクエリでも同じ",
                "without the hidden layer every query has the same weights"),
      invariant("dot_product_needs_equal_widths", std::abs(1.0 - run.refusals), 0.0,
                "d_q ≠ d_k では内積アテンションはエラーになる",
                "the dot product raises an error when d_q and d_k differ"),
  };
}

double difference_of_rows(const Tensor<double>& weights) {
  const Tensor<double> first = xt::broadcast(xt::view(weights, 0, xt::all()), weights.shape());
  return largest_difference(weights, first);
}

std::string largest_in_two_digits(const Tensor<double>& weights) {
  const std::string digits = fmt::format("{:.2f}", largest(weights));
  return digits == "1.00" && largest(weights) < 1.0 ? "> 0.99" : digits;
}

std::vector<Block> body(const AdditiveRun& run, const std::vector<Stage>& /*stages*/) {
  std::vector<Block> blocks{
      Paragraph::heading("加法アテンション", "Additive attention"),
      Equation{formula::row(
          {formula::sym("score(q, k) = v · "), formula::call("tanh", formula::sym("[q; k] W"))})},
      Paragraph::plain(
          "クエリ（{} 次元）とキー（{} 次元）を結合した {} 次元のベクトルを、隠れ層（tanh、{} ユニット）を通して 1 つのスコアにします。これを {} × {} 個のペアすべてに行います。{}",
          "Query ({} numbers) and key ({} numbers) are joined to {}; a hidden layer of {} tanh units turns them into one score, for each of the {} x {} pairs. {}",
          run.d_q, run.d_k, run.joined_width, run.units, run.queries, run.keys, where_from(run)),
      comparison(run),
      shown_weights("加法アテンションの注意度", "additive weights", run.attention.weights),
  };
  if (run.dot) {
    blocks.emplace_back(shown_weights("内積アテンションの注意度", "dot-product weights", run.dot->plain));
    blocks.emplace_back(
        shown_weights("スケール化内積アテンションの注意度", "scaled dot-product weights", run.dot->scaled));
  }
  if (run.shortened) {
    blocks.emplace_back(
        Values{text("次元が違うとき（{} と {}）の加法アテンションの注意度",
                    "additive weights for widths {} and {}", run.d_q, run.shortened->key.shape()[1]),
               to_array(run.shortened->attention.weights, {"queries", "keys"})});
  }
  if (run.refusal) {
    blocks.emplace_back(Paragraph::plain("同じ入力での内積アテンションのエラーメッセージ：{}",
                                         "The dot product's error message on the same input: {}",
                                         *run.refusal));
  }
  blocks.emplace_back(Paragraph::plain(
      "間違い：隠れ層（tanh）を省くと、スコアは u·q + w·k に分かれます。u·q は行全体に足される定数なので softmax で消え、注意度はクエリによらなくなります。",
      "The mistake: without the hidden layer (tanh) the score splits into u·q + w·k. The term u·q is the same for a whole row, so softmax cancels it and no weight depends on the query."));
  blocks.emplace_back(
      shown_weights("隠れ層なしの注意度", "weights without the hidden layer", run.linear.weights));
  blocks.emplace_back(to_say(run));
  blocks.emplace_back(Paragraph::misunderstanding(
      "「加法」は、クエリとキーを足すだけで比べるという意味ではありません。両者は隠れ層の入力 [q; k] W = q W_q + k W_k で足されますが、注意度がクエリによって変わるのは、その後に tanh があるからです。",
      "“Additive” does not mean that adding query and key compares them. They are added at the input of the hidden layer, [q; k] W = q W_q + k W_k; only the tanh after it makes weights depend on the query."));
  return blocks;
}

Experiment additive_experiment() {
  return Experiment{
      "additive",
      {"加法アテンションと内積アテンションを同じ入力で比べる",
       "a small network scores query and key, beside the dot product"},
      {"教科書 図 2.2.3", "textbook fig. 2.2.3"},
      {parameter("queries", IntegerKind{{1, 16}}, "3", "クエリの個数", "number of queries"),
       parameter("keys", IntegerKind{{1, 32}}, "5", "キーの個数", "number of keys"),
       parameter("query-width", IntegerKind{{2, 512}}, "128", "クエリの次元 d_q", "width d_q of the queries"),
       parameter("key-width", IntegerKind{{2, 512}}, "128", "キーの次元 d_k。d_q と違ってもかまいません",
                 "width d_k of the keys; may differ from d_q"),
       parameter("units", IntegerKind{{1, 512}}, "64", "隠れ層のユニット数", "units of the hidden layer"),
       rng_parameter(), seed_parameter("0")},
      report_of<AdditiveRun>}
      .with_inputs({{"query", {"queries", "query-width"}},
                    {"key", {"keys", "key-width"}},
                    {"w_hidden", {"query-width + key-width", "units"}},
                    {"w_score", {"units"}}})
      .with_sliders({{"units=1:64:22"}});
}

}  // namespace attnlab
