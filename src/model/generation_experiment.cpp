// `generation`: one token after the other. What the model says at each step, what greedy choice, temperature,
// top-k and top-p make of it, the map that grows by a row, and what the cache of keys and values saves.
#include <xtensor/xview.hpp>

#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/trace.hpp"
#include "model/model_experiment.hpp"
#include "model/run.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {
namespace {

constexpr std::size_t words_shown = 6;
constexpr std::size_t words_in_table = 3;

/// What is known of one step before the next begins.
struct Step {
  std::vector<double> probabilities;  // (vocabulary)
  std::vector<float> logits;
  std::size_t chosen = 0;
};

struct GenerationRun {
  const OpenedModel& opened;
  Tokens begun = {};   // the text
  Tokens tokens = {};  // and what was written behind it
  std::vector<Step> steps = {};
  std::string choice = {};
  Sampling sampling = {};
  std::size_t step = 1;  // that is drawn, counted from 1
  std::size_t layer = 0;
  std::size_t head = 0;
  Tensor<float> weights = {};       // (tokens, tokens) of that head, of the whole text read at once
  double largest_difference = 0.0;  // of the logits with the cache and without it
  const Step& now() const { return steps[step - 1]; }
};

Text sentence(const std::string& key, const SentenceValues& values = {}) {
  return model_sentence("generation_" + key, values);
}

// --- The computation

/// The settings as one of the four ways of choosing.
Sampling sampling_of(const std::string& choice, const Arguments& arguments) {
  Sampling sampling;
  sampling.seed = static_cast<std::uint32_t>(arguments.count("seed"));
  if (choice == "greedy") return sampling;
  sampling.temperature = choice == "temperature" ? arguments.number("temperature") : 1.0;
  if (choice == "top-k") sampling.top_k = arguments.count("top-k");
  if (choice == "top-p") sampling.top_p = arguments.number("top-p");
  return sampling;
}

/// The largest difference of the logits that the cache gave, and of one pass over all tokens.
double difference_without_cache(const GenerationRun& run, const ForwardPass& whole) {
  const std::size_t vocabulary = whole.logits.shape()[1];
  double largest = 0.0;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const float* row = whole.logits.data() + (run.begun.size() - 1 + i) * vocabulary;
    for (std::size_t k = 0; k < vocabulary; ++k)
      largest = std::max(largest,
                         std::abs(static_cast<double>(run.steps[i].logits[k]) - static_cast<double>(row[k])));
  }
  return largest;
}

void require_writer(const OpenedModel& opened) {
  if (!opened.model.has_words()) refuse_model("cannot_say");
  if (!opened.model.architecture.is_causal) refuse_model("reads_all", {{"mask", std::string("[MASK]")}});
}

GenerationRun computed_run(const Arguments& arguments, const Context& context) {
  const ModelFiles& files = *std::static_pointer_cast<const ModelFiles>(arguments.sources.files);
  const OpenedModel& opened = *files.opened;
  require_writer(opened);
  GenerationRun run{opened};
  run.choice = arguments.text("choice");
  run.sampling = sampling_of(run.choice, arguments);
  run.begun = run.tokens = tokens_of_run(arguments, files);
  const Architecture& a = opened.model.architecture;
  ModelSettings settings = model_settings(arguments_of_model(arguments), a);
  settings.sampling = run.sampling;
  Cache cache = empty_cache(opened.model, run.begun.size() + settings.generate);
  const ForwardPass begun = read_tokens(opened.model, run.begun, cache, {}, context.for_each);
  require_probabilities(opened.model, begun, run.begun.size() - 1, run.begun.size());
  const float* last = begun.logits.data() + (run.begun.size() - 1) * a.vocabulary;
  write_on(opened, run.begun, std::vector<float>(last, last + a.vocabulary), cache, settings, context,
           [&run](std::size_t token, const std::vector<float>& logits) {
             run.tokens.push_back(token);
             run.steps.push_back({probabilities(logits.data(), logits.size()), logits, token});
           });
  run.step = std::min(arguments.count("step"), run.steps.size());
  run.layer = settings.layer.value_or(a.layers - 1);
  run.head = settings.head.value_or(0);
  Cache none = empty_cache(opened.model, run.tokens.size());
  const ForwardPass whole = read_tokens(opened.model, run.tokens, none, {}, context.for_each);
  run.weights = xt::view(whole.layers[run.layer].weights, run.head, xt::all(), xt::all());
  run.largest_difference = difference_without_cache(run, whole);
  return run;
}

