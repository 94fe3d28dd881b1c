// `model` as an experiment: the pass over the tokens, and what is asked of it.
#include "model/model_experiment.hpp"

#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "model/run.hpp"
#include "model/soundness.hpp"

namespace attnlab {
namespace {

constexpr std::size_t lens_positions = 16;
constexpr std::size_t most_weights = std::size_t{1} << 24U;  // of all heads together; more are not kept
constexpr std::size_t most_stream = std::size_t{1} << 28U;   // numbers of all layers that a long text keeps

bool is_long(const Architecture& a, std::size_t tokens) { return tokens > longest_kept(a); }

/// Throws Error (usage) for a text whose stream would not fit into memory.
void require_length(const Architecture& a, std::size_t tokens) {
  const std::size_t kept = 3 * a.layers * a.width;
  if (tokens <= most_stream / kept) return;
  refuse_model("too_long", {{"tokens", tokens}, {"most", most_stream / kept}});
}

/// The largest weight but for the darkest hundredth: of a long text most weights are small.
double largest_usual(const ModelPass& pass) {
  std::vector<float> read;
  for (std::size_t layer = 0; layer < pass.roles.size(); ++layer) {
    const Tensor<float>& map = pass.map(layer);
    std::copy_if(map.begin(), map.end(), std::back_inserter(read),
                 [](float weight) { return weight > 0.0F; });
  }
  if (read.empty()) return 1.0;  // every weight is NaN
  const auto place = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(read.size() - 1));
  std::nth_element(read.begin(), read.begin() + place, read.end());
  const double usual = read[static_cast<std::size_t>(place)];
  return usual < 0.5 ? usual : 1.0;
}

/// One head after another taken out, and what that does to the answer.
Tensor<double> ablation_of_each(const ModelRun& run, const ModelPass& whole, const Ablation& ablation,
                                const Context& context) {
  const Architecture& a = run.architecture();
  const std::vector<double> answer = answer_of(run, whole);
  const std::size_t word = largest_places(answer, 1).front();
  Tensor<double> changes = Tensor<double>::from_shape({a.layers, a.heads});
  for (std::size_t layer = 0; layer < a.layers; ++layer) {
    for (std::size_t head = 0; head < a.heads; ++head) {
      Ablation without = ablation;
      without.heads.insert({layer, head});
      Cache cache = empty_cache(run.opened.model, run.tokens.size());
      ModelPass pass;
      const LongReading nothing_kept{[](std::size_t, std::size_t, std::size_t, const float*) {}, run.answer};
      pass.forward =
          read_tokens(run.opened.model, run.tokens, cache, without, context.for_each, {}, &nothing_kept);
      changes(layer, head) = std::log(answer_of(run, pass)[word]) - std::log(answer[word]);
      if (context.progress)
        context.progress(static_cast<double>(layer * a.heads + head + 1) /
                         static_cast<double>(a.layers * a.heads));
    }
  }
  return changes;
}

/// Whether every head can be left out once in a fraction of a second.
bool is_soon_ablated(const ModelRun& run, const ModelPass& pass) {
  constexpr double most_multiplications = 3e8;
  const Architecture& a = run.architecture();
  const auto readings = static_cast<double>(a.layers * a.heads * run.tokens.size());
  const auto parameters = static_cast<double>(run.opened.model.weights.parameters);
  return has_answer(run, pass) && readings * parameters <= most_multiplications;
}

/// The token whose logit is explained: the one that was named, or the answer.
LogitQuestion named_question(const ModelRun& run, const ModelPass& pass) {
  const ModelSettings& settings = run.settings;
  const Tensor<float>& logits = pass.forward.logits;
  const float* const row = logits.data() + answer_row(run, pass) * logits.shape()[1];
  LogitQuestion question;
  question.token = settings.token.empty() ? largest_places(answer_of(run, pass), 1).front()
                                          : token_of_word(run.opened, settings.token, row);
  if (!settings.against.empty()) question.against = token_of_word(run.opened, settings.against, row);
  if (question.against == question.token)
    refuse_model("against_same", {{"word", quotation(label_of(run.opened, question.token))}});
  return question;
}

/// Nothing for a model whose logits are no sum over parts, unless a token was named: that is refused.
std::optional<Attribution> attribution_of_run(const ModelRun& run) {
  const LanguageModel& model = run.opened.model;
  const ModelPass& pass = *run.pass;
  const bool is_possible = is_attributable(model) && !pass.in_long && has_answer(run, pass);
  const bool is_requested = !run.settings.token.empty() || !run.settings.against.empty();
  if (!is_possible && is_requested && run.corrupt.empty()) refuse_model("no_attribution");
  if (!is_possible) return std::nullopt;
  return attribution_of(model, pass.forward, run.settings.without, run.answer, named_question(run, pass));
}

/// The answer against that of the corrupted text, where no tokens were named.
Patching patched_pass(const ModelRun& run, const ModelPass& clean, const Ablation& without,
                      const Context& context) {
  const LanguageModel& model = run.opened.model;
  if (clean.in_long || !has_answer(run, clean)) refuse_model("corrupt_none");
  Cache cache = empty_cache(model, run.corrupt.size());
  ModelPass corrupt;
  corrupt.forward = read_tokens(model, run.corrupt, cache, without, context.for_each);
  if (!has_answer(run, corrupt)) refuse_model("corrupt_none");
  LogitQuestion question = named_question(run, clean);
  if (!question.against) question.against = largest_places(answer_of(run, corrupt), 1).front();
  if (*question.against == question.token)
    refuse_model("corrupt_answer", {{"word", quotation(label_of(run.opened, question.token))}});
  Patching patching = patching_of(model, clean.forward, corrupt.forward, without, run.answer, question,
                                  context.for_each, context.progress);
  patching.corrupt = run.corrupt;
  return patching;
}

std::shared_ptr<const ModelPass> computed_pass(const ModelRun& run, const Ablation& without,
                                               const Context& context) {
  const OpenedModel& opened = run.opened;
  const Tokens& tokens = run.tokens;
  auto pass = std::make_shared<ModelPass>();
  const std::size_t capacity = std::min(tokens.size() + run.settings.generate, most_tokens_of(opened.model));
  pass->cache = empty_cache(opened.model, std::max(capacity, tokens.size()));
  const bool reads_in_long = is_long(opened.model.architecture, tokens.size());
  std::optional<LongMapsFiller> filler;
  if (reads_in_long) filler.emplace(opened.model.architecture, tokens, run.query);
  const LongReading in_long{[&](std::size_t layer, std::size_t head, std::size_t place,
                                const float* weights) { filler->add(layer, head, place, weights); },
                            run.answer};
  pass->forward = read_tokens(opened.model, tokens, pass->cache, without, context.for_each, context.progress,
                              reads_in_long ? &in_long : nullptr);
  if (reads_in_long) {
    pass->in_long = filler->filled();
    pass->roles = pass->in_long->roles;
  } else {
    for (const LayerStages& layer : pass->forward.layers)
      pass->roles.push_back(roles_of(layer.weights, tokens));
  }
  if (run.settings.generate == 0) pass->cache = {};
  pass->lens = lens_of(opened.model, pass->forward, lens_positions, context.for_each);
  if (opened.model.has_words()) {
    const Tensor<float>& logits = pass->forward.logits;
    const float* last = logits.data() + (logits.shape()[0] - 1) * logits.shape()[1];
    pass->last.assign(last, last + logits.shape()[1]);
  }
  pass->largest_usual = largest_usual(*pass);
  pass->breakdown = breakdown_of(opened.model, pass->forward);
  if (pass->breakdown) refuse_broken_weights(opened.checkpoint);
  if (is_soon_ablated(run, *pass)) pass->changes = ablation_of_each(run, *pass, without, quiet_context());
  if (!run.corrupt.empty()) pass->patching = patched_pass(run, *pass, without, context);
  return pass;
}

/// A pass and what it was computed for.
struct RememberedPass {
  std::shared_ptr<const OpenedModel> opened;
  Tokens tokens;
  std::string without;
  std::size_t capacity = 0;
  std::size_t query = 0;  // of a long text, which keeps only its row
  Tokens corrupt;
  std::string question;  // the tokens that were named
  std::shared_ptr<const ModelPass> pass;
};

/// For the next frame of a page the last two passes are kept: the whole model's, and that without some parts.
std::shared_ptr<const ModelPass> pass_over(const std::shared_ptr<const OpenedModel>& opened,
                                           const ModelRun& run, bool is_whole, const Context& context) {
  static std::mutex mutex;
  static std::vector<RememberedPass> last;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::string without = is_whole ? "" : run.settings.without_text;
  const std::size_t query = is_long(run.architecture(), run.tokens.size()) ? run.query : 0;
  const std::string question = run.settings.token + "\n" + run.settings.against;
  const auto found = std::find_if(last.begin(), last.end(), [&](const RememberedPass& one) {
    return one.opened == opened && one.tokens == run.tokens && one.without == without &&
           one.capacity == run.settings.generate && one.query == query && one.corrupt == run.corrupt &&
           one.question == question;
  });
  if (found != last.end()) return found->pass;
  if (last.size() == 2) last.erase(last.begin());
  last.push_back({opened, run.tokens, without, run.settings.generate, query, run.corrupt, question,
                  computed_pass(run, is_whole ? Ablation{} : run.settings.without, context)});
  return last.back().pass;
}

/// The place of a number, or of the last token with that label.
std::size_t query_of(const ModelRun& run) {
  const std::string& typed = run.settings.query;
  if (typed.empty()) return run.answer;
  for (std::size_t i = run.labels.size(); i-- > 0;) {
    if (run.labels[i] == typed) return i;
  }
  const auto place = number_from<std::size_t>(typed);
  if (place && *place < run.tokens.size()) return *place;
  refuse_model("query", {{"query", quotation(typed)}, {"last", run.tokens.size() - 1}});
}

/// The last token, or the first masked one.
std::size_t answer_place(const ModelRun& run) {
  if (run.opened.tokenizer && run.opened.tokenizer->mask) {
    const auto mask = std::find(run.tokens.begin(), run.tokens.end(), *run.opened.tokenizer->mask);
    if (mask != run.tokens.end()) return static_cast<std::size_t>(mask - run.tokens.begin());
  }
  return run.tokens.size() - 1;
}

/// How much of the answer a head holds, by its ablation; of a large model, where that takes long, how much it
/// does one thing that is more than looking at itself or at the first token.
double conspicuousness(const ModelRun& run, std::size_t layer, std::size_t head) {
  if (run.pass->changes) {
    const double change = (*run.pass->changes)(layer, head);
    return std::isnan(change) ? std::numeric_limits<double>::lowest() : -change;
  }
  const HeadRoles& roles = run.roles(layer, head);
  double most = 0.0;
  for (const double share : {roles.previous, roles.same, roles.followed}) {
    if (share > most) most = share;
  }
  return most;
}

/// The head that is drawn: what was asked for, of these the one that stands out.
void choose_head(ModelRun& run) {
  double most = -infinity;
  for (std::size_t layer = 0; layer < run.pass->roles.size(); ++layer) {
    if (run.settings.layer && *run.settings.layer != layer) continue;
    for (std::size_t head = 0; head < run.pass->roles[layer].size(); ++head) {
      if (run.settings.head && *run.settings.head != head) continue;
      const double now = conspicuousness(run, layer, head);
      if (now <= most) continue;
      most = now;
      run.layer = layer;
      run.head = head;
    }
  }
}

void require_words(const ModelRun& run) {
  if (run.settings.generate == 0) return;
  if (!run.has_words()) refuse_model("cannot_say");
  if (!run.architecture().is_causal) {
    const auto& tokenizer = run.opened.tokenizer;
    const bool has_mask = tokenizer && tokenizer->mask;
    refuse_model("reads_all", {{"mask", has_mask ? tokenizer->pieces[*tokenizer->mask] : "[MASK]"}});
  }
}

Report run_model(const Arguments& arguments, const Context& context) {
  ModelRun run = begun_run(arguments, context);
  if (run.has_words() && (run.settings.ablates || run.settings.generate > 0))
    require_probabilities(run.opened.model, run.pass->forward, answer_row(run, *run.pass), run.tokens.size());
  if (run.settings.ablates && run.has_words()) {
    run.ablation = run.pass->changes ? run.pass->changes
                                     : ablation_of_each(run, *run.pass, run.settings.without, context);
  }
  if (run.settings.generate > 0) {
    Cache cache = run.pass->cache;
    write_on(run.opened, run.tokens, run.pass->last, cache, run.settings, context,
             [&run](std::size_t token, const std::vector<float>& logits) {
               run.generation.push_back({token, probabilities(logits.data(), logits.size())[token]});
             });
  }
  run.attribution = attribution_of_run(run);
  Report report;
  record_model(run, report);
  report.scalars = model_scalars(run);
  report.invariants = model_invariants(run);
  report.body = model_body(run);
  record_explanations(run, report);
  report.figures = model_figures(run);
  if (run.pass->breakdown) report.warnings.push_back(reported_of(*run.pass->breakdown));
  return report;
}

/// Of each of two sliders over maps with a side of so many cells: a page has room for their product.
std::size_t values_in_a_page(std::size_t side) {
  constexpr double most_cells = 2e6;  // 20 MB
  const double values = std::sqrt(most_cells) / static_cast<double>(side);
  return static_cast<std::size_t>(std::clamp(values, 2.0, 20.0));
}

}  // namespace

