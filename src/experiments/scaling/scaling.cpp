// One query against many keys, in few and in many dimensions, drawn as the textbook's code 2.2.5 draws them.
#include "experiments/scaling/scaling.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_numbers = 10'000'000;  // 80 MB, half a second of random numbers

void require_memory(std::size_t low_dim, std::size_t high_dim, std::size_t keys) {
  const std::size_t numbers = (keys + 1) * (low_dim + high_dim);
  if (numbers <= most_numbers) return;
  const std::size_t keys_that_fit = most_numbers / (low_dim + high_dim) - 1;
  refuse_usage(text("{} 個のキーと {} 次元・{} 次元では {} 個の乱数が必要で、上限の {} 個を超えます",
                    "{} keys of {} and {} dimensions need {} random numbers, more than {}", keys, low_dim,
                    high_dim, numbers, most_numbers),
               text("この次元では --keys を {} 以下にしてください",
                    "with these dimensions choose --keys of at most {}", keys_that_fit));
}

/// Exchanged, every sentence would teach the reverse.
void require_below(std::size_t low_dim, std::size_t high_dim) {
  if (low_dim < high_dim) return;
  refuse_usage(
      text("--low-dim {} が --high-dim {} 以上です", "--low-dim {} is not smaller than --high-dim {}",
           low_dim, high_dim),
      {"--low-dim は --high-dim より小さくしてください", "choose --low-dim smaller than --high-dim"});
}

/// q (d) against K (keys, d), which stand on the tape as query_low and keys_low.
ScalingCase attend(Tape& tape, const std::string& name) {
  const std::string scores = "scores_" + name;
  const std::string weights = "weights_" + name;
  ScalingCase one;
  one.name = name;
  one.dim = tape.numbers_of("query_" + name).size();
  one.scores = tape.product_with_transpose(scores, "q · k", "query_" + name, "keys_" + name, {"keys"});
  one.weights = tape.softmax(weights, "softmax(q · k)", scores);
  const double root = std::sqrt(static_cast<double>(one.dim));
  tape.step(scores + "_scaled", "\\frac{q · k}{\\sqrt{d}}", one.scores / root, {"keys"},
            derived::scaled(scores, over_root(one.dim)));
  one.scaled_weights =
      tape.softmax(weights + "_scaled", "softmax(\\frac{q · k}{\\sqrt{d}})", scores + "_scaled");
  return one;
}

// --- The words

Table comparison(const ScalingRun& run) {
  Table table{{{"次元", "d"},
               {"スケーリング", "scaling"},
               {"最大の注意度", "largest weight"},
               {"そのキー", "its key"},
               {"エントロピー（nat）", "entropy (nats)"}}};
  const auto add = [&](std::size_t dim, const char* scaling, const Tensor<double>& weights) {
    table.rows.push_back({std::to_string(dim), scaling, fmt::format("{:.4f}", largest(weights)),
                          std::to_string(largest_index(weights)), fmt::format("{:.4f}", entropy(weights)())});
  };
  for (const ScalingCase* one : run.cases()) {
    add(one->dim, "—", one->weights);
    add(one->dim, "1/√d", one->scaled_weights);
  }
  return table;
}

/// "、20 個中 15 個のキーは 1% 未満です": how the sentence about the largest key goes on.
Text how_many_are_faint(const ScalingRun& run) {
  const std::size_t faint = faint_keys(run.high.weights);
  if (faint == 0) return {"ます", ""};
  return text("、{0} 個中 {1} 個のキーは {2:.2g}% 未満です", ", and {1} of {0} keys get less than {2:.2g}%",
              run.keys, faint, faint_percent(run.keys));
}

/// " 80% " between Japanese characters; the words "ほぼ 100%" need a space behind them only.
Text share(double weight) {
  const Text words = percent(weight);
  return {(words.ja() == words.en() ? " " : "") + words.ja() + " ", words.en()};
}

Paragraph what_is_compared(const ScalingRun& run) {
  const double even = std::log(static_cast<double>(run.keys));
  if (run.tape.any_read()) {
    return Paragraph::plain(
        "クエリ 1 個とキー {0} 個を、{1} 次元と {2} 次元で比べます（{3}）。すべてのキーの注意度が等しければ、エントロピーは ln {0} = {4:.4f} です。",
        "One query and {0} keys, in {1} and in {2} dimensions ({3}). If all keys had equal weight, the entropy would be ln {0} = {4:.4f}.",
        run.keys, run.low.dim, run.high.dim, run.tape.described(), even);
  }
  return Paragraph::plain(
      "クエリ 1 個とキー {0} 個を、{1} 次元と {2} 次元でそれぞれ標準正規分布から生成しました（乱数の種 {3}{4}）。すべてのキーの注意度が等しければ、エントロピーは ln {0} = {5:.4f} です。",
      "One query and {0} keys, drawn from the standard normal distribution in {1} and in {2} dimensions (seed {3}{4}). If all keys had equal weight, the entropy would be ln {0} = {5:.4f}.",
      run.keys, run.low.dim, run.high.dim, run.tape.seed(),
      run.rng == "torch" ? Text{"、PyTorch", ", PyTorch"} : Text::none(), even);
}

