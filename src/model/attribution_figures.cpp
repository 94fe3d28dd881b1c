// Why this token: what the parts of a model add to its logit, and which vectors of a corrupted text have to
// be restored.
#include "core/constants.hpp"
#include "experiments/framework/arcs.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tape.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/trace.hpp"
#include "model/block_stages.hpp"

namespace attnlab {
namespace {

// --- The logit of a token as a sum ----------------------------------------------------------------------

Text name_of(const StreamPart& part) {
  switch (part.kind) {
    case StreamPartKind::embedding: return {"埋め込み", "embed"};
    case StreamPartKind::head: return Text::same(name_of_head(part.layer, part.head));
    case StreamPartKind::mlp: return Text::same(fmt::format("L{} MLP", part.layer));
    case StreamPartKind::biases: break;
  }
  return {"バイアス", "biases"};
}

/// “are”, or “are” − “is”.
Text name_of(const ModelRun& run, const LogitQuestion& question) {
  const Text token = named_token(run, question.token);
  return question.against ? text("{} − {}", "{} − {}", token, named_token(run, *question.against)) : token;
}

/// Places of the parts, the largest contribution of either sign first.
std::vector<std::size_t> parts_by_size(const Attribution& attribution) {
  std::vector<double> sizes;
  for (const StreamPart& part : attribution.parts) sizes.push_back(std::abs(part.contribution));
  return largest_places(sizes, sizes.size());
}

/// What the contributions sum to.
Text explained_logit(const ModelRun& run) {
  const LogitQuestion& question = run.attribution->question;
  return question.against ? text("ロジットの差{}", "the logit difference {}", name_of(run, question))
                          : text("{}のロジット", "the logit of {}", name_of(run, question));
}

/// What is taken as it is at this text, so that the logit is a sum.
Text frozen_words(const std::optional<ModelNorm>& norm) {
  if (!norm) return Text::none();
  return norm->type == NormType::rms
             ? Text{"最後の正規化の二乗平均平方根は、この文での値に固定。",
                    " The final norm's root mean square is frozen at this text's."}
             : Text{"最後の正規化の平均と標準偏差は、この文での値に固定。",
                    " The final norm's mean and deviation are frozen at this text's."};
}

/// The part of the largest contribution of either sign.
Text about_sum(const ModelRun& run) {
  const Attribution& attribution = *run.attribution;
  const StreamPart& largest = attribution.parts[parts_by_size(attribution).front()];
  return text("{1}（{2:.2f}）を最も動かすのは {0}：{3:+.2f}", "{0} moves {1} ({2:.2f}) most: {3:+.2f}",
              name_of(largest), explained_logit(run), attribution.logit, largest.contribution);
}

Panel parts_panel(const Attribution& attribution) {
  constexpr std::size_t most = 5;  // names and signed numbers have room on a slide
  Bars bars = Bars{"parts", {}, series_ink(0)}.with_numbers(2);
  std::vector<ShortText> names;
  const std::vector<std::size_t> places = parts_by_size(attribution);
  const std::size_t shown = std::min(most, places.size());
  double others = attribution.sum();
  for (std::size_t i = 0; i < shown; ++i) {
    const StreamPart& part = attribution.parts[places[i]];
    bars.values.push_back(part.contribution);
    names.emplace_back(name_of(part));
    others -= part.contribution;
  }
  bars.marked = 0;
  if (shown < places.size()) {
    bars.values.push_back(others);
    names.emplace_back(Text{"残り", "rest"});
  }
  return {{"最も大きい部分", "The largest parts"},
          Chart{Axis{Text::none()}.named(std::move(names)),
                Axis{{"ロジットへの寄与", "Contribution to the logit"}},
                {std::move(bars)}}};
}

/// (layers, heads)
Tensor<double> of_heads(const ModelRun& run) {
  const Architecture& a = run.architecture();
  Tensor<double> heads = Tensor<double>::from_shape({a.layers, a.heads});
  for (const StreamPart& part : run.attribution->parts) {
    if (part.kind == StreamPartKind::head) heads(part.layer, part.head) = part.contribution;
  }
  return heads;
}

Figure attribution_figure(const ModelRun& run) {
  const Tensor<double> heads = of_heads(run);
  const Attribution& attribution = *run.attribution;
  HeatMap map = HeatMap{"head_attribution", to_matrix(heads)}
                    .rows({"層", "Layer"})
                    .columns({"ヘッド", "Head"})
                    .coloured(signed_scale(heads))
                    .with_numbers(2);
  return Figure{"attribution", about_sum(run)}
      .described({"左に寄与の大きい部分の棒グラフ、右に層とヘッドを縦横に並べた寄与の図。",
                  "Left a bar chart of the parts that contribute most, right a heat map of layers by heads."})
      .captioned(text("すべての部分の寄与の和が{}（直接ロジット寄与）。{}",
                      "All contributions sum to {} (direct logit attribution).{}", explained_logit(run),
                      frozen_words(run.opened.model.weights.final_norm)))
      .panel(parts_panel(attribution))
      .panel({{"ヘッドの寄与", "Contributions of the heads"}, std::move(map)})
      .in_columns(2)
      .on_page(15.0, 6.0);
}

/// The heads that add most, each with its row of weights; nothing where none adds anything.
std::optional<Figure> attending_figure(const ModelRun& run) {
  constexpr std::size_t most_heads = 3;
  const std::size_t n = run.tokens.size();
  const std::vector<ShortText> tokens = short_texts(run.labels);
  WordWeights words{tokens, tokens, {}};
  std::vector<double> weights;
  const Tensor<double> heads = of_heads(run);
  for (const std::size_t place : largest_places(values_of(heads), most_heads)) {
    const double contribution = heads.flat(place);
    if (!(contribution > 0.0)) break;
    const std::size_t layer = place / run.architecture().heads;
    const std::size_t head = place % run.architecture().heads;
    const float* const map = run.pass->forward.layers[layer].weights.data() + head * n * n;
    weights.insert(weights.end(), map, map + n * n);
    words.heads.push_back(Text::same(fmt::format("{} {:+.2f}", name_of_head(layer, head), contribution)));
  }
  if (words.heads.empty()) return std::nullopt;
  words.weights = to_tensor(weights, {words.heads.size(), n, n});
  words.row = run.answer;
  Figure figure = arcs_figure(
      words,
      text("{}のロジットを最も高くするヘッドの注意度",
           "Where the heads that raise the logit of {} most attend", name_of(run, run.attribution->question)),
      {"数はロジットへの寄与。", "Numbers: contributions to the logit."});
  figure.name = "attribution-arcs";
  return figure;
}

// --- Restored vectors -----------------------------------------------------------------------------------

/// Rounded down, so that "or more" is true.
Text percent_below(double share) { return text("{:.0f} %", "{:.0f}%", std::floor(100.0 * share)); }

/// For each layer the token whose vector recovers most.
std::vector<std::size_t> carriers(const Tensor<double>& recovered) {
  std::vector<std::size_t> tokens;
  for (std::size_t layer = 0; layer < recovered.shape()[0]; ++layer)
    tokens.push_back(largest_places(values_of(recovered, layer), 1).front());
  return tokens;
}

/// One token up to some layer, another behind it; or only what is drawn.
Text patching_title(const ModelRun& run) {
  const std::vector<std::size_t> tokens = carriers(run.pass->patching->recovered);
  const auto changed =
      std::find_if(tokens.begin(), tokens.end(), [&](std::size_t token) { return token != tokens.front(); });
  const bool is_one_change =
      changed != tokens.end() &&
      std::all_of(changed, tokens.end(), [&](std::size_t token) { return token == *changed; });
  const bool is_one_token = changed == tokens.end();
  double least = infinity;
  for (std::size_t layer = 0; layer < tokens.size(); ++layer)
    least = std::min(least, run.pass->patching->recovered(layer, tokens.front()));
  if (is_one_token && least >= 0.5)
    return text("どの層の前でも{}を戻せば差の {} 以上が戻る",
                "Restoring {} recovers {} or more before any layer",
                named_token(run, run.tokens[tokens.front()]), percent_below(least));
  if (!is_one_change)
    return {"どのベクトルを戻すと答えが戻るか", "Which restored vectors recover the answer"};
  return text("最も効くのは第 {1} 層の前まで{0}、その後は{2}", "{0} recovers most up to layer {1}, then {2}",
              named_token(run, run.tokens[tokens.front()]), changed - tokens.begin() - 1,
              named_token(run, run.tokens[*changed]));
}

Figure patching_figure(const ModelRun& run) {
  const Patching& patching = *run.pass->patching;
  std::vector<ShortText> labels;
  for (std::size_t i = 0; i < run.tokens.size(); ++i) {
    const bool is_same = run.tokens[i] == patching.corrupt[i];
    labels.emplace_back(
        is_same ? run.labels[i]
                : fmt::format("{} ({})", run.labels[i], label_of(run.opened, patching.corrupt[i])));
  }
  ColourScale scale = signed_scale(patching.recovered);
  scale.label = {"戻った割合", "Share recovered"};
  return Figure{"patching", patching_title(run)}
      .described(
          {"縦に層、横にトークンを並べ、元のベクトルに戻したときに戻るロジット差の割合を色にした図。",
           "A heat map of layers by tokens: the share of the logit difference that a restored vector recovers."})
      .captioned(text(
          "ロジットの差{0}：元の文で {1:.2f}、括弧の語に替えた文で {2:.2f}。1 マスは、替えた文の残差ストリームをそのトークン、その層の前だけ元のベクトルに戻したとき、差が戻る割合。",
          "Logit difference {0}: {1:.2f}, with the words in brackets {2:.2f}. A cell: the share that is recovered when the corrupted text's residual stream gets back the vector of that token before that layer.",
          name_of(run, patching.question), patching.clean_difference, patching.corrupt_difference))
      .panel(HeatMap{"patching", to_matrix(patching.recovered)}
                 .rows({"この層の前", "Before layer"})
                 .columns({"戻すトークン", "Restored token"}, std::move(labels))
                 .coloured(std::move(scale))
                 .with_numbers(2))
      .on_page(std::clamp(4.0 + 0.9 * static_cast<double>(run.tokens.size()), 8.0, 16.0),
               std::clamp(2.5 + 0.5 * static_cast<double>(patching.recovered.shape()[0]), 5.0, 10.0));
}

// --- The trace ------------------------------------------------------------------------------------------

std::string listed(const ModelRun& run, const std::function<std::string(std::size_t layer)>& of_layer) {
  std::vector<std::string> lines;
  for (std::size_t layer = 0; layer < run.architecture().layers; ++layer) lines.push_back(of_layer(layer));
  return "np.stack([" + joined(lines, ", ") + "])";
}

/// (W_U[token] - W_U[against]) * gain
std::string readout_code(const ModelRun& run) {
  const ModelWeights& w = run.opened.model.weights;
  const LogitQuestion& question = run.attribution->question;
  const auto row = [&](std::size_t token) {
    return fmt::format("{}[{}{}]", python_name(w.head->matrix.name()), w.head->matrix.out_in() ? "" : ":, ",
                       token);
  };
  std::string code = row(question.token);
  if (question.against) code = fmt::format("({} - {})", code, row(*question.against));
  return w.final_norm ? code + " * " + gain_code(*w.final_norm) : code;
}

/// The readout behind the frozen norm, whose mean and deviation are those of the stream at the answer.
std::string direction_code(const ModelRun& run) {
  const ModelWeights& w = run.opened.model.weights;
  if (!w.final_norm) return "readout * 1.0";
  const std::string stream = fmt::format("{}[{}]", stream_behind(w, w.layers.size()), run.answer);
  if (w.final_norm->type == NormType::rms)
    return fmt::format("readout / np.sqrt(np.mean(np.square({})) + {})", stream, w.final_norm->eps);
  return fmt::format("(readout - np.mean(readout)) / np.sqrt(np.mean(np.square({0} - np.mean({0}))) + {1})",
                     stream, w.final_norm->eps);
}

/// 1.0 or 0.0 of each head, [1.0, 0.0, 1.0]; "" where none is ablated.
std::string kept_heads(const ModelRun& run, std::size_t layer) {
  const Ablation& without = run.settings.without;
  std::vector<std::string> kept;
  for (std::size_t head = 0; head < run.architecture().heads; ++head)
    kept.emplace_back(without.heads.count({layer, head}) + without.layers.count(layer) > 0 ? "0.0" : "1.0");
  return std::count(kept.begin(), kept.end(), "0.0") > 0 ? "np.array([" + joined(kept, ", ") + "])" : "";
}

/// What a term of attention's sum gives in that direction; where the sum is normed, with its deviation
/// frozen.
std::string direction_in_layer(const ModelRun& run, std::size_t layer) {
  const ModelLayer& weights = run.opened.model.weights.layers[layer];
  if (!weights.attention_output_norm) return "direction";
  const std::string kept = kept_heads(run, layer);
  const StoredMatrix& output = weights.output.matrix;
  std::string sum = fmt::format("join_heads(layer_{}_head_output{})[{}] @ {}{}", layer,
                                kept.empty() ? "" : " * " + kept + "[:, np.newaxis, np.newaxis]", run.answer,
                                python_name(output.name()), output.out_in() ? ".T" : "");
  if (weights.output.bias) sum += " + " + python_name(weights.output.bias_name);
  return fmt::format("(direction * {} / np.sqrt(np.mean(np.square({})) + {}))",
                     gain_code(*weights.attention_output_norm), sum, weights.attention_output_norm->eps);
}

/// What each head's output gives, times W_O, in that direction; nothing of an ablated one.
std::string heads_code(const ModelRun& run) {
  const Architecture& a = run.architecture();
  return listed(run, [&](std::size_t layer) {
    const StoredMatrix& output = run.opened.model.weights.layers[layer].output.matrix;
    const std::string name = python_name(output.name());
    const std::string direction = direction_in_layer(run, layer);
    const std::string code = fmt::format(
        "np.sum(layer_{}_head_output[:, {}] * ({}).reshape({}, {}), axis=1)", layer, run.answer,
        output.out_in() ? direction + " @ " + name : name + " @ " + direction, a.heads, a.head_width);
    const std::string kept = kept_heads(run, layer);
    return kept.empty() ? code : code + " * " + kept;
  });
}

void record_attribution(const ModelRun& run, Report& report) {
  const Attribution& attribution = *run.attribution;
  const Architecture& a = run.architecture();
  const auto add = [&](const char* name, const char* formula, const Tensor<double>& values, const Axes& axes,
                       const std::vector<std::string>& operands, const std::string& code) {
    report.stages.push_back(step(name, formula::read(formula), values, axes,
                                 derived::worked(operands, {}, code).rounded_by(rounding_in_float32)));
  };
  add("readout", "γ ∘ w", to_tensor(attribution.readout), {"width"}, {}, readout_code(run));
  add("direction", "\\frac{γ ∘ w - mean}{σ}", to_tensor(attribution.direction), {"width"}, {"readout"},
      direction_code(run));
  add("head_attribution", "A V W_O d", of_heads(run), {"layers", "heads"}, {"direction"}, heads_code(run));
  std::vector<double> mlps;
  for (const StreamPart& part : attribution.parts) {
    if (part.kind == StreamPartKind::mlp) mlps.push_back(part.contribution);
  }
  if (mlps.size() == a.layers)
    add("mlp_attribution", "MLP(X) d", to_tensor(mlps), {"layers"}, {"direction"},
        listed(run, [&](std::size_t layer) {
          return fmt::format("np.sum(layer_{}_mlp[{}] * direction)", layer, run.answer);
        }));
  report.scalars.push_back({"embedding_attribution", attribution.parts.front().contribution});
  report.scalars.push_back({"biases_attribution", attribution.parts.back().contribution});
  report.scalars.push_back({"attributed_logit", attribution.logit});
}

void check_attribution(const ModelRun& run, Report& report) {
  const Attribution& attribution = *run.attribution;
  double size = 1.0;
  for (const StreamPart& part : attribution.parts) size += std::abs(part.contribution);
  const Tensor<float>& logits = run.pass->forward.logits;
  const double of_model =
      logit_of(attribution.question, logits.data() + answer_row(run, *run.pass) * logits.shape()[1]);
  report.invariants.push_back(invariant("contributions_sum_to_logit",
                                        std::abs(attribution.sum() - attribution.logit), 1e-10 * size,
                                        "寄与の和がロジット", "the contributions sum to the logit"));
  report.invariants.push_back(invariant(
      "attributed_logit_is_the_models", std::abs(attribution.logit - of_model), 1e-4 * size,
      "そのロジットはモデルのロジット（単精度）", "that logit is the model's, in single precision"));
}

}  // namespace

std::vector<Figure> explaining_figures(const ModelRun& run) {
  std::vector<Figure> figures;
  if (run.attribution) {
    figures.push_back(attribution_figure(run));
    if (std::optional<Figure> arcs = attending_figure(run)) figures.push_back(std::move(*arcs));
  }
  if (run.pass->patching) figures.push_back(patching_figure(run));
  return figures;
}

void record_explanations(const ModelRun& run, Report& report) {
  if (run.attribution) {
    record_attribution(run, report);
    check_attribution(run, report);
    report.body.emplace_back(Paragraph::plain("{} です。", "{}.", about_sum(run)));
  }
  if (!run.pass->patching) return;
  report.stages.push_back(step("patching", formula::read("\\frac{Δ - Δ_corrupt}{Δ_clean - Δ_corrupt}"),
                               run.pass->patching->recovered, {"layers", "tokens"}, derived::worked({}, {})));
}

}  // namespace attnlab
