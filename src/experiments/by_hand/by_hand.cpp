// One example on the blackboard, from three words to the next one: every number is worked by hand.
#include "experiments/by_hand/by_hand.hpp"

#include "attention/layer_norm.hpp"
#include "attention/masks.hpp"
#include "attention/weight_layout.hpp"
#include "experiments/by_hand/example.hpp"

namespace attnlab {
namespace {

// --- The example. A word's three numbers: how much of the one meaning, how much of the other, whether of
// both.

/// river, bank, lends: "bank" means water or money.
Tensor<double> words_as_numbers() { return {{2, 0, 0}, {1, 1, 1}, {0, 2, 0}}; }
/// Other words, as small and as whole: one of one meaning, one of both, one of one meaning, so that in each
/// head some word reads another one more than itself or less.
Tensor<double> words_drawn(std::uint32_t seed) {
  RandomStream stream = random_stream("numpy", seed);
  const auto one_of = [&stream](std::size_t count) {
    return static_cast<std::size_t>(std::abs(stream.randn({1}).flat(0)) * 1e6) % count;
  };
  Tensor<double> x = xt::zeros<double>({3, 3});
  for (const std::size_t word : {std::size_t{0}, std::size_t{2}})
    x(word, one_of(2)) = static_cast<double>(1 + one_of(3));
  do {
    for (std::size_t meaning = 0; meaning < 2; ++meaning) x(1, meaning) = static_cast<double>(1 + one_of(2));
  } while (x(1, 0) + x(1, 1) - 2.0 == x(0, 0) + x(0, 1));  // scores of one size
  x(1, 2) = 1.0;
  return x;
}

/// Head 1: a word of both meanings asks, for either. Head 2: a word of one meaning asks, for those of both.
Tensor<double> w_query() { return {{{0, 0}, {0, 0}, {1, 1}}, {{1, 0}, {0, 1}, {-1, -1}}}; }
/// And the other way round.
Tensor<double> w_key() { return {{{1, 0}, {0, 1}, {-1, -1}}, {{0, 0}, {0, 0}, {1, 1}}}; }
/// Head 1: which of both is meant. Head 2: that a word of both stands there.
Tensor<double> w_value() {
  using Column = std::initializer_list<std::initializer_list<double>>;
  return {Column{{1}, {-1}, {0}}, Column{{0}, {0}, {1}}};
}
/// Head 1 moves a word from one meaning to the other; head 2 adds to the third number.
Tensor<double> w_output() { return {{1, -1, 0}, {0, 0, 1}}; }
/// What may come next, a column each: bank (water was read, and no word of both), what water does, what money
/// does, the full stop (a word of both was read).
Tensor<double> w_next() { return {{2, 1, 0, -2}, {1, 0, 1, 1}, {-2, 0, 0, 1}}; }

void give_mask(Tape& tape, std::size_t words, bool is_causal) {
  constexpr double hidden = -std::numeric_limits<double>::infinity();
  const BooleanMask readable = is_causal ? causal_mask(words, words) : no_mask(words, words);
  tape.input_or(
      "mask", additive_mask(readable, hidden), {"queries", "keys"},
      fmt::format(is_causal ? "np.triu(np.full(({0}, {0}), -np.inf), 1)" : "np.zeros(({0}, {0}))", words));
}

ByHandRun computed(const Arguments& arguments, bool is_masked) {
  ByHandRun run;
  run.is_masked = is_masked;
  run.base = arguments.number("base");
  run.base_name = run.base == std::exp(1.0) ? "e" : fmt::format("{:.4g}", run.base);
  const Formula base = formula::sym(run.base_name);
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  Tape& tape = run.tape = Tape(arguments, "");
  const Axes projection{"heads", "width", "head_width"};
  run.x = tape.input_or("x", run.seed == 0 ? words_as_numbers() : words_drawn(run.seed), {"words", "width"});
  tape.input_or("w_query", w_query(), projection);
  tape.input_or("w_key", w_key(), projection);
  tape.input_or("w_value", w_value(), projection);
  tape.product("query", "X W_Q", "x", "w_query", {"heads", "queries", "head_width"});
  tape.product("key", "X W_K", "x", "w_key", {"heads", "keys", "head_width"});
  tape.product("value", "X W_V", "x", "w_value", {"heads", "keys", "head_width"});
  tape.product_with_transpose("scores", "Q K^T", "query", "key", {"heads", "queries", "keys"});
  give_mask(tape, run.x.shape()[0], is_masked);
  tape.sum("masked", "Q K^T + M", "scores", "mask");
  tape.power("powers", formula::sup(base, formula::read("S + M")), "masked", run.base);
  run.weights = tape.row_share("weights", "\\frac{P}{Σ P}", "powers");
  tape.product("head_output", "A V", "weights", "value", {"heads", "queries", "head_width"});
  tape.join_heads("concat", "[A_1 V_1, A_2 V_2]", "head_output", {"words", "heads_width"});
  tape.input_or("w_output", w_output(), {"heads_width", "width"});
  tape.product("output", "Z W_O", "concat", "w_output", {"words", "width"});
  const Tensor<double> residual = tape.sum("residual", "X + Z W_O", "x", "output");
  const std::size_t width = run.x.shape()[1];
  constexpr double eps = 1e-12;  // only a row of zeros feels it
  const Tensor<double> gain = tape.input_or("gain", xt::ones<double>({width}), {"width"});
  run.normed = tape.step("normed", "norm(R)", rms_norm(residual, gain, eps), {"words", "width"},
                         derived::rms_norm("residual", "gain", eps));
  tape.input_or("w_next", w_next(), {"width", "vocabulary"});
  tape.product("logits", "N W_next", "normed", "w_next", {"words", "vocabulary"});
  tape.power("next_powers", formula::sup(base, formula::sym("L")), "logits", run.base);
  run.probability = tape.row_share("probability", "\\frac{P}{Σ P}", "next_powers");
  return run;
}

constexpr double even = 1e-9;  // what rounding leaves of no difference

/// The sum of its differences from an even share of what it may read; 0 of a word that reads itself alone.
double distance_from_even(const ByHandRun& run, std::size_t head, std::size_t word) {
  const std::size_t readable = run.is_masked ? word + 1 : run.words.size();
  double sum = 0.0;
  for (std::size_t key = 0; key < readable; ++key)
    sum += std::abs(run.weights(head, word, key) - 1.0 / static_cast<double>(readable));
  return sum;
}

bool reads_evenly(const ByHandRun& run, std::size_t head, std::size_t word) {
  return run.words.size() > 1 && distance_from_even(run, head, word) < even && !(run.is_masked && word == 0);
}

Table table_of_words(const ByHandRun& run) {
  Table table{{{"語", "word"},
               {"ヘッド 1 の参照先", "head 1 attends to"},
               {"ヘッド 2 の参照先", "head 2 attends to"},
               {"次の語", "next"},
               {"確率", "probability"}}};
  for (std::size_t word = 0; word < run.words.size(); ++word) {
    std::vector<ShortText> row{run.words[word]};
    for (std::size_t head = 0; head < run.weights.shape()[0]; ++head) {
      const std::size_t key = most_read(run, head, word);
      row.emplace_back(reads_evenly(run, head, word)
                           ? Text{"（どれも等しい）", "(all equal)"}
                           : text("{} {:.3f}", "{} {:.3f}", run.words[key], run.weights(head, word, key)));
    }
    row.emplace_back(next_words(run, run.probability, word));
    row.emplace_back(fmt::format("{:.4f}", run.probability(word, likeliest(run.probability, word).front())));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::size_t head_width_of(const ByHandRun& run) { return run.tape.numbers_of("query").shape()[2]; }

/// e^(1/√d_k), a Transformer's.
double base_of_e(const ByHandRun& run) {
  return std::exp(1.0 / std::sqrt(static_cast<double>(head_width_of(run))));
}

Text with_other_mask(const ByHandRun& run, std::size_t word) {
  const Text next = next_words(run, run.other_probability, word);
  if (run.is_masked) return text("マスクがなければ{}です。", "Without the mask it would be {}.", next);
  return text("マスクがあれば{}です。", "With the mask it would be {}.", next);
}

/// The vectors themselves would make a word read another one than W_Q and W_K do.
Paragraph not_by_likeness(const ByHandRun& run, std::size_t word) {
  const std::size_t read = most_read(run, 0, word);
  double own = 0.0;
  double other = 0.0;
  for (std::size_t i = 0; i < run.x.shape()[1]; ++i) {
    own += run.x(word, i) * run.x(word, i);
    other += run.x(word, i) * run.x(read, i);
  }
  if (read == word || own <= other) {
    return Paragraph::misunderstanding(
        "注意度は、語のベクトルどうしの近さではありません。どのクエリがどのキーに合うかは W_Q と W_K が決めます。",
        "A weight is not the similarity of two words' vectors: W_Q and W_K decide which query matches which key.");
  }
  return Paragraph::misunderstanding(
      "注意度は、語のベクトルどうしの近さではありません。内積では「{0}」は自分自身（{1:.3g}）のほうが「{2}」（{3:.3g}）より近いのに、「{2}」を参照します。決めるのは W_Q と W_K です。",
      "A weight is not the similarity of two words' vectors. By dot product {0} is closer to itself ({1:.3g}) than to {2} ({3:.3g}), and still attends to {2}: W_Q and W_K decide.",
      run.words[word], own, run.words[read], other);
}

}  // namespace

ByHandRun ByHandRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const bool is_masked = arguments.text("mask") == "causal";
  ByHandRun run = computed(arguments, is_masked);
  const bool is_own = run.tape.any_read();
  std::vector<ShortText> words;
  if (!is_own && run.seed == 0) words = names_by_hand();
  std::vector<ShortText> next;
  if (!is_own) {
    next = {Text{"はしで", "bank"}, Text{"釣る", "floods"}, Text{"食べる", "lends"}, Text{"。", "."}};
    run.coordinates = {Text{"水", "water"}, Text{"食", "money"}, Text{"両義", "both"}};
  }
  run.words = names_of_rows(arguments, "labels", run.x.shape()[0], words);
  run.vocabulary = names_of_rows(arguments, "next", run.probability.shape()[1], next);
  const ByHandRun other = computed(arguments, !is_masked);
  run.other_weights = other.weights;
  run.other_probability = other.probability;
  return run;
}

std::size_t asking_word(const ByHandRun& run, std::size_t head) {
  const std::size_t words = run.words.size();
  Tensor<double> spread = Tensor<double>::from_shape({words});
  for (std::size_t word = 0; word < words; ++word) spread(word) = distance_from_even(run, head, word);
  return largest_index(spread);
}

Text reading_of(const ByHandRun& run, std::size_t head) {
  const std::size_t word = asking_word(run, head);
  if (distance_from_even(run, head, word) < even)
    return {"どの語も、参照できる語を均等に参照する", "every word attends uniformly to the words it may see"};
  const std::size_t key = most_read(run, head, word);
  return text("「{}」は「{}」に {:.3g} の注意度を置く", "{} attends to {} with {:.3g}", run.words[word],
              run.words[key], run.weights(head, word, key));
}

std::size_t most_read(const ByHandRun& run, std::size_t head, std::size_t word) {
  return largest_in_row(run.weights, head * run.words.size() + word);
}

std::vector<std::size_t> likeliest(const Tensor<double>& probability, std::size_t word) {
  return largest_of_all(values_of(probability, word), even);
}

Text next_words(const ByHandRun& run, const Tensor<double>& probability, std::size_t word) {
  const std::vector<std::size_t> best = likeliest(probability, word);
  Text names = text("「{}」", "{}", run.vocabulary[best.front()]);
  for (std::size_t i = 1; i < best.size(); ++i)
    names = text("{}か「{}」", "{} or {}", names, run.vocabulary[best[i]]);
  return names;
}

std::vector<Scalar> scalars(const ByHandRun& run) {
  const std::size_t asking = asking_word(run, 0);
  const std::size_t read = most_read(run, 0, asking);
  return {{"asking_word", static_cast<double>(asking)},
          {"most_read_word", static_cast<double>(read)},
          {"largest_weight", run.weights(0, asking, read)},
          {"next_probability", run.probability(asking, likeliest(run.probability, asking).front())},
          {"next_probability_other_mask",
           run.other_probability(asking, likeliest(run.other_probability, asking).front())},
          {"base_of_e", base_of_e(run)}};
}

std::vector<Invariant> invariants(const ByHandRun& run) {
  constexpr double rounding = 1e-12;
  const Tensor<double> masked = run.tape.numbers_of("masked");
  const Tensor<double> mean_square = xt::mean(run.normed * run.normed, {1});
  std::vector<Invariant> all{
      invariant("weights_sum_to_one", row_sum_error(run.weights), rounding, "どの行の注意度も和は 1",
                "every row of the weights sums to 1"),
      invariant("norm_of_one",
                worst_of(mean_square.size(),
                         [&](std::size_t i) {
                           return mean_square.flat(i) == 0.0 ? 0.0 : std::abs(mean_square.flat(i) - 1.0);
                         }),
                1e-9, "正規化した行の 2 乗の平均は 1", "the mean square of a normalised row is 1"),
      invariant("probabilities_sum_to_one", row_sum_error(run.probability), rounding, "次の語の確率の和は 1",
                "the next word's probabilities sum to 1")};
  if (run.is_masked)
    all.push_back(invariant("nothing_leaks", largest(xt::where(xt::isinf(masked), run.weights, 0.0)), 0.0,
                            "マスクした語への注意度は 0", "masked words get a weight of 0"));
  return all;
}

std::vector<Block> body(const ByHandRun& run, const std::vector<Stage>& stages) {
  const std::size_t asking = asking_word(run, 0);
  std::vector<Block> blocks{
      Paragraph::heading("手で計算する：3 つの語から次の語まで", "By hand: from three words to the next one"),
      Equation{formula::read("Q = X W_Q , K = X W_K , V = X W_V")},
      shape_trace(stages),
      Values{{"ヘッド 1 とヘッド 2 の注意度", "weights of head 1 and head 2"},
             to_array(run.weights, {"heads", "queries", "keys"})},
      table_of_words(run),
      Paragraph::say("ヘッド 1：{}。「{}」の次の語は{}です。{}",
                     "Head 1: {}. After {} the next word is {}. {}", reading_of(run, 0), run.words[asking],
                     next_words(run, run.probability, asking), with_other_mask(run, asking)),
      not_by_likeness(run, asking)};
  if (run.base == 2.0) {
    blocks.emplace_back(Paragraph::note(
        "softmax の底を 2 にしたのは、累乗が暗算でき、注意度が分数で出るからです。Transformer では e^(1/√d_k) です（d_k = {}：約 {:.3g}）。",
        "The base of this softmax is 2, so that the powers are easy and the weights are fractions. A Transformer uses e^(1/√d_k), about {1:.3g} for d_k = {0}.",
        head_width_of(run), base_of_e(run)));
  }
  blocks.emplace_back(Paragraph::note(
      "正規化は平均を引かない RMS ノルムです（Llama など。Zhang・Sennrich 2019）。開平は 1 行に 1 回で済みます。",
      "The norm is the one without a mean (RMS norm, Zhang and Sennrich 2019, as in Llama): one root for each row."));
  return blocks;
}

Experiment by_hand_experiment() {
  Parameter labels = parameter("labels", WordsKind{}, "", "語の名前。コンマ区切り",
                               "names of the words, separated by commas");
  Parameter next = parameter("next", WordsKind{}, "", "次に来る語の名前。コンマ区切り",
                             "names of the words that may come next, separated by commas");
  Parameter mask = parameter("mask", ChoiceKind{{"causal", "none"}}, "causal", "後ろの語をマスクするか",
                             "whether later words are masked");
  Parameter base =
      parameter("base", NumberKind{{1.01, 100.0}}, "2", "softmax の底", "the base of the softmax");
  Parameter seed = parameter("seed", IntegerKind{{0, 4294967295}}, "0",
                             "0 は例の語。ほかは、同じくらい小さな整数の語を引く種",
                             "0: the words of the example; other seeds draw words of equally small integers");
  return Experiment{"by-hand",
                    {"黒板で計算する：3 つの語、2 つのヘッド、次の語",
                     "on the blackboard: three words, two heads, the next word"},
                    {"スライド「予告：GPT のアーキテクチャ」を小さな整数で",
                     "slides, GPT preview (LSM), with small whole numbers"},
                    {std::move(labels), std::move(next), std::move(mask), std::move(base), std::move(seed)},
                    report_of<ByHandRun>}
      .with_inputs({{"x", {"words?", "width?"}},
                    {"w_query", {"2", "width?", "head width?"}},
                    {"w_key", {"2", "width?", "head width?"}},
                    {"w_value", {"2", "width?", "value width?"}},
                    {"w_output", {"heads × value width?", "width?"}},
                    {"gain", {"width?"}},
                    {"w_next", {"width?", "vocabulary?"}}})
      .with_sliders({{"base=2:10:9"}});
}

}  // namespace attnlab