Paragraph to_say(const ScalingRun& run) {
  const ScalingCase& high = run.high;
  if (run.tape.any_read()) {
    return Paragraph::say(
        "{0} 次元では、最大の注意度はスケーリングがないと{1}、スコアを √{0} = {2:.4g} で割ると{3}です。",
        "In {0} dimensions the largest weight is {1} unscaled, and {3} if the scores are divided by √{0} = {2:.4g}.",
        high.dim, share(largest(high.weights)), std::sqrt(static_cast<double>(high.dim)),
        share(largest(high.scaled_weights)));
  }
  const bool shows = largest(high.weights) >= 0.5 && largest(high.scaled_weights) <= 0.5;
  return Paragraph::say(
      "{0} 次元では、スケーリングがないと 1 個のキーが注意度の{1}を取り{2}。スコアを √{0} = {3:.4g} で割ると最大でも{4}{5}。",
      "In {0} dimensions, unscaled, a single key takes {1} of the weight{2}. With the scores divided by √{0} = {3:.4g}, the largest weight is {4}{5}.",
      high.dim, share(largest(high.weights)), how_many_are_faint(run),
      std::sqrt(static_cast<double>(high.dim)), share(largest(high.scaled_weights)),
      shows ? Text{"で、差が見えます", ": now the differences are visible"} : Text{"です", ""});
}

}  // namespace

ScalingRun ScalingRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::size_t low_dim = arguments.count("low-dim");
  const std::size_t high_dim = arguments.count("high-dim");
  const std::size_t keys = arguments.count("keys");
  require_below(low_dim, high_dim);
  require_memory(low_dim, high_dim, keys);
  ScalingRun run;
  run.keys = keys;
  run.rng = arguments.text("rng");
  run.limits = arguments.chosen<ScatterLimits>("limits");
  run.clip = arguments.number("clip");
  Tape& tape = run.tape = Tape(arguments);
  const Tensor<double> low_query = tape.normal("query_low", {low_dim});  // in this order
  const Tensor<double> high_query = tape.normal("query_high", {high_dim});
  const Tensor<double> low_keys = tape.normal("keys_low", {keys, low_dim});
  const Tensor<double> high_keys = tape.normal("keys_high", {keys, high_dim});
  tape.input("query_low", low_query, {"width"});
  tape.input("keys_low", low_keys, {"keys", "width"});
  run.low = attend(tape, "low");
  tape.input("query_high", high_query, {"width"});
  tape.input("keys_high", high_keys, {"keys", "width"});
  run.high = attend(tape, "high");
  return run;
}

std::vector<Scalar> scalars(const ScalingRun& run) {
  std::vector<Scalar> result;
  const auto add = [&result](const Tensor<double>& weights, const std::string& name) {
    result.push_back({"largest_weight_" + name, largest(weights)});
    result.push_back({"largest_index_" + name, static_cast<double>(largest_index(weights))});
    result.push_back({"entropy_" + name, entropy(weights)()});
    result.push_back({"faint_keys_" + name, static_cast<double>(faint_keys(weights))});
  };
  for (const ScalingCase* one : run.cases()) {
    add(one->weights, one->name);
    add(one->scaled_weights, one->name + "_scaled");
  }
  return result;
}

std::vector<Invariant> invariants(const ScalingRun& run) {
  std::vector<Invariant> result;
  for (const ScalingCase* one : run.cases()) {
    const Tensor<double>& weights = one->weights;
    const Tensor<double>& scaled = one->scaled_weights;
    // Each weight and each addition is rounded once; an entropy is a sum of that many terms p ln p as well.
    const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(weights.size() + 8);
    result.push_back(invariant("weights_sum_to_one_" + one->name,
                               std::max(row_sum_error(weights), row_sum_error(scaled)), rounding,
                               "{} 次元の注意度の和は 1", "the weights for d = {} sum to 1", one->dim));
    result.push_back(invariant("scaling_keeps_order_" + one->name,
                               std::max(disorder(one->scores, weights), disorder(one->scores, scaled)),
                               rounding, "割っても、割らなくても、注意度はスコアの順に並ぶ",
                               "scaled or not, the weights follow the order of the scores"));
    result.push_back(invariant("scaling_lowers_largest_" + one->name,
                               std::max(0.0, largest(scaled) - largest(weights)), rounding,
                               "割ると最大の注意度は増えない", "scaling does not raise the largest weight"));
    result.push_back(invariant("scaling_raises_entropy_" + one->name,
                               std::max(0.0, entropy(weights)() - entropy(scaled)()), 8.0 * rounding,
                               "割るとエントロピーは減らない", "scaling does not lower the entropy"));
  }
  return result;
}