// --- What it costs

/// Of one token in the MLP of a layer.
std::size_t mlp_multiplications(const LanguageModel& model) {
  const Architecture& a = model.architecture;
  const ModelLayer& layer = model.weights.layers.front();
  if (!layer.has_mlp()) return 0;
  const std::size_t each = layer.any_mlp().matrices() * a.width * a.hidden;
  return layer.router ? a.experts_read * each + a.width * a.experts : each;
}

/// Multiplications of one token that reads `before` tokens and itself.
double work_of_token(const LanguageModel& model, std::size_t before) {
  const Architecture& a = model.architecture;
  const auto width = static_cast<double>(a.width);
  const auto keys = static_cast<double>(a.kv_heads * a.head_width);
  const auto queries = static_cast<double>(a.heads * a.head_width);
  const auto mlp = static_cast<double>(mlp_multiplications(model));
  double work = static_cast<double>(a.layers) * (width * (2.0 * queries + 2.0 * keys) + mlp);
  for (std::size_t layer = 0; layer < a.layers; ++layer) {
    const KeyRange read = keys_read(a, layer, before, before + 1);
    work += 2.0 * queries * static_cast<double>(read.end - read.begin);
  }
  return work + width * static_cast<double>(a.vocabulary);
}

/// Of a step that reads everything again: all tokens, of which only the last one's words are computed.
double work_without_cache(const LanguageModel& model, std::size_t tokens) {
  const Architecture& a = model.architecture;
  double work = 0.0;
  for (std::size_t i = 0; i < tokens; ++i) work += work_of_token(model, i);
  return work - static_cast<double>(tokens - 1) * static_cast<double>(a.width * a.vocabulary);
}

/// Of every step; the first one reads the text as a whole.
struct Work {
  std::vector<double> with;
  std::vector<double> without;
  double saved = 0.0;  // how many times the one is the other, all steps together
};

Work work_of(const GenerationRun& run) {
  const LanguageModel& model = run.opened.model;
  Work work;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const std::size_t tokens = run.begun.size() + i;
    work.without.push_back(work_without_cache(model, tokens));
    work.with.push_back(i == 0 ? work.without.front() : work_of_token(model, tokens - 1));
  }
  const auto sum = [](const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0);
  };
  work.saved = sum(work.without) / sum(work.with);
  return work;
}

// --- Figures

std::string label(const GenerationRun& run, std::size_t token) { return label_of(run.opened, token); }

/// The last words before a step, as far as a caption has room.
std::string words_before(const GenerationRun& run, std::size_t step) {
  constexpr std::size_t most = 12;
  const std::size_t end = run.begun.size() + step - 1;
  std::vector<std::string> words(end > most ? 1 : 0, "...");
  for (std::size_t i = end - std::min(end, most); i < end; ++i) words.push_back(label(run, run.tokens[i]));
  return joined(words, " ");
}

/// What a way of choosing leaves of the words that are shown; all that it leaves sums to 1.
std::vector<double> left_by(const Candidates& candidates, const std::vector<std::size_t>& shown) {
  std::vector<double> left(shown.size(), 0.0);
  for (std::size_t i = 0; i < candidates.tokens.size(); ++i) {
    const auto place = std::find(shown.begin(), shown.end(), candidates.tokens[i]);
    if (place != shown.end())
      left[static_cast<std::size_t>(place - shown.begin())] = candidates.shares[i] / candidates.sum;
  }
  return left;
}

Figure choice_figure(const GenerationRun& run, const Arguments& arguments) {
  const Step& step = run.now();
  const std::vector<std::size_t> shown = largest_places(step.probabilities, words_shown);
  std::vector<ShortText> names;
  names.reserve(shown.size());
  for (const std::size_t token : shown) names.emplace_back(label(run, token));
  const std::size_t likely = candidates_of(step.logits, sampling_of("top-p", arguments)).tokens.size();
  const SentenceValues values{{"step", run.step},
                              {"words", words_before(run, run.step)},
                              {"shown", names.size()},
                              {"likeliest", label(run, shown.front())},
                              {"probability", step.probabilities[shown.front()]},
                              {"likely", counted(likely, "word")},
                              {"top_p", arguments.number("top-p")},
                              {"top_k", arguments.count("top-k")},
                              {"temperature", arguments.number("temperature")}};
  Figure figure{"choice", sentence("choice", values)};
  figure.description = sentence("choice_description", values);
  figure.caption = sentence("choice_caption", values);
  for (const char* way : {"greedy", "temperature", "top-k", "top-p"}) {
    figure.panels.push_back(
        {sentence(std::string("way_") + way, values),
         Chart{
             Axis{Text::none()}.named(names),
             Axis{sentence("probability")}.within(0.0, 1.1),
             {Bars{way, left_by(candidates_of(step.logits, sampling_of(way, arguments)), shown)}.with_numbers(
                 2)}}});
  }
  figure.columns = 2;
  figure.page = {11.0, 7.6};
  return figure;
}

