// Attention's variants of today, each beside plain attention on the same inputs.
#include "experiments/variants/variants.hpp"

#include "attention/masks.hpp"
#include "core/constants.hpp"
#include "core/named.hpp"

namespace attnlab {
namespace {

constexpr const char* every_variant = "all";

std::vector<Parameter> parameters() {
  std::vector<std::string> names{every_variant};
  for (const AttentionVariant& variant : attention_variants()) names.push_back(variant.name);
  return {{"variant",
           ChoiceKind{names},
           every_variant,
           {"どの変種か。名前だけ書いてもよい：attnlab variants grouped",
            "which variant; its name alone will do: attnlab variants grouped"}},
          parameter("kv-heads", IntegerKind{{1, 8}}, "2",
                    "grouped：クエリの 8 ヘッドが共有するキーとバリューの個数（8 の約数）",
                    "grouped: how many keys and values 8 query heads share, a divisor of 8"),
          parameter("latent", IntegerKind{{1, 32}}, "4", "latent：キャッシュする潜在ベクトルの次元",
                    "latent: width of the latent vector that is cached"),
          parameter("window", IntegerKind{{1, 20}}, "4", "window、sink：窓の幅（自分を含む）",
                    "window, sink: keys in the window, a query's own included"),
          parameter("magnitude", NumberKind{{0.25, 4.0}}, "2", "norm：乱数のクエリとキーの倍率",
                    "norm: what multiplies the random queries and keys"),
          parameter("depth", IntegerKind{{1, 100}}, "3", "difference：λ を決める層の番号（1 から）",
                    "difference: the layer whose λ is taken, counted from 1"),
          parameter("decay", NumberKind{{0.01, 0.999}}, "0.8", "linear：状態が 1 トークンごとに減る割合 a",
                    "linear: what each token leaves of the state, a"),
          parameter("mixing", NumberKind{{0.0, 1.0}}, "0.3", "talking：ヘッドを混ぜる強さ（0 で混ぜない）",
                    "talking: how strongly heads are mixed; 0 leaves them apart"),
          parameter("kept", IntegerKind{{1, 24}}, "6", "sparse：クエリごとに選ぶキーの個数 k",
                    "sparse: keys that each query keeps, k"),
          seed_parameter("0"),
          rng_parameter()};
}

/// Those of variants.toml, each with its computation.
std::vector<AttentionVariant> read_variants() {
  ComputedVariants computed = variants_of_the_cache();
  for (ComputedVariants more : {variants_of_visible_keys(), variants_of_scored_keys(),
                                variants_of_mixed_weights(), variants_without_softmax()})
    computed.merge(more);
  std::vector<AttentionVariant> all;
  for (Sentences& row : read_sentences(variants_files().front(), "variant")) {
    AttentionVariant& variant = all.emplace_back(computed.at(row.at("name").en()));
    variant.name = row.at("name").en();
    variant.tolerance = std::stod(row.at("tolerance").en());
    variant.words = std::move(row);
  }
  return all;
}

/// A flag of another variant than the chosen one.
void refuse_idle_flags(const Arguments& arguments, const std::string& chosen) {
  const AttentionVariant* const variant = find_named(attention_variants(), chosen);
  if (variant == nullptr) return;  // all of them
  const std::vector<std::string> own = words_of(variant->words, "parameters");
  for (const AttentionVariant& other : attention_variants()) {
    for (const std::string& flag : words_of(other.words, "parameters")) {
      if (!arguments.is_set(flag) || std::count(own.begin(), own.end(), flag) > 0) continue;
      refuse_usage(text("--{} は {} のものです。選ばれているのは {} です",
                        "--{} belongs to {}, and the variant is {}", flag, other.name, chosen),
                   text("外すか、attnlab variants {} としてください",
                        "leave it out, or use attnlab variants {}", other.name));
    }
  }
}

std::vector<DeclaredInput> variant_inputs() {
  std::vector<DeclaredInput> all;
  for (const AttentionVariant& variant : attention_variants()) {
    for (DeclaredInput input : variant.inputs) {
      input.name.insert(0, variant_prefix(variant));
      all.push_back(std::move(input));
    }
  }
  return all;
}

/// What moves in the chosen variant, or the seed.
std::vector<DeclaredSlider> variant_sliders(Arguments& arguments) {
  const AttentionVariant* const chosen = find_named(attention_variants(), arguments.text("variant"));
  const std::string slider = chosen == nullptr ? "" : word_of(chosen->words, "slider");
  return {{slider.empty() ? "seed=0:19" : slider}};
}

// --- One variant, and the list of all

double error_of(const VariantRun& run) { return largest_difference(run.found, run.expected); }

/// Rounding grows with the numbers that go in; those that are drawn are near 1.
double tolerance_of(const VariantRun& run, const Tape& tape) {
  double largest = 1.0;
  if (!tape.any_read()) return run.variant->tolerance;
  for (const Stage& stage : tape.stages())
    for (const double value : stage.array.data)
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return run.variant->tolerance * largest;
}

std::vector<Block> words_on_one(const VariantRun& run) {
  const AttentionVariant& variant = *run.variant;
  return {
      Paragraph{Role::heading, variant.says("title")},
      Paragraph{Role::text, variant_text(run, "why")},
      Table{{Text::none(), {"式", "formula"}},
            {{Text{"ふつうのアテンション", "plain attention"}, variant.says("plain")},
             {variant.name, variant.says("formula")}}},
      Table{{{"数", "number"}, {"論文", "paper"}}, {{variant_text(run, "number"), variant.says("paper")}}},
      Table{{{"成り立つこと", "what must hold"}, {"差", "difference"}},
            {{variant.says("statement"), difference_text(error_of(run))}}},
      Paragraph{Role::say, variant_text(run, run.message)},
      Paragraph{Role::misunderstanding, variant_text(run, "misunderstanding")}};
}

std::vector<Block> words_on_all(const std::vector<VariantRun>& runs) {
  Table table{{{"変種", "variant"}, {"何が変わるか", "what changes"}, {"論文", "paper"}}};
  Table numbers{{{"変種", "variant"}, {"数", "number"}}};
  Table checks{{{"変種", "variant"}, {"成り立つこと", "what must hold"}, {"差", "difference"}}};
  for (const VariantRun& run : runs) {
    const AttentionVariant& variant = *run.variant;
    table.rows.push_back({variant.name, variant.says("title"), variant.says("paper")});
    numbers.rows.push_back({variant.name, variant_text(run, "number")});
    checks.rows.push_back({variant.name, variant.says("statement"), difference_text(error_of(run))});
  }
  return {
      Paragraph::heading("いまのアテンション：2017 年の式から何が変わったか",
                         "Attention today: what has changed in the formula of 2017"),
      std::move(table),
      std::move(numbers),
      std::move(checks),
      Paragraph::plain("`attnlab variants 名前` で、ふつうのアテンションと並べて描きます。",
                       "`attnlab variants NAME` draws it beside plain attention."),
      Paragraph::say("どの変種も、softmax(QKᵀ / √d) V の一か所だけを変えます。",
                     "Each of these changes one place of softmax(QKᵀ / √d) V."),
      Paragraph::misunderstanding(
          "新しいアテンションだからといって、別の仕組みではありません。変わるのは、何をキャッシュするか、どのキーを参照するか、重みをどう作るかです。",
          "A new kind of attention is no other mechanism: what changes is what is cached, which keys are visible, or how the weights are made.")};
}

}  // namespace

const std::vector<AttentionVariant>& attention_variants() {
  static const std::vector<AttentionVariant> table = read_variants();
  return table;
}

std::string variant_prefix(const AttentionVariant& variant) { return variant.name + "_"; }

Text variant_text(const VariantRun& run, const std::string& what) {
  SentenceValues values;
  for (const Scalar& number : run.numbers) values[number.name] = number.value;
  return filled(run.variant->says(what), values);
}

double number_of(const VariantRun& run, const std::string& name) {
  return find_named(run.numbers, name)->value;
}

VariantsRun VariantsRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::string& chosen = arguments.text("variant");
  refuse_idle_flags(arguments, chosen);
  VariantsRun run;
  run.tape = Tape(arguments, "");
  for (const AttentionVariant& variant : attention_variants()) {
    if (chosen != every_variant && chosen != variant.name) continue;
    run.tape.prefix_names(variant_prefix(variant));
    run.tape.start(arguments.text("rng"),
                   static_cast<std::uint32_t>(arguments.integer("seed")));  // each starts the stream anew
    run.runs.push_back(variant.compute(run.tape, arguments));
    run.runs.back().variant = &variant;
  }
  run.tape.prefix_names("");
  return run;
}