std::vector<Block> body(const ScalingRun& run, const std::vector<Stage>& /*stages*/) {
  const ScalingCase& high = run.high;
  std::vector<Block> blocks{
      Paragraph::heading("なぜ √d で割るのか", "Why scores are divided by √d"),
      Equation{formula::read("softmax(\\frac{q · k}{\\sqrt{d}})")},
      what_is_compared(run),
      comparison(run),
      Values{text("{} 次元の注意度、スケーリングなし", "weights for d = {}, unscaled", high.dim),
             to_array(high.weights, {"keys"})},
      Values{text("{} 次元の注意度、スケーリングあり", "weights for d = {}, scaled", high.dim),
             to_array(high.scaled_weights, {"keys"})},
      to_say(run),
      Paragraph::misunderstanding(
          "d はキーの個数（{}）ではなく、クエリとキーのベクトルの次元（{}）です。また、割っても大小の順は変わりません。最大はどちらもキー {} です。",
          "d is not the number of keys ({}) but the dimension of the query and of each key ({}). Nor does scaling change the order: key {} is the largest both times.",
          run.keys, high.dim, largest_index(high.weights)),
  };
  if (run.low.dim == 1) {
    blocks.emplace_back(Paragraph::note("d = 1 では √d = 1 なので、割っても変わりません。",
                                        "With d = 1, √d = 1: dividing changes nothing."));
  }
  if (run.limits == ScatterLimits::shared) {
    blocks.emplace_back(Paragraph::note(
        "教科書の図 2.2.14 では左下だけ縦軸が違います。ここでは 4 枚とも同じです（--limits book で教科書どおり）。",
        "In the textbook's fig. 2.2.14 the lower left panel has a vertical axis of its own; here all four share one (--limits book draws the book's)."));
  }
  return blocks;
}

std::size_t faint_keys(const Tensor<double>& weights) {
  const double threshold = 0.2 / static_cast<double>(weights.size());
  return static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [threshold](double w) { return w < threshold; }));
}

double faint_percent(std::size_t keys) { return 20.0 / static_cast<double>(keys); }

Text percent(double weight) {
  const std::string number = fmt::format("{:.0f}%", 100.0 * weight);
  if (number != "100%" || weight == 1.0) return Text::same(number);
  return {"ほぼ 100%", "almost 100%"};
}

Experiment scaling_experiment() {
  return Experiment{
      "scaling",
      {"√d で割らないと softmax は 1 個のキーに偏る", "without 1/√d softmax picks a single key"},
      {"教科書 図 2.2.13, 2.2.14、コード 2.2.5～2.2.7", "textbook fig. 2.2.13, 2.2.14, code 2.2.5 to 2.2.7"},
      {parameter("low-dim", IntegerKind{{1, 100'000}}, "1", "低い方の次元", "the low dimension"),
       parameter("high-dim", IntegerKind{{1, 100'000}}, "100", "高い方の次元", "the high dimension"),
       parameter("keys", IntegerKind{{2, 2'000}}, "20", "キーの個数", "number of keys"),
       parameter("limits", ChoiceKind{{"shared", "book"}}, "shared",
                 "散布図の縦軸。shared は 4 枚共通、book は教科書のコード 2.2.7 のとおり",
                 "vertical axes of the scatter: the same for all, or as in the textbook's code 2.2.7"),
       parameter("clip", NumberKind{{1e-6, 1.0}}, "0.1", "図 clipped の縦軸の上端",
                 "where the vertical axis of the figure `clipped` ends"),
       seed_parameter("0"), rng_parameter()},
      report_of<ScalingRun>}
      .with_inputs({{"query_low", {"low-dim"}},
                    {"query_high", {"high-dim"}},
                    {"keys_low", {"keys", "low-dim"}},
                    {"keys_high", {"keys", "high-dim"}}})
      .with_sliders({{"high-dim=2:1024:log:28"}});
}

}  // namespace attnlab