/// The words read up to the step, and the row that it added.
Figure map_figure(const GenerationRun& run) {
  const std::size_t tokens = run.begun.size() + run.step - 1;
  Matrix map{tokens, tokens, {}};
  std::vector<bool> marked;
  std::vector<bool> hidden;
  std::vector<ShortText> names;
  for (std::size_t i = 0; i < tokens; ++i) {
    const float* row = run.weights.data() + i * run.weights.shape()[1];
    map.values.insert(map.values.end(), row, row + tokens);
    for (std::size_t k = 0; k < tokens; ++k) {
      marked.push_back(i + 1 == tokens && k <= i);
      hidden.push_back(k > i);
    }
    names.emplace_back(label(run, run.tokens[i]));
  }
  constexpr std::size_t most_named = 40;
  if (tokens > most_named) names.clear();
  const SentenceValues values{{"step", run.step},
                              {"head", head_of_layer(run.layer, run.head)},
                              {"tokens", tokens},
                              {"next", label(run, run.now().chosen)}};
  return Figure{"map", sentence("map", values)}
      .described(sentence("map_description", values))
      .captioned(sentence("map_caption", values))
      .panel(HeatMap{"weights", map}
                 .rows(sentence("query"), names)
                 .columns(sentence("key"), names)
                 .coloured(weight_colours())
                 .hiding(std::move(hidden))
                 .marking(std::move(marked)))
      .on_page(8.6, 8.0);
}

Figure cost_figure(const GenerationRun& run, Work work) {
  constexpr double million = 1e6;
  std::vector<double> steps;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    steps.push_back(static_cast<double>(i + 1));
    work.with[i] /= million;
    work.without[i] /= million;
  }
  const SentenceValues values{{"factor", work.saved},
                              {"steps", counted(run.steps.size(), "token")},
                              {"begun", counted(run.begun.size(), "token")},
                              {"with", work.with.back()},
                              {"without", work.without.back()}};
  return Figure{"cost", sentence("cost", values)}
      .described(sentence("cost_description", values))
      .captioned(sentence("cost_caption", values))
      .panel(Chart{Axis{sentence("step")},
                   Axis{sentence("multiplications")}.within(0.0, 1.1 * work.without.back()),
                   {Curve{"without_cache", steps, work.without, series_ink(1), sentence("without_cache")},
                    Curve{"with_cache", steps, work.with, series_ink(0), sentence("with_cache")}}})
      .on_page(9.0, 5.6);
}

// --- The report

Table table_of_steps(const GenerationRun& run) {
  Table table{{sentence("step"), sentence("chosen"), sentence("probability"), sentence("likeliest")}};
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const Step& step = run.steps[i];
    std::string others;
    for (const std::size_t token : largest_places(step.probabilities, words_in_table))
      others += fmt::format("{}{} {:.2f}", others.empty() ? "" : ", ", label(run, token),
                            step.probabilities[token]);
    table.rows.push_back({std::to_string(i + 1), label(run, step.chosen),
                          fmt::format("{:.4f}", step.probabilities[step.chosen]), others});
  }
  return table;
}

/// As a reader writes it, or its numbers without a tokenizer.
std::string written(const GenerationRun& run, const Tokens& tokens) {
  if (run.opened.tokenizer) return printable(run.opened.tokenizer->decode(tokens));
  return joined(tokens, " ");
}