std::vector<Scalar> scalars(const VariantsRun& run) {
  std::vector<Scalar> all;
  for (const VariantRun& one : run.runs)
    for (const Scalar& number : one.numbers)
      all.push_back({variant_prefix(*one.variant) + number.name, number.value});
  return all;
}

std::vector<Invariant> invariants(const VariantsRun& run) {
  std::vector<Invariant> all;
  for (const VariantRun& one : run.runs)
    all.push_back({variant_prefix(*one.variant) + one.variant->says("check").en(),
                   one.variant->says("statement"), error_of(one), tolerance_of(one, run.tape)});
  return all;
}

std::vector<Block> body(const VariantsRun& run, const std::vector<Stage>& /*stages*/) {
  return run.runs.size() == 1 ? words_on_one(run.runs.front()) : words_on_all(run.runs);
}

Experiment variants_experiment() {
  Experiment experiment{"variants",
                        {"いまのアテンションの変種を、ふつうのアテンションと並べて見る",
                         "the variants of today beside plain attention"},
                        {"2019 年からの論文", "papers from 2019 on"},
                        parameters(),
                        report_of<VariantsRun>};
  experiment.sliders_of = variant_sliders;
  return std::move(experiment)
      .with_positionals({"variant"})
      .with_inputs(variant_inputs())
      .with_sliders({{"seed=0:19"}});
}

