// `decoder` over a model: the likeliest next words, what each sub-layer adds, what the mask hides, the heads.
#include <xtensor/xview.hpp>

#include "core/utf8.hpp"
#include "experiments/decoder/decoder.hpp"
#include "model/experiments/experiments.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_tokens = 32;
constexpr std::size_t shown_words = 9;  // whose names stand in full beneath bars

void require_decoder(const Architecture& a, const ModelRun& model) {
  const bool adds_to_the_stream = a.norm_position != NormPosition::post;
  if (model.has_words() && a.is_causal && adds_to_the_stream) return;
  refuse_model("room_decoder", {{"model", quotation(model.opened.checkpoint.name)}});
}

/// The matrices, without biases and norms.
WeightCounts counts_of(const LanguageModel& model) {
  const Architecture& a = model.architecture;
  const ModelLayer& layer = model.weights.layers.front();
  const std::size_t heads = a.heads * a.head_width;
  const std::size_t shared = a.kv_heads * a.head_width;
  const std::size_t places = a.places == PlaceTable::learned ? a.positions : 0;
  WeightCounts counts;
  counts.words = a.vocabulary;
  counts.width = a.width;
  counts.hidden = a.hidden;
  counts.embedding = (a.vocabulary + places) * a.width;
  counts.attention = a.width * (2 * heads + 2 * shared);
  counts.mlp = layer.any_mlp().matrices() * a.width * a.hidden;
  if (layer.router) counts.mlp = a.experts * (counts.mlp + a.width);
  counts.vocabulary = a.is_tied ? 0 : a.vocabulary * a.width;
  counts.layers = a.layers;
  return counts;
}

Tensor<double> reaction_of(const LanguageModel& model, const Tokens& tokens, const Context& context) {
  return reactions(tokens, model.architecture.vocabulary, [&](const Tokens& changed) {
    Cache cache = empty_cache(model, changed.size());
    return widened(read_tokens(model, changed, cache, {}, context.for_each).logits);
  });
}

void measure_stream(const ForwardPass& pass, DecoderRun& run) {
  const std::size_t layers = pass.layers.size();
  const std::size_t tokens = run.prompt.size();
  run.stream_length = Tensor<double>::from_shape({2 * layers + 1, tokens});
  run.added_length = xt::zeros<double>({2 * layers, tokens});
  xt::view(run.stream_length, 0) = token_lengths(widened(pass.embedded));
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const LayerStages& stages = pass.layers[layer];
    const bool has_mlp = stages.mlp.dimension() > 0;
    xt::view(run.added_length, 2 * layer) = token_lengths(widened(stages.attention));
    if (has_mlp) xt::view(run.added_length, 2 * layer + 1) = token_lengths(widened(stages.mlp));
    xt::view(run.stream_length, 2 * layer + 1) = token_lengths(widened(stages.after_attention));
    xt::view(run.stream_length, 2 * layer + 2) = token_lengths(widened(stages.output));
  }
}

/// Of the likeliest words behind the last token, at every place: (n, words).
void take_words(const ModelRun& model, DecoderRun& run) {
  const Tensor<float>& logits = model.pass->forward.logits;
  const std::size_t all = logits.shape()[1];
  const std::vector<std::size_t> words = largest_places(answer_of(model, *model.pass), shown_words);
  run.pass.logits = run.pass.probabilities = Tensor<double>::from_shape({run.prompt.size(), words.size()});
  for (const std::size_t word : words) run.vocabulary.push_back(label_of(model.opened, word));
  for (std::size_t place = 0; place < run.prompt.size(); ++place) {
    const std::vector<double> answered = probabilities(logits.data() + place * all, all);
    for (std::size_t i = 0; i < words.size(); ++i) {
      run.pass.probabilities(place, i) = answered[words[i]];
      run.pass.logits(place, i) = logits(place, words[i]);
    }
  }
}

DecoderRun decoder_run(const ModelRun& model, const Context& context) {
  const Architecture& a = model.architecture();
  DecoderRun run;
  run.tape.come_from(Text::same(printable(model.opened.checkpoint.name)));
  run.prompt = model.tokens;
  run.history = model.labels;
  run.replacement = label_of(model.opened, (model.tokens.back() + 1) % a.vocabulary);
  run.is_gpt = a.norm_position == NormPosition::pre && a.norm == NormType::layer &&
               a.places != PlaceTable::none && a.hidden > 0;
  run.heads = a.heads;
  run.counts = counts_of(model.opened.model);
  take_words(model, run);
  for (const LayerStages& stages : model.pass->forward.layers) {
    run.pass.layers.emplace_back();
    run.pass.layers.back().attention.attention.weights = widened(stages.weights);
  }
  measure_stream(model.pass->forward, run);
  run.reaction = reaction_of(model.opened.model, model.tokens, context);
  LanguageModel sees_all = model.opened.model;
  sees_all.architecture.is_causal = false;
  run.reaction_without_mask = reaction_of(sees_all, model.tokens, context);
  return run;
}

}  // namespace

Report decoder_over_model(const Arguments& arguments, const Context& context) {
  const ModelRun model = read_by_model(arguments, context, most_tokens);
  require_decoder(model.architecture(), model);
  if (model.pass->breakdown) refuse_breakdown(*model.pass->breakdown);
  const DecoderRun run = decoder_run(model, context);
  Report report;
  record_model(model, report);
  append(report.stages,
         {learned_stage("added_length", run.added_length, {"sublayers", "tokens"}),
          learned_stage("stream_length", run.stream_length, {"places", "tokens"}),
          learned_stage("reaction", run.reaction, {"tokens", "changed_tokens"}),
          learned_stage("reaction_without_mask", run.reaction_without_mask, {"tokens", "changed_tokens"})});
  report.scalars = model_scalars(model);
  report.scalars.push_back({"leak", leak(run.reaction)});
  report.scalars.push_back({"leak_without_mask", leak(run.reaction_without_mask)});
  report.invariants = model_invariants(model);
  // Weights behind the mask are exactly 0; only the order of a product's sums could differ, in float32.
  const double rounding = 1e-4 * largest_magnitude(widened(model.pass->forward.logits));
  report.invariants.push_back(invariant("no_leak_from_the_future", leak(run.reaction), rounding,
                                        "後の語を変えても、前の位置の出力は変わらない",
                                        "changing a later word changes no earlier output"));
  report.body = body(run, report.stages);
  report.figures = figures(run);
  return report;
}

}  // namespace attnlab