std::size_t longest_kept(const Architecture& a) {
  const std::size_t weights_of_a_head = most_weights / (a.layers * a.heads);
  return static_cast<std::size_t>(std::sqrt(static_cast<double>(weights_of_a_head)));
}

ModelRun begun_run(const Arguments& provided, const Context& context) {
  const Arguments arguments = arguments_of_model(provided);
  const ModelFiles& files = *std::static_pointer_cast<const ModelFiles>(arguments.sources.files);
  const OpenedModel& opened = *files.opened;
  ModelRun run{opened, model_settings(arguments, opened.model.architecture)};
  run.tokens = tokens_of_run(arguments, files);
  require_length(opened.model.architecture, run.tokens.size());
  require_words(run);
  run.corrupt = corrupt_tokens(arguments, files, run.tokens.size());
  for (const std::size_t token : run.tokens) run.labels.push_back(label_of(opened, token));
  run.answer = answer_place(run);
  run.query = query_of(run);
  if (run.leaves_out()) run.whole = pass_over(files.opened, run, true, context);
  run.pass = pass_over(files.opened, run, false, context);
  if (!run.leaves_out()) run.whole = run.pass;
  choose_head(run);
  return run;
}

std::vector<DeclaredSlider> model_sliders(Arguments& arguments) {
  Context context = quiet_context();
  context.for_each = on_all_processors();
  arguments.sources.files = open_model_files(arguments);
  const ModelRun run = begun_run(arguments, context);
  const std::size_t most_values = values_in_a_page(run.pass->map(0).shape()[1]);
  std::vector<DeclaredSlider> sliders;
  const auto slide = [&](const char* name, std::size_t count, std::size_t place) {
    if (find_named(arguments.parameters(), name) == nullptr) return;
    arguments.set(name, std::to_string(place));
    if (count > 1)
      sliders.push_back({fmt::format("{}=0:{}:{}", name, count - 1, std::min(count, most_values))});
  };
  slide("layer", run.architecture().layers, run.layer);
  slide("head", run.architecture().heads, run.head);
  return sliders;
}

const Experiment& model_experiment() {
  static const Experiment model =
      over_own_model(Experiment{"model",
                                {"手もとのモデルに文を読ませて、すべての層とヘッドを見る",
                                 "a model on your disk reads your sentence: every layer, every head"},
                                {"手持ちのモデル", "your own model"},
                                model_parameters(),
                                run_model}
                         .with_positionals({"model", "text"}),
                     model_sliders);
  return model;
}

}  // namespace attnlab