Tensor<double> write_entries(Tape& tape, const std::string& name, Spelt formula, const Tensor<double>& values,
                             Axes axes, std::vector<std::string> operands, const std::string& code,
                             const HowWritten& how) {
  const std::size_t steps = values.shape()[0];
  const auto line = [&](std::size_t step) {
    std::vector<std::size_t> index(values.dimension(), 0);
    index.front() = step;
    return worked::equation(worked::entry(name, index),
                            {how(step), values.flat(step * (values.size() / steps))});
  };
  return tape.step(name, std::move(formula), values, std::move(axes),
                   derived::worked(std::move(operands), worked::lines(steps, line), code));
}

void draw_scores(Tape& tape, std::size_t tokens, std::size_t width, const std::string& scores) {
  tape.normal("query", {tokens, width}, {"queries", "width"});
  tape.normal("key", {tokens, width}, {"keys", "width"});
  tape.product_with_transpose("raw_scores", "Q K^T", "query", "key", {"queries", "keys"});
  tape.scaled(scores, "\\frac{Q K^T}{\\sqrt{d}}", "raw_scores", over_root(width));
}

Tensor<double> record_visible(Tape& tape, const std::string& name, const Tensor<bool>& visible,
                              const std::string& code) {
  tape.step(name + "_mask", Formula{}, additive_mask(visible, -infinity), {"queries", "keys"},
            derived::input(code));
  tape.sum(name + "_masked", "S + M", "scores", name + "_mask");
  return tape.softmax(name + "_weights", "softmax(S + M)", name + "_masked");
}

Tensor<double> record_plain_causal(Tape& tape, std::size_t tokens) {
  return record_visible(tape, "plain", causal_mask(tokens, tokens),
                        fmt::format("causal_mask({0}, {0}, 0, -np.inf)", tokens));
}

AttentionStages<double> attend_as(Tape& tape, const std::string& prefix, const std::string& query,
                                  const std::string& key, const std::string& value,
                                  std::optional<double> scale) {
  RecordedAttention recorded;
  recorded.prefix = prefix;
  return tape.attention(query, key, value, scale, recorded);
}

}  // namespace attnlab
