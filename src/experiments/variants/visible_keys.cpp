// Which keys a query sees: a sliding window through several layers, and a cache that drops the first tokens.
#include "attention/masks.hpp"
#include "core/constants.hpp"
#include "experiments/variants/variants.hpp"

namespace attnlab {
namespace {

using namespace worked;

const Axes visible_axes{"queries", "keys"};
constexpr std::size_t visible_width = 8;

/// Each query sees itself and the keys before it, `width` in all.
BooleanMask sliding_window(std::size_t tokens, std::size_t width) {
  return both(causal_mask(tokens, tokens), window_mask(tokens, tokens, width - 1));
}

/// The weights of plain causal attention, and behind them those of a window.
Tensor<double> record_plain_and_local(Tape& tape, const BooleanMask& local, std::size_t width) {
  const std::size_t tokens = local.shape()[0];
  Tensor<double> plain = record_plain_causal(tape, tokens);
  record_visible(tape, "local", local,
                 fmt::format("plain_mask + window_mask({0}, {0}, 0, {1}, -np.inf)", tokens, width - 1));
  return plain;
}

// --- window: five layers with a window, then one without (Gemma 3)

constexpr std::size_t window_tokens = 20;
constexpr std::size_t local_layers = 5;

std::string layer_name(std::size_t layer) { return fmt::format("layer_{}", layer); }

double seen_by_last(const Tensor<double>& paths) {
  const std::vector<double> row = values_of(paths, window_tokens - 1);
  return static_cast<double>(std::count_if(row.begin(), row.end(), [](double count) { return count > 0.0; }));
}

/// What a token holds of every token after l layers: the product of their weights.
VariantRun window(Tape& tape, const Arguments& arguments) {
  const std::size_t width = arguments.count("window");
  draw_scores(tape, window_tokens, visible_width);
  record_plain_and_local(tape, sliding_window(window_tokens, width), width);
  tape.scaled(layer_name(1), "A", "local_weights", times(1.0));
  for (std::size_t layer = 2; layer <= local_layers; ++layer)
    tape.product(layer_name(layer), fmt::format("A^{}", layer), "local_weights", layer_name(layer - 1),
                 visible_axes);
  tape.product(layer_name(local_layers + 1), fmt::format("A_{{global}} A^{}", local_layers), "plain_weights",
               layer_name(local_layers), visible_axes);
  VariantRun run{Tensor<double>({local_layers}, 0.0), Tensor<double>({local_layers}, 0.0)};
  const Tensor<double> steps = xt::exp(tape.numbers_of("local_mask"));  // 1 where a key is seen
  Tensor<double> paths = steps;
  run.numbers = {{"window", static_cast<double>(width)}, {"tokens", static_cast<double>(window_tokens)}};
  if (width == 1) run.message = "message_alone";
  if (width == window_tokens) run.message = "message_plain";
  for (std::size_t layer = 1; layer <= local_layers; ++layer) {
    if (layer > 1) paths = matmul(steps, paths);
    run.found(layer - 1) = seen_by_last(paths);
    run.expected(layer - 1) = static_cast<double>(std::min(window_tokens, layer * (width - 1) + 1));
    run.numbers.push_back({fmt::format("reach_{}", layer), run.found(layer - 1)});
  }
  run.numbers.push_back(
      {"reach_global", seen_by_last(matmul(Tensor<double>(xt::exp(tape.numbers_of("plain_mask"))), paths))});
  return run;
}

Figure draw_window(const VariantStages& stages, const VariantRun& run) {
  const ColourScale colours = weight_colours();
  Figure figure;
  for (std::size_t layer = 1; layer <= local_layers; ++layer) {
    figure.panels.push_back({text("{} 層：{:.0f} 個", "l = {}: {:.0f}", layer, run.found(layer - 1)),
                             visible_map(stages, layer_name(layer)).coloured(colours)});
  }
  figure.panels.push_back({text("{} 層：{:.0f} 個（窓なし）", "l = {}, global: {:.0f}", local_layers + 1,
                                number_of(run, "reach_global")),
                           visible_map(stages, layer_name(local_layers + 1)).coloured(colours)});
  return std::move(figure).in_columns(3).sharing_scale(colours).sharing_axes().on_page(13.0, 9.0);
}

// --- sink: the first tokens stay in a windowed cache (Xiao et al. 2023), or softmax gets a 1 below its line

constexpr std::size_t sink_tokens = 12;
constexpr std::size_t first_tokens = 4;
constexpr double sink_score = 4.0;  // what trained heads learn for the first token, here assumed

VariantRun sink(Tape& tape, const Arguments& arguments) {
  const std::size_t width = std::min(arguments.count("window"), sink_tokens);
  draw_scores(tape, sink_tokens, visible_width, "drawn_scores");
  Tensor<double> bonus({sink_tokens}, 0.0);
  bonus(0) = sink_score;
  tape.input_or("bonus", bonus, {"keys"});
  tape.sum("scores", "S + b", "drawn_scores", "bonus");
  const BooleanMask local = sliding_window(sink_tokens, width);
  const Tensor<double> plain = record_plain_and_local(tape, local, width);
  BooleanMask kept = causal_mask(sink_tokens, sink_tokens);
  xt::view(kept, xt::all(), xt::range(first_tokens, sink_tokens)) =
      xt::view(local, xt::all(), xt::range(first_tokens, sink_tokens));
  record_visible(
      tape, "kept", kept,
      fmt::format("np.where(np.arange({}) < {}, plain_mask, local_mask)", sink_tokens, first_tokens));
  // without the bonus: no sink is needed where the weights need not sum to 1
  const Tensor<double> masked = tape.sum("masked", "S + M", "drawn_scores", "plain_mask");
  const Tensor<double> terms = xt::exp(masked);
  const Tensor<double> denominators = 1.0 + xt::sum(terms, {1}, xt::keep_dims);
  Tensor<double> softmax_one = terms / denominators;
  const auto share_of_terms = [&](std::size_t i) {
    const auto term = [&](std::size_t k) { return call("exp", masked(i, k)); };
    return quotient(term(0), together({1.0, "+", worked::sum(i + 1, term)}));
  };
  write_entries(tape, "softmax_one", "\\frac{exp(S)}{1 + Σ exp(S)}", softmax_one, visible_axes, {"masked"},
                "np.exp(masked) / (1 + np.sum(np.exp(masked), axis=-1, keepdims=True))", share_of_terms);
  const Tensor<double> zero({sink_tokens, 1}, 0.0);
  const Tensor<double> with_zero = softmax(Tensor<double>(xt::concatenate(xt::xtuple(zero, masked), 1)));
  const auto share = [&](const BooleanMask& mask) {
    double sum = 0.0;
    for (std::size_t key = 0; key < sink_tokens; ++key)
      if (mask(sink_tokens - 1, key)) sum += plain(sink_tokens - 1, key);
    return sum;
  };
  const Tensor<double> sums = xt::sum(softmax_one, {1});
  return {std::move(softmax_one),
          xt::view(with_zero, xt::all(), xt::range(1, sink_tokens + 1)),
          {{"window", static_cast<double>(width)},
           {"alone", 100.0 * share(local)},
           {"with_sinks", 100.0 * share(kept)},
           {"least_sum", *std::min_element(sums.begin(), sums.end())},
           {"largest_sum", *std::max_element(sums.begin(), sums.end())}}};
}

Figure draw_sink(const VariantStages& stages, const VariantRun& run) {
  const ColourScale colours = weight_colours();
  const auto panel = [&](const Text& title, const std::string& name) {
    return Panel{title, visible_map(stages, name).coloured(colours)};
  };
  const double width = number_of(run, "window");
  return Figure{}
      .panel(panel({"ふつう（因果マスク）", "Plain, causal"}, "plain_weights"))
      .panel(panel(text("窓 {:.0f}", "Window of {:.0f}", width), "local_weights"))
      .panel(panel(text("窓 {:.0f} と最初の {} 個", "Window of {:.0f}, first {} kept", width, first_tokens),
                   "kept_weights"))
      .panel(panel({"分母に 1", "1 in the denominator"}, "softmax_one"))
      .in_columns(2)
      .sharing_scale(colours)
      .sharing_axes()
      .on_page(10.0, 9.5);
}

}  // namespace

ComputedVariants variants_of_visible_keys() {
  return {{"window", {window, draw_window, {{"query", {"20", "8"}}, {"key", {"20", "8"}}}}},
          {"sink", {sink, draw_sink, {{"query", {"12", "8"}}, {"key", {"12", "8"}}, {"bonus", {"12"}}}}}};
}

}  // namespace attnlab
