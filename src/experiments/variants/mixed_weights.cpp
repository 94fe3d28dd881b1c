// Weights made of several weights: the difference of two maps, and maps mixed between heads.
#include "experiments/variants/variants.hpp"

namespace attnlab {
namespace {

using namespace worked;

const Axes mixed_axes{"queries", "keys"};

// --- difference: what two maps have in common is subtracted (Ye et al. 2024, Differential Transformer)

constexpr std::size_t noisy_queries = 8;
constexpr std::size_t noisy_keys = 16;
constexpr std::size_t needle = 5;
constexpr double needle_score = 2.5;

/// λ as layers begin with it, counted from 1 (section 2.1, eq. 3).
double first_lambda(std::size_t layer) { return 0.8 - 0.6 * std::exp(-0.3 * static_cast<double>(layer - 1)); }

/// Both maps have the scores of one draw as their noise; the needle stands in the first alone.
VariantRun difference(Tape& tape, const Arguments& arguments) {
  constexpr std::size_t width = 8;
  const double lambda = first_lambda(arguments.count("depth"));
  tape.normal("query", {noisy_queries, width}, {"queries", "width"});
  tape.normal("key", {noisy_keys, width}, {"keys", "width"});
  tape.normal("noise", {noisy_queries, noisy_keys}, mixed_axes, times(0.3));
  Tensor<double> bonus({noisy_keys}, 0.0);
  bonus(needle) = needle_score;
  tape.input_or("needle", bonus, {"keys"});
  tape.product_with_transpose("raw_scores", "Q K^T", "query", "key", mixed_axes);
  tape.scaled("scores", "\\frac{Q K^T}{\\sqrt{d}}", "raw_scores", over_root(width));
  tape.sum("first_scores", "S + needle", "scores", "needle");
  tape.sum("second_scores", "S + noise", "scores", "noise");
  const Tensor<double> plain = tape.softmax("plain_weights", "softmax(S_1)", "first_scores");
  tape.softmax("second_weights", "softmax(S_2)", "second_scores");
  tape.scaled("subtracted", "λ A_2", "second_weights", times(lambda));
  const Tensor<double> weights = tape.difference("weights", "A_1 − λ A_2", "plain_weights", "subtracted");
  return {xt::sum(weights, {1}),
          Tensor<double>({noisy_queries}, 1.0 - lambda),
          {{"lambda", lambda},
           {"lambda_1", first_lambda(1)},
           {"lambda_2", first_lambda(2)},
           {"lambda_3", first_lambda(3)},
           {"layer", static_cast<double>(arguments.count("depth"))},
           {"plain_share", 100.0 * plain(0, needle)},
           {"share", 100.0 * weights(0, needle) / sum_of(xt::abs(xt::view(weights, 0)))}}};
}

Figure draw_difference(const VariantStages& stages, const VariantRun& run) {
  const Tensor<double> plain = stages("plain_weights");
  const double high = 1.15 * std::max(largest_magnitude(xt::view(plain, 0)),
                                      largest_magnitude(xt::view(stages("second_weights"), 0)));
  const auto panel = [&](const Text& title, const char* name) {
    Bars bars{name, values_of(stages(name), 0)};
    bars.decimals = no_numbers;
    bars.marked = needle;
    bars.shows = {stages.prefix + name, 0};
    return Panel{title, Chart{Axis{{"キー", "Key"}},
                              Axis{{"注意度", "Weight"}}.within(-0.3 * high, high),
                              {std::move(bars)}}};
  };
  return Figure{}
      .panel(panel({"A₁（ふつう）", "A₁, plain"}, "plain_weights"))
      .panel(panel(Text::same("A₂"), "second_weights"))
      .panel(panel(text("A₁ − {:.3f} A₂", "A₁ − {:.3f} A₂", number_of(run, "lambda")), "weights"))
      .in_columns(3)
      .on_page(15.0, 6.0);
}

// --- talking: the heads' weights are mixed after softmax (Shazeer et al. 2020)

constexpr std::size_t talking_heads = 4;
constexpr std::size_t talking_tokens = 6;

VariantRun talking(Tape& tape, const Arguments& arguments) {
  constexpr std::size_t width = 4;
  for (const char* name : {"query", "key", "value"})
    tape.normal(name, {talking_heads, talking_tokens, width},
                {"heads", name == std::string("query") ? "queries" : "keys", "head_width"});
  const Tensor<double> weights = attend_as(tape, "", "query", "key", "value").weights;
  tape.normal("talk", {talking_heads, talking_heads}, {"heads", "mixed_heads"},
              times(arguments.number("mixing")));
  tape.input_or("identity", xt::eye<double>(talking_heads), {"heads", "mixed_heads"});
  const Tensor<double> mixing = tape.sum("mixing", "I + N", "identity", "talk");
  Tensor<double> flat = weights;
  flat.reshape({talking_heads, talking_tokens * talking_tokens});
  Tensor<double> mixed = matmul(attnlab::transpose(mixing), flat);
  mixed.reshape({talking_heads, talking_tokens, talking_tokens});
  const auto mixture = [&](std::size_t head) {
    const auto term = [&](std::size_t h) {
      return together({number(mixing(h, head)), "·", factor(weights(h, 0, 0))});
    };
    return sum(talking_heads, term);
  };
  write_entries(tape, "mixed_weights", "Σ_h P_{hg} A_h", mixed, {"heads", "queries", "keys"},
                {"mixing", "weights"}, "np.einsum(\"hg,hij->gij\", mixing, weights)", mixture);
  tape.product("mixed_output", "A' V", "mixed_weights", "value", {"heads", "queries", "head_width"});
  const Tensor<double> sums = xt::sum(mixing, {0});  // of each mixed head
  Tensor<double> expected({talking_heads, talking_tokens}, 0.0);
  for (std::size_t head = 0; head < talking_heads; ++head) xt::view(expected, head) = sums(head);
  return {xt::sum(mixed, {2}),
          std::move(expected),
          {{"heads", static_cast<double>(talking_heads)},
           {"least_sum", *std::min_element(sums.begin(), sums.end())},
           {"largest_sum", *std::max_element(sums.begin(), sums.end())}},
          arguments.number("mixing") == 0.0 ? "message_plain" : "message"};
}

Figure draw_talking(const VariantStages& stages, const VariantRun& run) {
  ColourScale colours =
      signed_scale(xt::concatenate(xt::xtuple(stages("weights"), stages("mixed_weights")), 0));
  colours.label = {"注意度", "Weight"};
  Figure figure;
  for (std::size_t head = 0; head < talking_heads; ++head)
    figure.panels.push_back(
        {text("ヘッド {}：Σ 1", "Head {}: Σ 1", head), map_of(stages, "weights", head).coloured(colours)});
  for (std::size_t head = 0; head < talking_heads; ++head)
    figure.panels.push_back({text("混合 {}：Σ {:.2f}", "Mix {}: Σ {:.2f}", head, run.expected(head, 0)),
                             map_of(stages, "mixed_weights", head).coloured(colours)});
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    std::get<HeatMap>(figure.panels[i].content).id += fmt::format("_{}", i % talking_heads);
  return std::move(figure).in_columns(talking_heads).sharing_scale(colours).sharing_axes().on_page(15.0, 8.5);
}

}  // namespace

ComputedVariants variants_of_mixed_weights() {
  return {{"difference",
           {difference,
            draw_difference,
            {{"query", {"8", "8"}}, {"key", {"16", "8"}}, {"noise", {"8", "16"}}, {"needle", {"16"}}}}},
          {"talking",
           {talking,
            draw_talking,
            {{"query", {"4", "6", "4"}},
             {"key", {"4", "6", "4"}},
             {"value", {"4", "6", "4"}},
             {"talk", {"4", "4"}},
             {"identity", {"4", "4"}}}}}};
}

}  // namespace attnlab
