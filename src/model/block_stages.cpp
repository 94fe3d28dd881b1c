#include "model/block_stages.hpp"

#include "attention/streaming/score_tiles.hpp"
#include "core/constants.hpp"
#include "core/named.hpp"
#include "experiments/framework/tape.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "model/block_lines.hpp"

namespace attnlab {
namespace {

/// In a program: heads of keys or values, once for every query head that shares them.
std::string repeated(const std::string& stage, const Architecture& a) {
  return a.heads == a.kv_heads ? stage : fmt::format("repeat_heads({}, {})", stage, a.heads / a.kv_heads);
}

/// -inf where a token may not attend.
Array mask_of(const Architecture& a, std::size_t layer, std::size_t tokens) {
  Array mask{{tokens, tokens}, {"queries", "keys"}, std::vector<double>(tokens * tokens, -infinity)};
  for (std::size_t query = 0; query < tokens; ++query) {
    const KeyRange keys = keys_read(a, layer, query, tokens);
    for (std::size_t key = keys.begin; key < keys.end; ++key) mask.data[query * tokens + key] = 0.0;
  }
  return mask;
}

/// In a program: the heads' columns of a projection as (heads, n, head_width).
std::string split_code(const ModelRun& run, const ModelLayer& weights, HeadPart part) {
  const Architecture& a = run.architecture();
  const std::size_t heads = count_of(part, a);
  const HeadColumns columns = columns_of(part, weights, a);
  const std::size_t d = columns.width;
  if (!weights.joint) return fmt::format("split_heads({{}}, {})", heads);
  if (!a.by_group)
    return fmt::format("split_heads(({{}})[:, {}:{}], {})", columns.first, columns.first + heads * d, heads);
  const std::string n = token_count(run);
  const std::string groups =
      fmt::format("({{}}).reshape({}, {}, {}, {})", n, a.kv_heads, columns.step / d, d);
  if (columns.side_by_side == 1) return fmt::format("{}[:, :, {}].swapaxes(0, 1)", groups, columns.first / d);
  return fmt::format("{}[:, :, :{}].reshape({}, {}, {}).swapaxes(0, 1)", groups, columns.side_by_side, n,
                     heads, d);
}

/// Q, K or V of those tokens, head by head.
StageSteps heads_of(StageSteps x, const ModelRun& run, std::size_t number, HeadPart part) {
  const Architecture& a = run.architecture();
  const ModelLayer& weights = run.opened.model.weights.layers[number];
  const std::string name = name_of(part);
  const std::size_t heads = count_of(part, a);
  const std::size_t d = a.head_width;
  const HeadColumns columns = columns_of(part, weights, a);
  x.project(name, projection_of(part, weights), heads * d,
            [=](std::size_t i) { return columns.begin(i / d) + i % d; });
  if (const std::optional<ModelNorm>& norm = norm_of(part, weights)) x.norm(name, norm);
  x.then("head_" + name, derived::split_heads(x.at(), heads), split_code(run, weights, part));
  const ModelRotary* const rotary = a.rotary_of(number);
  if (part == HeadPart::value || rotary == nullptr) return x;
  const RotaryTurns turns = rotary_turns(*rotary, run.tokens.size());
  const std::string angles = x.weight("angles_" + name, [turns, n = run.tokens.size()] {
    return to_array(rotary_angles(0, n, turns.frequencies), {"tokens", "pairs"});
  });
  const bool halves = rotary->pairing == RotaryPairing::halves;
  Derivation how = halves ? derived::rotary_halves(x.at(), angles) : derived::rotary_pairs(x.at(), angles);
  how.number = turns.attention;
  return x.then(
      "turned_" + name, std::move(how),
      fmt::format("{}({{}}, {}{})", halves ? "rotary_halves" : "rotary_pairs", angles_name(a, number),
                  turns.attention == 1.0 ? "" : ", " + python_repr(turns.attention)));
}

StageSteps joined_heads(const ModelRun& run, std::size_t number, StageSteps heads) {
  std::vector<std::string> kept(run.architecture().heads, "1.0");
  for (const auto& [layer, head] : run.settings.without.heads) {
    if (layer == number) kept[head] = "0.0";
  }
  const bool is_whole = std::count(kept.begin(), kept.end(), "0.0") == 0;
  return heads.then("concat", derived::join_heads(heads.at()),
                    is_whole ? "join_heads({})"
                             : fmt::format("join_heads({{}} * np.array([{}])[:, np.newaxis, np.newaxis])",
                                           fmt::join(kept, ", ")));
}

StageSteps scores_of(const ModelRun& run, std::size_t number, const std::string& layer) {
  const Architecture& a = run.architecture();
  const std::string key = layer + "key";
  StageSteps s(layer, layer + "query");
  s.then("raw_scores", derived::worked({s.at(), key}, {}).like(Derivation::Operation::product_with_transpose),
         fmt::format("{{}} @ {}.swapaxes(-1, -2)", repeated(key, a)));
  if (a.scales)
    s.then("scaled_scores", derived::scaled(s.at(), 1.0 / std::sqrt(static_cast<double>(a.score_width))),
           fmt::format("{{}} / math.sqrt({})", a.score_width));
  s.cap("scores", a.score_cap);
  if (!a.alibi_slopes.empty()) {
    const std::string alibi = s.weight("alibi", [&a, n = run.tokens.size()] {
      return to_array(alibi_bias(a.alibi_slopes, n, n), {"heads", "queries", "keys"});
    });
    s.then("biased_scores", derived::sum(s.at(), alibi), "{} + alibi");
  }
  if (!a.is_causal) return s;
  const std::string mask =
      s.weight("mask", [&a, number, n = run.tokens.size()] { return mask_of(a, number, n); });
  return s.then("masked_scores", derived::sum(s.at(), mask), "{} + " + mask_name(a, number));
}

const char* score_formula(const Architecture& a) {
  if (!a.alibi_slopes.empty()) return "\\frac{Q K^T}{\\sqrt{d}} - m_h |i - j| + M";
  return a.scales ? "\\frac{Q K^T}{\\sqrt{d}} + M" : "Q K^T + M";
}

StageSteps mixed_values(const std::string& layer, const Architecture& a) {
  if (a.heads == a.kv_heads) return derived::product(layer + "weights", layer + "value");
  return derived::worked({layer + "weights", layer + "value"}, {},
                         fmt::format("{}weights @ {}", layer, repeated(layer + "value", a)))
      .like(Derivation::Operation::product);
}

/// Of a projection that gives the gate and the other part in one, the columns from `first` on.
StageSteps part_of_both(StageSteps x, const char* name, const Projection& both, std::size_t first,
                        std::size_t width) {
  x.project(name, both, width, [first](std::size_t i) { return first + i; });
  return x.rewrite(fmt::format("({{}})[:, {}:{}]", first, first + width));
}

/// act(up x), or with a gate act(gate x) ∘ up x.
StageSteps hidden_steps(const Architecture& a, const ModelMlp& mlp, const StageSteps& x) {
  if (mlp.gate_up) {
    StageSteps gate = part_of_both(x, "gate", *mlp.gate_up, 0, a.hidden);
    return gate.activate(a.activation).times(part_of_both(x, "up", *mlp.gate_up, a.hidden, a.hidden));
  }
  StageSteps up = x;
  up.project("up", *mlp.up);
  if (!mlp.gate) return up.activate(a.activation);
  StageSteps gate = x;
  return gate.project("gate", *mlp.gate).activate(a.activation).times(up);
}

/// As one expression, whose steps nobody looks into.
StageSteps as_a_whole(const std::vector<std::string>& operands, const std::string& code,
                      const std::vector<StageSteps>& parts) {
  StageSteps whole(operands, code);
  for (const StageSteps& part : parts) {
    for (const std::string& tensor : part.tensors()) whole.tensor(tensor);
  }
  return whole;
}

/// The experts' hidden layers, 0 where a token does not read them: (experts, tokens, hidden).
StageSteps hidden_of_experts(const ModelRun& run, const ModelLayer& weights, const std::string& layer,
                             const std::string& x) {
  std::vector<StageSteps> parts;
  std::vector<std::string> lines;
  for (const ModelMlp& expert : weights.experts) {
    parts.push_back(hidden_steps(run.architecture(), expert, StageSteps(layer, x)));
    lines.push_back(parts.back().derivation().code);
  }
  return as_a_whole(
      {x, layer + "router"},
      fmt::format("np.stack([{}]) * ({}router.T[:, :, np.newaxis] > 0)", fmt::join(lines, ", "), layer),
      parts);
}

/// Σ of the experts' results, times the router's weights.
StageSteps sum_of_experts(const ModelLayer& weights, const std::string& layer) {
  std::vector<StageSteps> parts;
  std::vector<std::string> lines;
  for (std::size_t expert = 0; expert < weights.experts.size(); ++expert) {
    parts.emplace_back(layer, fmt::format("{}hidden[{}]", layer, expert));
    parts.back().project("down", *weights.experts[expert].down);
    lines.push_back(parts.back().derivation().code);
  }
  return as_a_whole({layer + "hidden", layer + "router"},
                    fmt::format("np.sum(np.stack([{}]) * {}router.T[:, :, np.newaxis], axis=0)",
                                fmt::join(lines, ", "), layer),
                    parts);
}

StageSteps router_of(const ModelRun& run, const ModelLayer& weights, const std::string& layer,
                     const std::string& x) {
  const StageSteps scores = StageSteps(layer, x).project("router", *weights.router);
  return as_a_whole(
      {x},
      fmt::format("softmax_of_largest({}, {})", scores.derivation().code, run.architecture().experts_read),
      {scores});
}

}  // namespace

std::string token_count(const ModelRun& run) {
  return run.takes_any_tokens ? "len(tokens)" : std::to_string(run.tokens.size());
}

std::string stream_behind(const ModelWeights& weights, std::size_t layers) {
  if (layers == 0) return "embedding";
  return fmt::format("layer_{}_{}", layers - 1,
                     weights.layers[layers - 1].has_mlp() ? "output" : "after_attention");
}

std::string mask_name(const Architecture& a, std::size_t layer) {
  if (!a.is_causal) return "";
  return !a.has_window.empty() && a.window_of(layer) > 0 ? "mask_in_window" : "mask";
}

std::string angles_name(const Architecture& a, std::size_t layer) {
  const ModelRotary* const rotary = a.rotary_of(layer);
  if (rotary == nullptr) return "";
  return a.window_rotary && rotary == &*a.window_rotary ? "angles_in_window" : "angles";
}

std::vector<BlockStage> block_stages(const ModelRun& run, std::size_t number) {
  using S = LayerStages;
  const Architecture& a = run.architecture();
  const ModelLayer& w = run.opened.model.weights.layers.at(number);
  const Ablation& without = run.settings.without;
  const bool is_post = a.norm_position == NormPosition::post;
  const bool is_parallel = a.norm_position == NormPosition::parallel;
  const bool has_norms_before = !is_post && (w.attention_norm || a.norm_position == NormPosition::none);
  const std::string norm = a.norm == NormType::rms ? "RMSNorm" : "LayerNorm";
  const std::string layer = fmt::format("layer_{}_", number);
  const std::string input = stream_behind(run.opened.model.weights, number);
  const std::string after_attention = layer + "after_attention";
  const Axes stream{"tokens", "width"};
  const Axes pairs{"heads", "queries", "keys"};
  const Axes query_axes{"heads", "queries", "head_width"};
  const Axes key_axes{"heads", "keys", "head_width"};

  std::vector<BlockStage> stages;
  const auto from = [&](const std::string& stage) { return StageSteps(layer, stage); };
  const auto add = [&](const char* name, const std::string& formula, Tensor<float> S::*values,
                       const Axes& axes, const StageSteps& steps, WrittenLines lines = {}) {
    stages.push_back({layer + name, formula, values, axes, steps, std::move(lines)});
  };
  const auto add_normed = [&](const char* name, const std::string& of, Tensor<float> S::*x,
                              const std::optional<ModelNorm>& by, Tensor<float> S::*y) {
    add(name, norm + "(X)", y, stream, from(of).norm(name, by), [=, &by](const S& s) {
      return by ? normed_lines(layer + name, s.*x, *by, s.*y) : std::vector<Chain>{};
    });
  };
  const auto add_heads = [&](HeadPart part, const char* formula, Tensor<float> S::*y, const Axes& axes) {
    const std::string x = w.attention_norm && !is_post ? layer + "normed" : input;
    const bool is_product = part == HeadPart::value || (a.rotary_of(number) == nullptr && !w.query_norm);
    add(name_of(part), formula, y, axes, heads_of(from(x), run, number, part), [=, &a, &w](const S& s) {
      return !is_product ? std::vector<Chain>{}
                         : head_lines(layer + name_of(part), s.normed, projection_of(part, w),
                                      columns_of(part, w, a), s.*y);
    });
  };
  const auto add_sum = [&](const char* name, Tensor<float> S::*y, const std::string& before,
                           const std::string& added, const std::optional<ModelNorm>& by) {
    if (!is_post) return add(name, "X + Y", y, stream, derived::sum(before, added));
    add(name, "LayerNorm(X + Y)", y, stream,
        from(before)
            .then(fmt::format("residual_of_{}", name), derived::sum(before, added), "{} + " + added)
            .norm(name, by));
  };
  const auto unless = [](bool is_left_out, StageSteps steps) {
    return is_left_out ? steps.rewrite("0.0 * ({})") : steps;
  };
  const bool is_left_out = without.layers.count(number) == 1;

  const auto added = [&](const char* name, StageSteps steps, const std::optional<ModelNorm>& by) {
    return by ? steps.norm(name, by) : steps;
  };
  const auto formula_of = [&](const char* sum, const std::optional<ModelNorm>& by) {
    return by ? fmt::format("{}({})", norm, sum) : std::string(sum);
  };

  if (has_norms_before) add_normed("normed", input, &S::input, w.attention_norm, &S::normed);
  add_heads(HeadPart::query, "X W_Q", &S::query, query_axes);
  add_heads(HeadPart::key, "X W_K", &S::key, key_axes);
  add_heads(HeadPart::value, "X W_V", &S::value, key_axes);
  add("scores", score_formula(a), &S::scores, pairs, scores_of(run, number, layer),
      [=, &a](const S& s) { return score_lines(layer + "scores", s, a); });
  add("weights", "softmax(S)", &S::weights, pairs, derived::softmax(layer + "scores"));
  add("head_output", "A V", &S::head_output, query_axes, mixed_values(layer, a));
  add("attention", formula_of("Concat(heads) W_O", w.attention_output_norm), &S::attention, stream,
      unless(is_left_out,
             added("added_attention",
                   joined_heads(run, number, from(layer + "head_output")).project("output", w.output),
                   w.attention_output_norm)));
  add_sum("after_attention", &S::after_attention, input, layer + "attention", w.attention_norm);
  if (!w.has_mlp()) return stages;  // attention alone
  if (has_norms_before)
    add_normed("mlp_input", is_parallel ? input : after_attention,
               is_parallel ? &S::input : &S::after_attention, w.mlp_norm, &S::mlp_input);
  const std::string mlp_input = has_norms_before ? layer + "mlp_input" : after_attention;
  const bool is_mlp_left_out = is_left_out || without.mlps.count(number) == 1;
  if (w.router) {
    add("router", "softmax(TopK(X W_R))", &S::router, {"tokens", "experts"},
        router_of(run, w, layer, mlp_input));
    add("hidden", "f(X W_1)", &S::hidden, {"experts", "tokens", "hidden"},
        hidden_of_experts(run, w, layer, mlp_input));
    add("mlp", "G (H W_2)", &S::mlp, stream, unless(is_mlp_left_out, sum_of_experts(w, layer)));
  } else {
    add("hidden", "f(X W_1)", &S::hidden, {"tokens", "hidden"}, hidden_steps(a, w.mlp, from(mlp_input)));
    const bool is_product = !w.mlp_output_norm && !run.leaves_out();
    add("mlp", formula_of("H W_2", w.mlp_output_norm), &S::mlp, stream,
        unless(is_mlp_left_out,
               added("added_mlp", from(layer + "hidden").project("down", *w.mlp.down), w.mlp_output_norm)),
        [=, &w](const S& s) {
          return is_product ? projected_lines(layer + "mlp", s.hidden, *w.mlp.down, s.mlp)
                            : std::vector<Chain>{};
        });
  }
  add_sum("output", &S::output, after_attention, layer + "mlp", w.mlp_norm);
  return stages;
}

StageSteps embedding_steps(const ModelRun& run) {
  const Architecture& a = run.architecture();
  const ModelWeights& w = run.opened.model.weights;
  StageSteps x("", "");
  x.rewrite(fmt::format("{}[{}]", x.tensor(w.embedding.name()),
                        run.takes_any_tokens ? "tokens" : fmt::format("[{}]", fmt::join(run.tokens, ", "))));
  if (a.scales_embedding) x.rewrite(fmt::format("{{}} * math.sqrt({})", a.width));
  const std::size_t first = a.first_position;
  const std::string count = token_count(run);
  const std::string end = !run.takes_any_tokens ? std::to_string(first + run.tokens.size())
                          : first == 0          ? count
                                                : fmt::format("{} + {}", first, count);
  if (a.places == PlaceTable::learned)
    x.rewrite(fmt::format("{{}} + {}[{}:{}]", x.tensor(w.positions->name()), first, end));
  if (a.places == PlaceTable::sinusoidal)
    x.rewrite(fmt::format("{{}} + sinusoidal_encoding({}, {})", count, a.width));
  if (w.segment) x.rewrite("{} + " + x.tensor(w.segments_name) + "[0]");
  return w.embedding_norm ? x.norm("embedding", w.embedding_norm) : x;
}

StageSteps logits_steps(const ModelRun& run) {
  const ModelWeights& w = run.opened.model.weights;
  StageSteps steps("", stream_behind(w, w.layers.size()));
  if (w.final_norm) steps.norm("final", w.final_norm);
  if (w.transform)
    steps.project("transform", *w.transform)
        .activate(run.architecture().activation)
        .norm("transformed", w.transform_norm);
  return steps.rewrite("({})").project("words", *w.head).cap("words", run.architecture().logit_cap);
}

StepsInside steps_inside(std::shared_ptr<const OpenedModel> opened, std::size_t tokens) {
  return [opened = std::move(opened), tokens](const std::string& stage) {
    ModelRun run{*opened, {}};
    run.tokens.resize(tokens);
    if (stage == "logits") return logits_steps(run).inside(stage);
    if (stage.rfind("layer_", 0) != 0) return std::vector<Stage>{};
    const std::vector<BlockStage> stages = block_stages(run, std::stoul(stage.substr(std::strlen("layer_"))));
    const BlockStage* const found = find_named(stages, stage);
    return found == nullptr ? std::vector<Stage>{} : found->steps.inside(stage);
  };
}

}  // namespace attnlab
