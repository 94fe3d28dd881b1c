// Masks: the same scores with no mask, a causal one, padding and a window, and what a finite mask lets
// through.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/masks/masks.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"

namespace attnlab {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double lowest_float16 = -65504.0;

std::vector<Parameter> parameters() {
  return {
      {"queries", IntegerKind{{1, 128}}, "6", {"クエリの個数", "how many queries"}},
      {"keys", IntegerKind{{1, 128}}, "6", {"キーの個数", "how many keys"}},
      {"width", IntegerKind{{1, 1024}}, "8", {"クエリとキーの次元 d", "width d of queries and keys"}},
      mask_parameter("causal"),
      {"alignment",
       ChoiceKind{{"bottom-right", "top-left"}},
       "bottom-right",
       {"クエリとキーの個数が違うとき、因果マスクの三角をどの角に揃えるか",
        "which corner the causal triangle touches when queries and keys differ in number"}},
      {"hidden",
       ChoiceKind{{"-inf", "-1e9", "-1e5", "float16"}},
       "-inf",
       {"隠すキーのスコアに足す数。float16 は半精度の最小値 -65504",
        "what is added to the scores of hidden keys; float16: its lowest, -65504"}},
      {"masked-row",
       ChoiceKind{{"nan", "zero", "uniform"}},
       "nan",
       {"読めるキーがない行の注意度", "the weights of a row without a key to read"}},
      {"magnitude",
       NumberKind{{1e-6, 1e12}},
       "1",
       {"スコアに掛ける数。大きいと有限のマスクは漏れる",
        "multiplies the scores; finite masks leak when it is large"}},
      seed_parameter("0"),
      rng_parameter(),
  };
}

double hidden_value(const std::string& text) {
  if (text == "-1e9") return -1e9;
  if (text == "-1e5") return -1e5;
  return text == "float16" ? lowest_float16 : -infinity;
}

MaskedRow masked_row(const std::string& text) {
  if (text == "zero") return MaskedRow::zero;
  return text == "uniform" ? MaskedRow::uniform : MaskedRow::nan;
}

MasksSettings settings_of(const Arguments& arguments) {
  MasksSettings settings;
  settings.queries = arguments.count("queries");
  settings.keys = arguments.count("keys");
  settings.width = arguments.count("width");
  settings.choice = parse_mask(arguments.text("mask"), settings.keys);
  settings.alignment =
      arguments.text("alignment") == "top-left" ? CausalAlignment::top_left : CausalAlignment::bottom_right;
  settings.hidden_text = arguments.text("hidden");
  settings.hidden = hidden_value(settings.hidden_text);
  settings.masked_row = masked_row(arguments.text("masked-row"));
  settings.magnitude = arguments.number("magnitude");
  settings.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  settings.rng = arguments.text("rng");
  return settings;
}

Text combination_title(const MaskChoice& choice) {
  std::string parts;
  const auto add = [&parts](const std::string& part) { parts += (parts.empty() ? "" : " + ") + part; };
  if (choice.causal) add("causal");
  if (choice.padding) add(fmt::format("padding:{}", choice.padded));
  if (choice.window) add(fmt::format("window:{}", choice.reach));
  return Text::same(parts.empty() ? "none" : parts);
}

Report run_masks(const Arguments& arguments, const Context&) {
  const MasksRun run = compute_masks(settings_of(arguments));
  Report report;
  report.stages = masks_trace(run);
  report.body = masks_body(run);
  report.scalars = masks_scalars(run);
  report.invariants = masks_invariants(run);
  report.figures = masks_figures(run);
  return report;
}

}  // namespace

MaskInputs draw_inputs(const MasksSettings& settings) {
  RandomStream random = random_stream(settings.rng, settings.seed);
  MaskInputs inputs;  // drawn in this order
  inputs.query = random.randn({settings.queries, settings.width});
  inputs.key = random.randn({settings.keys, settings.width});
  inputs.value = random.randn({settings.keys, settings.width});
  inputs.raw_scores = matmul(inputs.query, attnlab::transpose(inputs.key));
  inputs.scores = inputs.raw_scores * score_scale(settings);
  return inputs;
}

