// Masks: the same scores with no mask, a causal one, padding and a window, and what a finite mask lets
// through.
#include "experiments/masks/masks.hpp"

#include "core/named.hpp"
#include "experiments/by_hand/example.hpp"

namespace attnlab {
namespace {

std::vector<Parameter> parameters() {
  std::vector<std::string> hidden;
  hidden.reserve(hidden_values.size());
  for (const HiddenValue& one : hidden_values) hidden.emplace_back(one.flag);
  return {
      parameter("queries", IntegerKind{{1, 128}}, "6", "クエリの個数", "number of queries"),
      parameter("keys", IntegerKind{{1, 128}}, "6", "キーの個数", "number of keys"),
      parameter("width", IntegerKind{{1, 1024}}, "8", "クエリとキーの次元 d", "width d of queries and keys"),
      mask_parameter("causal"),
      parameter(
          "alignment", ChoiceKind{{"bottom-right", "top-left"}}, "bottom-right",
          "クエリとキーの個数が違うとき、causal と window の位置を最後（右下）で揃えるか最初（左上）で揃えるか",
          "how causal and window align when queries and keys differ in number: at the last of each, or the first"),
      parameter("hidden", ChoiceKind{hidden}, "-inf",
                "マスクするキーのスコアに足す数。float16 は半精度の最小値 -65504",
                "added to the scores of masked keys; float16: its lowest value, -65504"),
      parameter("masked-row", ChoiceKind{{"nan", "zero", "uniform"}}, "nan", "参照できるキーがない行の注意度",
                "the weights of a row without a visible key"),
      parameter("magnitude", NumberKind{{1e-6, 1e12}}, "1",
                "スコアに掛ける数。大きいと有限のマスクは漏れます",
                "multiplies the scores; finite masks leak when it is large"),
      seed_parameter("0"),
      rng_parameter(),
  };
}

MasksSettings settings_of(const Arguments& arguments) {
  MasksSettings settings;
  settings.queries = arguments.count("queries");
  settings.keys = arguments.count("keys");
  settings.width = arguments.count("width");
  settings.choice = parse_mask(arguments.text("mask"), settings.keys);
  settings.alignment = arguments.chosen<CausalAlignment>("alignment");
  settings.hidden = hidden_values.at(arguments.chosen<std::size_t>("hidden")).value;
  settings.masked_row = arguments.chosen<MaskedRow>("masked-row");
  settings.magnitude = arguments.number("magnitude");
  settings.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  settings.rng = arguments.text("rng");
  return settings;
}

/// "causal + window:2"
Text combination_title(const MaskChoice& choice) {
  std::vector<std::string> names;
  if (choice.causal) names.emplace_back("causal");
  if (choice.padding) names.push_back(fmt::format("padding:{}", choice.padded));
  if (choice.window) names.push_back(fmt::format("window:{}", choice.reach));
  return Text::same(names.empty() ? "none" : joined(names, " + "));
}

/// The masks that --mask names, put together.
std::string combination_code(const MaskChoice& choice) {
  std::string code;
  const auto add = [&code](bool is_chosen, const std::string& name) {
    if (is_chosen) code = code.empty() ? name : fmt::format("np.minimum({}, {})", code, name);
  };
  add(choice.causal, "mask_causal");
  add(choice.padding, "mask_padding");
  add(choice.window, "mask_window");
  return code.empty() ? "mask_none" : code;
}

/// Any number that hides: float16's lowest is -65504.
constexpr double hides_from = -1e4;

/// --input mask=FILE in place of the chosen mask. Throws Error (usage) beside --mask.
void take_user_mask(MasksRun& run, const Arguments& arguments) {
  if (find_named(arguments.sources.arrays, "mask") == nullptr) return;
  if (arguments.is_set("mask")) {
    refuse_usage(
        {"--mask と --input mask は同時に指定できません", "--mask and --input mask cannot be given together"},
        {"どちらか一方にしてください", "give one of them"});
  }
  const Tensor<double> additive =
      *run.tape.mask("mask", {{}, std::nullopt, run.settings.queries, run.settings.keys});
  BooleanMask readable = run.chosen().mask;
  std::transform(additive.begin(), additive.end(), readable.begin(),
                 [](double value) { return value > hides_from; });
  run.has_user_mask = true;
  const Text title{"入力のマスク", "Your mask"};
  run.masks.back() = attend_masked(run.drawn.scores, readable, additive, run.settings.masked_row);
  run.masks.back().title = title;
  run.promised.back() = attend_masked(run.drawn.scores, readable, minus_infinity, MaskedRow::nan);
}

}  // namespace

MasksRun MasksRun::compute(const Arguments& arguments, const Context& /*context*/) {
  MasksRun run;
  run.tape = Tape(arguments);
  run.settings = settings_of(arguments);
  const MasksSettings& settings = run.settings;
  const std::size_t queries = settings.queries;
  const std::size_t keys = settings.keys;
  const MaskChoice& choice = settings.choice;
  run.drawn = draw_inputs(settings, run.tape);
  const std::string hidden = settings.hidden == minus_infinity ? "-np.inf" : python_repr(settings.hidden);
  const auto attend = [&](const char* name, const Text& title, const BooleanMask& mask,
                          const std::string& code) {
    run.masks.push_back(attend_masked(run.drawn.scores, mask, settings.hidden, settings.masked_row));
    run.masks.back().name = name;
    run.masks.back().title = title;
    run.masks.back().code = code;
    run.promised.push_back(attend_masked(run.drawn.scores, mask, minus_infinity, MaskedRow::nan));
  };
  attend("none", {"マスクなし", "No mask"}, no_mask(queries, keys),
         fmt::format("np.zeros(({}, {}))", queries, keys));
  const bool at_the_end = settings.alignment == CausalAlignment::bottom_right;
  const std::string offset = at_the_end ? fmt::format("{} - {}", keys, queries) : "0";
  attend("causal", {"因果（causal）", "Causal"}, causal_mask(queries, keys, settings.alignment),
         fmt::format("causal_mask({}, {}, {}, {})", queries, keys, offset, hidden));
  attend("padding", text("パディング：{} 個", "Padding: last {}", choice.padded),
         padding_mask(queries, keys, choice.padded),
         fmt::format("padding_mask({}, {}, {}, {})", queries, keys, choice.padded, hidden));
  attend("window", text("窓：±{} 個", "Window: ±{}", choice.reach),
         window_mask(queries, keys, choice.reach, settings.alignment),
         fmt::format("window_mask({}, {}, {}, {}, {})", queries, keys, offset, choice.reach, hidden));
  attend("", combination_title(choice), combined_mask(choice, queries, keys, settings.alignment),
         combination_code(choice));
  take_user_mask(run, arguments);
  run.has_requested = run.has_user_mask || arguments.is_set("mask");
  report_state(run);
  return run;
}

bool MaskedAttention::reads_nothing(std::size_t row) const {
  return std::binary_search(rows_without_keys.begin(), rows_without_keys.end(), row);
}

MaskInputs draw_inputs(const MasksSettings& settings, Tape& tape) {
  MaskInputs drawn;  // in this order
  drawn.query = tape.normal("query", {settings.queries, settings.width}, {"queries", "width"});
  drawn.key = tape.normal("key", {settings.keys, settings.width}, {"keys", "width"});
  drawn.value = tape.normal("value", {settings.keys, settings.width}, {"keys", "width"});
  tape.product_with_transpose("raw_scores", "Q K^T", "query", "key", {"queries", "keys"});
  drawn.scores =
      tape.scaled("scores", "\\frac{Q K^T}{\\sqrt{d}}", "raw_scores",
                  settings.magnitude == 1.0 ? over_root(settings.width) : times(score_scale(settings)));
  return drawn;
}

double score_scale(const MasksSettings& settings) {
  return settings.magnitude / std::sqrt(static_cast<double>(settings.width));
}

MaskedAttention attend_masked(const Tensor<double>& scores, const BooleanMask& mask, double hidden,
                              MaskedRow rule) {
  return attend_masked(scores, mask, additive_mask(mask, hidden), rule);
}

MaskedAttention attend_masked(const Tensor<double>& scores, const BooleanMask& mask,
                              const Tensor<double>& additive, MaskedRow rule) {
  MaskedAttention result;
  result.mask = mask;
  const std::vector<std::size_t> readable = readable_keys(mask);
  for (std::size_t row = 0; row < readable.size(); ++row)
    if (readable[row] == 0) result.rows_without_keys.push_back(row);
  result.additive = additive;
  result.masked = scores + result.additive;
  result.weights = with_masked_rows(softmax(result.masked), result.masked, rule);
  result.leak = leaked_mass(result.weights, mask);
  for (std::size_t row = 0; row < result.leak.size(); ++row) {
    if (!result.reads_nothing(row)) result.largest_leak = std::max(result.largest_leak, result.leak(row));
  }
  return result;
}

std::vector<std::size_t> readable_keys(const BooleanMask& mask) {
  const std::size_t keys = mask.shape().back();
  std::vector<std::size_t> counts;
  for (const bool* row = mask.data(); row != mask.data() + mask.size(); row += keys)
    counts.push_back(static_cast<std::size_t>(std::count(row, row + keys, true)));
  return counts;
}

std::vector<MaskedAttention> shown_masks(const MasksRun& run) {
  const MaskChoice& choice = run.settings.choice;
  const std::array<bool, 3> chosen{choice.causal, choice.padding, choice.window};
  const bool combined = run.has_user_mask || std::count(chosen.begin(), chosen.end(), true) > 1;
  return {run.masks.begin(), run.masks.end() - (combined ? 0 : 1)};
}

double smallest_sum_when_zeroed_late(const MasksRun& run) {
  const auto smallest_of = [&run](const BooleanMask& mask) {
    return 1.0 - largest(leaked_mass(run.masks[0].weights, mask));  // of the weights without a mask
  };
  const double chosen = smallest_of(run.chosen().mask);
  return chosen < 1.0 ? chosen : smallest_of(run.masks[1].mask);
}

Experiment masks_experiment() {
  return Experiment{"masks",
                    {"因果・パディング・窓のマスクと、−∞ でないマスクの漏れ",
                     "causal, padding and window masks, and what a finite mask leaks"},
                    {"講座 Task 1（加算するマスク M）、教科書 2.5 節への予告",
                     "course task 1 (the additive mask M); announced for the textbook's section 2.5"},
                    parameters(),
                    report_of<MasksRun>}
      .with_inputs({{"query", {"queries", "width"}},
                    {"key", {"keys", "width"}},
                    {"value", {"keys", "width"}},
                    {"mask", {"...", "queries", "keys"}, true}})
      .with_example(words_by_hand(2))
      .with_sliders({{"magnitude=0.1:10:log:31"}});
}

}  // namespace attnlab
