// Self-attention does not see order: permuted tokens give the same rows, permuted; added positions end that.
#include "experiments/permutation/permutation.hpp"

#include "attention/positional.hpp"

namespace attnlab {
namespace {

using namespace worked;

constexpr std::size_t most_tokens = 64;

[[noreturn]] void throw_no_permutation(const std::string& order, std::size_t count) {
  refuse_usage(text("--order {} は 0 から {} の並べ替えではありません",
                    "--order {} is no permutation of 0 to {}", order, count - 1),
               text("0 から {} の整数を 1 回ずつ並べてください", "list each whole number from 0 to {} once",
                    count - 1));
}

/// As many labels as the default order has no tokens for stand the other way round.
std::vector<double> typed_order(const Arguments& arguments) {
  std::vector<double> order = arguments.numbers("order");
  const std::size_t words = arguments.words("labels").size();
  if (arguments.is_set("order") || words < 2 || words == order.size()) return order;
  order.resize(words);
  for (std::size_t i = 0; i < words; ++i) order[i] = static_cast<double>(words - 1 - i);
  return order;
}

std::vector<std::size_t> parse_order(const Arguments& arguments) {
  const std::vector<double> numbers = typed_order(arguments);
  std::vector<bool> seen(numbers.size(), false);
  std::vector<std::size_t> order;
  for (const double number : numbers) {
    const auto token = static_cast<std::size_t>(number);  // the parameter's range is 0 to 63
    if (static_cast<double>(token) != number || token >= numbers.size() || seen[token]) {
      throw_no_permutation(arguments.text("order"), numbers.size());
    }
    seen[token] = true;
    order.push_back(token);
  }
  return order;
}

// --- The computation

Tensor<double> permutation_matrix(const std::vector<std::size_t>& order) {
  Tensor<double> matrix({order.size(), order.size()}, 0.0);
  for (std::size_t i = 0; i < order.size(); ++i) matrix(i, order[i]) = 1.0;
  return matrix;
}

/// order[2] = 5 → P[2, 5] = 1
std::vector<Chain> permutation_lines(const std::vector<std::size_t>& order) {
  return lines(order.size(), [&order](std::size_t i) {
    Chain line = equation(entry("order", {i}), {formula::sym(std::to_string(order[i]))});
    line.links.push_back({"→", formula::row({entry("P", {i, order[i]}), formula::read("= 1")})});
    return line;
  });
}

const Axes token_axes{"tokens", "width"};

/// Over the tokens of that stage; the others have the prefix and the suffix of its name.
PermutationCase attend(Tape& tape, const std::string& prefix, const std::string& suffix) {
  const auto named = [&](const char* stage) { return prefix + stage + suffix; };
  const auto project = [&](const char* name, const char* formula) {
    tape.product(named(name), formula, named("x"), std::string("w_") + name, token_axes);
  };
  project("query", "X W_Q");
  project("key", "X W_K");
  project("value", "X W_V");
  RecordedAttention recorded;
  recorded.prefix = prefix;
  recorded.suffix = suffix;
  return {tape.numbers_of(named("x")),
          tape.attention(named("query"), named("key"), named("value"), std::nullopt, recorded)};
}

/// The mean over the tokens, (1, d).
Tensor<double> mean_row(const Tensor<double>& rows) {
  const std::size_t tokens = rows.shape()[0];
  return matmul(Tensor<double>({1, tokens}, 1.0 / static_cast<double>(tokens)), rows);
}

/// x and permuted_x, with the suffix behind their names.
PermutationPair compare(Tape& tape, const std::string& suffix) {
  PermutationPair pair;
  pair.first = attend(tape, "", suffix);
  pair.permuted = attend(tape, "permuted_", suffix);
  const AttentionStages<double>& first = pair.first.attention;
  const AttentionStages<double>& permuted = pair.permuted.attention;
  const Tensor<double> p = tape.numbers_of("permutation");
  const std::string reordered = "reordered_output" + suffix;
  pair.reordered_output = tape.product(reordered, "P Y", "permutation", "output" + suffix, token_axes);
  tape.difference("output_difference" + suffix, "Y′ − P Y", "permuted_output" + suffix, reordered);
  pair.output_error = largest_difference(permuted.output, pair.reordered_output);
  pair.weights_error =
      largest_difference(permuted.weights, matmul(matmul(p, first.weights), attnlab::transpose(p)));
  pair.unmoved_difference = largest_difference(permuted.output, first.output);
  pair.mean_difference = largest_difference(mean_row(permuted.output), mean_row(first.output));
  return pair;
}

// --- What must hold of any order

/// How far another order of the same sums may move a weight, relatively, with arrays of any size: a score is
/// a sum of d products of projections, which are sums of d products themselves, and exp makes its error that
/// of the weight.
double rounding_of_weights(const PermutationRun& run, const PermutationPair& pair) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto tokens = static_cast<double>(run.order.size());
  const auto width = static_cast<double>(run.w_query.shape()[0]);
  const double x = width * largest_magnitude(pair.first.x);
  const double score =
      std::sqrt(width) * x * largest_magnitude(run.w_query) * x * largest_magnitude(run.w_key);
  return epsilon * (8.0 + tokens + 8.0 * (width + 2.0) * score);
}

/// Agreement as on the page of experiments: sums in another order round differently, scores by eps each.
double tolerance(const PermutationRun& run, const PermutationPair& pair, const Tensor<double>& stage) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double scores = largest_magnitude(pair.first.attention.scores);
  const double relative = std::max(1e-12, epsilon * (4.0 + scores));
  if (!run.tape.any_read()) return relative * largest_magnitude(stage);
  const auto width = static_cast<double>(run.w_value.shape()[0]);
  const double size = &stage == &pair.first.attention.weights
                          ? 1.0
                          : width * largest_magnitude(pair.first.x) * largest_magnitude(run.w_value);
  return std::max(relative, rounding_of_weights(run, pair) + epsilon * width) * size;
}

}  // namespace