double score_scale(const MasksSettings& settings) {
  return settings.magnitude / std::sqrt(static_cast<double>(settings.width));
}

// softmax(scores + M), one line per stage.
MaskedAttention attend_masked(const MaskInputs& inputs, const MasksSettings& settings, std::string name,
                              const Text& title, const BooleanMask& mask) {
  MaskedAttention result{std::move(name), title, mask, {}, {}, {}, {}};
  result.additive = additive_mask(mask, settings.hidden);
  result.masked = inputs.scores + result.additive;
  result.weights = with_masked_rows(softmax(result.masked), result.masked, settings.masked_row);
  result.leak = leaked_mass(result.weights, mask);
  return result;
}

MasksRun compute_masks(const MasksSettings& settings) {
  const std::size_t queries = settings.queries;
  const std::size_t keys = settings.keys;
  const MaskChoice& choice = settings.choice;
  MasksRun run;
  run.settings = settings;
  run.inputs = draw_inputs(settings);
  const auto attend = [&](const char* name, const Text& title, const BooleanMask& mask) {
    return attend_masked(run.inputs, settings, name, title, mask);
  };
  run.kinds = {
      attend("none", {"マスクなし", "No mask"}, no_mask(queries, keys)),
      attend("causal", {"因果（causal）", "Causal"}, causal_mask(queries, keys, settings.alignment)),
      attend("padding",
             {fmt::format("パディング：最後の {} 個", choice.padded),
              fmt::format("Padding: last {}", choice.padded)},
             padding_mask(queries, keys, choice.padded)),
      attend("window", {fmt::format("窓：±{} 個", choice.reach), fmt::format("Window: ±{}", choice.reach)},
             window_mask(queries, keys, choice.reach)),
  };
  run.chosen =
      attend("", combination_title(choice), combined_mask(choice, queries, keys, settings.alignment));
  run.output = matmul(run.chosen.weights, run.inputs.value);
  run.sweep = sweep_leak(settings, run.inputs.raw_scores, {&run.chosen, &run.kinds[1]});
  return run;
}

bool is_combination(const MaskChoice& choice) {
  return static_cast<int>(choice.causal) + static_cast<int>(choice.padding) +
             static_cast<int>(choice.window) >
         1;
}

std::vector<std::size_t> rows_without_keys(const BooleanMask& mask) {
  const std::size_t keys = mask.shape().back();
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < mask.shape().front(); ++row) {
    const bool* first = mask.data() + row * keys;
    if (std::none_of(first, first + keys, [](bool may_read) { return may_read; })) rows.push_back(row);
  }
  return rows;
}

double largest_leak(const MaskedAttention& attention) {
  const std::vector<std::size_t> empty = rows_without_keys(attention.mask);
  double largest = 0.0;
  for (std::size_t row = 0; row < attention.leak.size(); ++row) {
    if (std::find(empty.begin(), empty.end(), row) != empty.end()) continue;
    largest = std::max(largest, attention.leak(row));
  }
  return largest;
}

std::string hidden_name(double hidden) {
  if (hidden == -1e9) return "−10⁹";
  if (hidden == -1e5) return "−10⁵";
  return hidden == lowest_float16 ? "−65504" : "−∞";
}

Experiment masks_experiment() {
  return {"masks",
          {"因果・パディング・窓のマスクと、−∞ でないマスクの漏れ",
           "causal, padding and window masks, and what a finite mask leaks"},
          {"講座 Task 1（加算するマスク M）、教科書 2.5 節への予告",
           "course task 1 (the additive mask M); announced for the textbook's section 2.5"},
          parameters(),
          run_masks};
}

}  // namespace attnlab
