// Past the softmax: attention without it is a recurrence, and a gate behind it lets a head say nothing.
#include "core/constants.hpp"
#include "experiments/variants/variants.hpp"

namespace attnlab {
namespace {

using namespace worked;

const Axes causal_axes{"queries", "keys"};

/// a ⊙ b of one shape, or b of one column.
Tensor<double> record_product_of_each(Tape& tape, const std::string& name, Spelt formula,
                                      const std::string& a, const std::string& b, const char* columns) {
  const Tensor<double> left = tape.numbers_of(a);
  const Tensor<double> right = tape.numbers_of(b);
  return write_entries(tape, name, std::move(formula), left * right, {"queries", columns}, {a, b},
                       a + " * " + b, [&](std::size_t i) {
                         return together({left(i, 0), "·", factor(right(i, 0))});
                       });
}

// --- linear: a state that fades, or a product behind a map of decays (Dao and Gu 2024, state-space duality)

constexpr std::size_t linear_tokens = 12;
constexpr std::size_t linear_width = 4;

/// H_t = a H_{t-1} + k_tᵀ v_t from H = 0: (tokens, width, width).
Tensor<double> states_of(const Tensor<double>& key, const Tensor<double>& value, double decay) {
  Tensor<double> states({linear_tokens, linear_width, linear_width}, 0.0);
  for (std::size_t t = 0; t < linear_tokens; ++t)
    for (std::size_t i = 0; i < linear_width; ++i)
      for (std::size_t j = 0; j < linear_width; ++j)
        states(t, i, j) = (t == 0 ? 0.0 : decay * states(t - 1, i, j)) + key(t, i) * value(t, j);
  return states;
}

VariantRun linear(Tape& tape, const Arguments& arguments) {
  const double decay = arguments.number("decay");
  draw_scores(tape, linear_tokens, linear_width);
  tape.normal("value", {linear_tokens, linear_width}, {"keys", "width"});
  record_plain_causal(tape, linear_tokens);
  Tensor<double> age({linear_tokens, linear_tokens}, infinity);
  for (std::size_t i = 0; i < linear_tokens; ++i)
    for (std::size_t j = 0; j <= i; ++j) age(i, j) = static_cast<double>(i - j);
  tape.step("age", Formula{}, age, causal_axes,
            derived::input(fmt::format("chain_lengths({}) - 1", linear_tokens)));
  tape.power("decay", "a^{i − j}", "age", decay);
  record_product_of_each(tape, "weights", "L ∘ Q K^T", "decay", "raw_scores", "keys");
  Tensor<double> dual = tape.product("output", "(L ∘ Q K^T) V", "weights", "value", {"queries", "width"});
  const Tensor<double> query = tape.numbers_of("query");
  const Tensor<double> key = tape.numbers_of("key");
  const Tensor<double> value = tape.numbers_of("value");
  const Tensor<double> states = states_of(key, value, decay);
  write_entries(tape, "states", "H_t = a H_{t − 1} + k_t^T v_t", states, {"tokens", "width", "value_width"},
                {"key", "value"}, fmt::format("linear_states(key, value, {})", decay), [&](std::size_t t) {
                  const double before = t == 0 ? 0.0 : states(t - 1, 0, 0);
                  return together({decay, "·", factor(before), "+", key(t, 0), "·", factor(value(t, 0))});
                });
  Tensor<double> recurrent({linear_tokens, linear_width}, 0.0);
  for (std::size_t t = 0; t < linear_tokens; ++t) {
    const Tensor<double> row = xt::view(query, xt::range(t, t + 1));
    xt::view(recurrent, t) = xt::view(matmul(row, Tensor<double>(xt::view(states, t))), 0);
  }
  write_entries(tape, "recurrent_output", "q_t H_t", recurrent, {"queries", "width"}, {"query", "states"},
                "np.einsum(\"ti,tij->tj\", query, states)", [&](std::size_t t) {
                  return sum(linear_width, [&](std::size_t i) {
                    return together({query(t, i), "·", factor(states(t, i, 0))});
                  });
                });
  return {std::move(recurrent),
          std::move(dual),
          {{"decay", decay},
           {"tokens", static_cast<double>(linear_tokens)},
           {"state", static_cast<double>(linear_width * linear_width)},
           {"cache", static_cast<double>(2 * linear_tokens * linear_width)}}};
}

Figure draw_linear(const VariantStages& stages, const VariantRun& run) {
  ColourScale of_products = signed_scale(stages("weights"));
  of_products.label = {"重み", "Weight"};
  return Figure{}
      .panel({"ふつう", "Plain"}, visible_map(stages, "plain_weights").coloured(weight_colours()))
      .panel(text("減衰 L、{:g}ⁿ", "Decay L, {:g}ⁿ", number_of(run, "decay")),
             visible_map(stages, "decay").coloured({Palette::viridis, 0.0, 1.0, {"減衰", "Decay"}}))
      .panel(Text::same("L ∘ QKᵀ"), map_of(stages, "weights").coloured(of_products))
      .in_columns(3)
      .sharing_axes()
      .on_page(15.0, 6.0);
}

// --- gate: the output times a sigmoid of the token (Qiu et al. 2025)

constexpr std::size_t gated_tokens = 6;
constexpr std::size_t gated_width = 8;
// of the weight of the first token in their 1.7B models, without and with a gate, in percent
constexpr double published_first = 46.7;
constexpr double published_first_gated = 4.8;

VariantRun gate(Tape& tape, const Arguments& /*arguments*/) {
  tape.normal("x", {gated_tokens, gated_width}, {"tokens", "width"});
  for (const char* side : {"query", "key", "value"})
    tape.normal(std::string("w_") + side, {gated_width, gated_width}, {"width", "head_width"},
                over_root(gated_width));
  tape.normal("w_gate", {gated_width, 1}, {"width", "gates"});
  tape.product("query", "X W_Q", "x", "w_query", {"queries", "width"});
  tape.product("key", "X W_K", "x", "w_key", {"keys", "width"});
  tape.product("value", "X W_V", "x", "w_value", {"keys", "width"});
  const Tensor<double> logits = tape.product("gate_scores", "X W_G", "x", "w_gate", {"queries", "gates"});
  const Tensor<double> open = 1.0 / (1.0 + xt::exp(-logits));
  write_entries(tape, "gate", "σ(X W_G)", open, {"queries", "gates"}, {"gate_scores"},
                "1 / (1 + np.exp(-gate_scores))", [&](std::size_t i) {
                  return quotient(1.0, together({1.0, "+", call("exp", -logits(i, 0))}));
                });
  attend_as(tape, "", "query", "key", "value");
  Tensor<double> gated = record_product_of_each(tape, "gated_output", "G ⊙ A V", "output", "gate", "width");
  record_product_of_each(tape, "gated_weights", "G ⊙ A", "weights", "gate", "keys");
  Tensor<double> other =
      tape.product("output_of_gated", "(G ⊙ A) V", "gated_weights", "value", {"queries", "width"});
  return {std::move(gated),
          std::move(other),
          {{"least_gate", *std::min_element(open.begin(), open.end())},
           {"largest_gate", *std::max_element(open.begin(), open.end())},
           {"published_plain", published_first},
           {"published_gated", published_first_gated}}};
}

Figure draw_gate(const VariantStages& stages, const VariantRun& /*run*/) {
  const auto map = [&](const char* name) {
    HeatMap weights = map_of(stages, name).coloured(weight_colours()).with_numbers(2);
    const Tensor<double> sums = xt::sum(stages(name), {1});
    weights.row_title = {"クエリ（行の和）", "Query (sum of the row)"};
    for (const double sum : sums) weights.row_labels.emplace_back(fmt::format("Σ {:.2f}", sum));
    return weights;
  };
  return Figure{}
      .panel({"ふつう", "Plain"}, map("weights"))
      .panel({"ゲートを掛けた後", "Gated"}, map("gated_weights"))
      .sharing_scale(weight_colours())
      .on_page(11.0, 6.0);
}

}  // namespace

ComputedVariants variants_without_softmax() {
  return {{"linear",
           {linear, draw_linear, {{"query", {"12", "4"}}, {"key", {"12", "4"}}, {"value", {"12", "4"}}}}},
          {"gate",
           {gate,
            draw_gate,
            {{"x", {"6", "8"}},
             {"w_query", {"8", "8"}},
             {"w_key", {"8", "8"}},
             {"w_value", {"8", "8"}},
             {"w_gate", {"8", "1"}}}}}};
}

}  // namespace attnlab