/// generated(read, [4, 1], [0.5, 0.7], 1.0, 3, 1.0)
std::string code_of_loop(const GenerationRun& run) {
  NumpyRandom random(run.sampling.seed);
  std::vector<std::string> drawn;
  for (std::size_t i = 0; i < run.steps.size(); ++i) drawn.push_back(python_repr(random.uniform()));
  return fmt::format("generated(read, [{}], [{}], {}, {}, {})", fmt::join(run.begun, ", "),
                     joined(drawn, ", "), python_repr(run.sampling.temperature), run.sampling.top_k,
                     python_repr(run.sampling.top_p));
}

Report run_generation(const Arguments& arguments, const Context& context) {
  const GenerationRun run = computed_run(arguments, context);
  Report report;
  const Tensor<double> tokens = to_tensor(run.tokens);
  record_reading(begun_run(arguments, context), report);
  std::vector<double> chosen;
  double sum = 0.0;
  for (const Step& step : run.steps) {
    chosen.push_back(step.probabilities[step.chosen]);
    sum += chosen.back();
  }
  report.stages = {
      step("tokens", Formula{}, tokens, {"tokens"}, derived::worked({}, {}, code_of_loop(run))),
      learned_stage("probability", to_tensor(chosen), {"steps"}),
      learned_stage("next_probabilities", to_tensor(run.now().probabilities), {"vocabulary"}),
      learned_stage("weights", Tensor<double>(xt::cast<double>(run.weights)), {"queries", "keys"})};
  const Work work = work_of(run);
  report.scalars = {{"steps", static_cast<double>(run.steps.size())},
                    {"mean_probability", sum / static_cast<double>(run.steps.size())},
                    {"saved_by_cache", work.saved}};
  constexpr double of_logits = 1e-4;
  report.invariants = {invariant("same_with_and_without_cache", run.largest_difference, of_logits,
                                 sentence("invariant").ja(), sentence("invariant").en())};
  const auto first_written = static_cast<std::ptrdiff_t>(run.begun.size());
  const SentenceValues values{
      {"text", written(run, run.begun)},
      {"written", written(run, {run.tokens.begin() + first_written, run.tokens.end()})},
      {"steps", counted(run.steps.size(), "token")},
      {"model", model_summary(run.opened)},
      {"factor", work.saved},
      {"way", sentence("way_" + run.choice, {{"temperature", run.sampling.temperature},
                                             {"top_k", run.sampling.top_k},
                                             {"top_p", run.sampling.top_p}})}};
  report.body = {Paragraph{Role::heading, sentence("heading")},
                 Paragraph{Role::text, sentence("model", values)},
                 Paragraph{Role::text, sentence("written", values)},
                 table_of_steps(run),
                 Paragraph{Role::say, sentence("say", values)},
                 Paragraph{Role::misunderstanding, sentence("misunderstanding", values)}};
  report.figures = {choice_figure(run, arguments), map_figure(run), cost_figure(run, work)};
  return report;
}

std::vector<Parameter> generation_parameters() {
  std::vector<Parameter> own =
      some_model_parameters({"model", "text", "tokens", "tokenizer", "bos", "layer", "head", "seed"});
  for (Parameter& parameter : own) {
    if (parameter.name == "model") parameter.default_text = "world";
    if (parameter.name == "layer" || parameter.name == "head")
      parameter.help = sentence("flag_" + parameter.name);
  }
  const auto add = [&](const char* name, ParameterKind kind, const char* value) {
    own.push_back({name, std::move(kind), value, sentence(std::string("flag_") + name)});
  };
  add("choice", ChoiceKind{{"greedy", "temperature", "top-k", "top-p"}}, "greedy");
  add("generate", IntegerKind{{1, 200}}, "12");
  add("step", IntegerKind{{1, 200}}, "1");
  add("temperature", NumberKind{{0.01, 100.0}}, "2");
  add("top-k", IntegerKind{{1, 1000}}, "3");
  add("top-p", NumberKind{{1e-6, 1.0}}, "0.9");
  return own;
}

/// Step by step, as far as a page has room.
std::vector<DeclaredSlider> step_slider(Arguments& arguments) {
  constexpr std::size_t most_values = 20;
  const std::size_t steps = arguments.count("generate");
  if (steps == 1) return {};
  return {{fmt::format("step=1:{}:{}", steps, std::min(steps, most_values))}};
}

}  // namespace

const Experiment& generation_experiment() {
  static const Experiment generation = over_own_model(
      Experiment{"generation", sentence("shows"), sentence("source"), generation_parameters(), run_generation}
          .with_positionals({"model", "text"}),
      step_slider);
  return generation;
}

}  // namespace attnlab