PermutationRun PermutationRun::compute(const Arguments& arguments, const Context& /*context*/) {
  PermutationRun run;
  run.order = parse_order(arguments);
  const std::size_t tokens = run.order.size();
  const std::size_t width = arguments.count("width");
  run.is_identity = std::is_sorted(run.order.begin(), run.order.end());
  run.labels = token_labels(arguments, tokens);
  run.labels_are_words = !arguments.text("labels").empty();

  Tape& tape = run.tape = Tape(arguments);
  tape.input("order", to_tensor(run.order), {"tokens"});
  tape.step("permutation", "P", permutation_matrix(run.order), {"places", "tokens"},
            derived::worked({"order"}, permutation_lines(run.order),
                            fmt::format("np.eye({})[order.astype(int)]", run.order.size())));
  const Axes matrix{"width_in", "width_out"};  // the article's order: X, W_Q, W_K, W_V
  tape.normal("x", {tokens, width}, token_axes);
  run.w_query = tape.normal("w_query", {width, width}, matrix, times(0.1));
  run.w_key = tape.normal("w_key", {width, width}, matrix, times(0.1));
  run.w_value = tape.normal("w_value", {width, width}, matrix, times(0.1));
  tape.input_or("encoding", sinusoidal_encoding(tokens, width, 10000.0), token_axes,
                fmt::format("sinusoidal_encoding(np.arange({}.0), {})", tokens, width));
  tape.product("permuted_x", "P X", "permutation", "x", token_axes);
  tape.sum("x_with_position", "X + PE", "x", "encoding");
  tape.sum("permuted_x_with_position", "P X + PE", "permuted_x",
           "encoding");  // positions stay where they are
  run.plain = compare(tape, "");
  run.positioned = compare(tape, "_with_position");
  Tape untold = tape;
  untold.sum("x_carried", "X + PE", "x", "encoding");
  untold.product("permuted_x_carried", "P (X + PE)", "permutation", "x_carried", token_axes);
  run.carried_error = compare(untold, "_carried").output_error;
  return run;
}

bool PermutationRun::positions_matter() const {
  return positioned.output_error > 1e-9 * std::max(1.0, largest_magnitude(positioned.first.attention.output));
}

std::vector<Scalar> scalars(const PermutationRun& run) {
  return {{"equivariance_error", run.plain.output_error},
          {"equivariance_error_weights", run.plain.weights_error},
          {"unmoved_difference", run.plain.unmoved_difference},
          {"equivariance_error_with_position", run.positioned.output_error},
          {"equivariance_error_weights_with_position", run.positioned.weights_error}};
}

std::vector<Invariant> invariants(const PermutationRun& run) {
  const AttentionStages<double>& plain = run.plain.first.attention;
  const AttentionStages<double>& positioned = run.positioned.first.attention;
  const double sum_error = std::max(row_sum_error(plain.weights), row_sum_error(positioned.weights));
  return {
      invariant("weights_sum_to_one", sum_error, 1e-13,  // up to 64 roundings of 1e-16 each
                "注意度の各行の和は 1", "every row of the weights sums to 1"),
      invariant("output_follows_the_order", run.plain.output_error, tolerance(run, run.plain, plain.output),
                "並べ替えたトークンの出力は、出力を並べ替えたもの",
                "permuted tokens give the output's rows, permuted"),
      invariant("weights_follow_the_order", run.plain.weights_error, tolerance(run, run.plain, plain.weights),
                "注意度は行も列も並べ替わる", "the weights are permuted in rows and columns"),
      invariant("mean_output_is_unchanged", run.plain.mean_difference,
                tolerance(run, run.plain, plain.output), "全行の平均は順序によらない",
                "the mean of all rows does not depend on the order"),
      invariant("carried_positions_follow_the_order", run.carried_error,
                tolerance(run, run.positioned, positioned.output),
                "位置も一緒に動かせば、また並べ替わるだけになる",
                "tokens that carry their positions along are only permuted again"),
  };
}

Experiment permutation_experiment() {
  return Experiment{
      "permutation",
      {"トークンを並べ替えると出力も並べ替わる。位置を足すと変わる",
       "permuted tokens give permuted outputs, until positions are added"},
      {"記事「位置エンコーディング」、スライド「トークンの入力順序」",
       "article, positional encoding; slides, order of the tokens"},
      {parameter("order", NumbersKind{{2, most_tokens}, {0, most_tokens - 1}}, "3,0,5,1,4,2",
                 "新しい順序：i 番目に来るトークンの番号（--labels が 6 語でなければ、既定は逆順）",
                 "the new order: which token comes i-th; default for other than 6 --labels: reversed"),
       parameter("width", IntegerKind{{2, 1024}}, "8", "埋め込みの次元 d", "width d of the embeddings"),
       labels_parameter(), seed_parameter("0"), rng_parameter()},
      report_of<PermutationRun>}
      .with_inputs({{"x", {"tokens of --order", "width"}},
                    {"w_query", {"width", "width"}},
                    {"w_key", {"width", "width"}},
                    {"w_value", {"width", "width"}},
                    {"encoding", {"tokens of --order", "width"}}})
      .with_sliders({{"seed=0:19"}});
}

}  // namespace attnlab
