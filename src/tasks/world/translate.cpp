// `train translate`: an encoder and a decoder (Vaswani et al. 2017) learn to say a small world's sentences in
// another language: in Japanese, whose words stand in another order, or in French, where `it` becomes il or
// elle by what it stands for.
#include "tasks/world/translate.hpp"

#include <xtensor/xview.hpp>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t pairs_held_out = 256;
constexpr std::size_t most_words = 20;  // of a sentence with its signs: the longest has fewer

std::string sentence(const std::vector<int>& words, const std::vector<std::string>& spelt) {
  return joined(spelled(words, spelt), " ");
}

/// The target without its signs.
std::vector<int> target_of(const WorldStory& pair) {
  return {pair.target.begin() + 1, pair.target.end() - 1};
}

/// The weight on the word that is translated, head by head: the mean over the words that both sentences drew.
/// Of the first pairs.
std::vector<double> weight_on_the_translated(const std::vector<WorldStory>& pairs, const Batch& batch,
                                             const Tensor<double>& weights) {
  const std::size_t heads = weights.shape()[1] * weights.shape()[2];
  const std::size_t keys = weights.shape()[4];
  std::vector<double> shares(heads, 0.0);
  std::size_t words = 0;
  for (std::size_t i = 0; i < batch.sequences; ++i) {
    for (const AlignedWords& word : pairs[i].aligned) {
      ++words;
      // The word at a place is said one place before it; sources stand without their sign.
      for (std::size_t head = 0; head < heads; ++head)
        shares[head] +=
            weights.flat(((i * heads + head) * batch.tokens + word.target - 1) * keys + word.source - 1);
    }
  }
  for (double& share : shares) share /= static_cast<double>(words);
  return shares;
}

/// Of the head where it is largest.
MeasureHeads best_alignment(const std::vector<WorldStory>& pairs) {
  return [pairs](const Batch& batch, const Tensor<double>& weights) {
    const std::vector<double> shares = weight_on_the_translated(pairs, batch, weights);
    return *std::max_element(shares.begin(), shares.end());
  };
}

std::size_t best_head(const Model<double>& model, const std::vector<WorldStory>& pairs, const Batch& batch) {
  const std::vector<double> shares = weight_on_the_translated(pairs, batch, weights_over(model, batch));
  return static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

/// The longest of which a slide has room for every word.
const WorldStory& longest_shown(const std::vector<WorldStory>& pairs) {
  constexpr std::size_t most = 12;  // the sign of the end among them
  const auto length = [](const WorldStory& pair) {
    const std::size_t words = std::max(pair.target.size(), pair.words.size()) - 1;
    return words <= most ? words : 0;
  };
  return *std::max_element(pairs.begin(), pairs.end(),
                           [&](const WorldStory& a, const WorldStory& b) { return length(a) < length(b); });
}

/// One behind the other, each as long as the longest.
void take_sources(Batch& batch, const std::vector<std::vector<int>>& sources) {
  for (const std::vector<int>& source : sources)
    batch.source_tokens = std::max(batch.source_tokens, source.size());
  for (const std::vector<int>& source : sources) {
    batch.source_lengths.push_back(source.size());
    batch.sources.insert(batch.sources.end(), source.begin(), source.end());
    batch.sources.resize(batch.source_lengths.size() * batch.source_tokens, 0);
  }
}

std::vector<int> typed_source(const Arguments& arguments, Task task) {
  task.shape.tokens = task.shape.source.tokens;
  return read_sequence(lower_case(arguments.text("input")), task);
}

Report run_translate(const Arguments& arguments, const Context& context) {
  const std::string& to = arguments.text("to");
  const WorldGrammar grammar("en-" + to);
  const std::vector<std::string>& spelt = grammar.words();
  NumpyRandom random(learning_settings(arguments).seed + 2);
  const std::vector<WorldStory> held_out = draw_stories(random, pairs_held_out, grammar, true);
  Task task{"translate"};
  task.words = task.answers = spelt;
  task.shape = model_shape(arguments, spelt.size(), spelt.size(), most_words);
  require_reading_back(task.shape);
  task.shape.source = {spelt.size(), most_words, task.shape.layers};
  task.draw = [&grammar](NumpyRandom& stream, std::size_t sequences) {
    return batch_of_pairs(draw_stories(stream, sequences, grammar, false));
  };
  task.held_out = batch_of_pairs(held_out);
  const WorldStory& shown = longest_shown(held_out);
  task.example = batch_of_pairs({shown});
  task.accuracy = "held_out_word_accuracy";
  const TaskWords plain("translate");
  task.measure = HeadMeasure{"alignment_weight", plain.plain("measure"), best_alignment(held_out)};
  const WorldStory& first = held_out.front();
  task.values = {{"language", plain.plain("language_" + to)},
                 {"vocabulary", spelt.size() - 1},
                 {"from", sentence(source_of(first), spelt)},
                 {"into", sentence(target_of(first), spelt)}};
  const bool is_typed = arguments.is_set("input");
  const std::vector<int> typed = is_typed ? typed_source(arguments, task) : source_of(shown);
  Learned learned = learned_from(task, arguments, context);

  std::vector<std::vector<int>> sources(held_out.size());
  std::transform(held_out.begin(), held_out.end(), sources.begin(), source_of);
  const std::vector<std::vector<int>> answered = translations(learned.model, sources);
  std::size_t right = 0;
  for (std::size_t i = 0; i < held_out.size(); ++i) right += answered[i] == target_of(held_out[i]) ? 1U : 0U;
  const double in_full = static_cast<double>(right) / static_cast<double>(held_out.size());
  const Translation translation = translated(learned.model, typed);

  for (const auto& [name, value] : SentenceValues{{"in_full", in_full},
                                                  {"sentences", held_out.size()},
                                                  {"right", right},
                                                  {"source", sentence(translation.source, spelt)},
                                                  {"said", sentence(translation.answered, spelt)}})
    learned.task.values.insert_or_assign(name, value);
  TrainingReport training = training_report_of(learned);
  const TaskWords& words = training.words;
  training.scalars = {{"held_out_accuracy", in_full}};
  training.figures = {
      alignment_figure(learned, translation, best_head(learned.model, held_out, task.held_out), words)};
  if (to == "fr")
    training.figures.push_back(
        pronoun_figure(learned, first_model(task, learning_settings(arguments)), words));
  if (is_typed) training.closing.emplace_back(words.say("typed"));
  training.closing.emplace_back(words.paragraph(Role::text, "in_full"));
  if (!is_typed) training.closing.emplace_back(words.paragraph(Role::text, "typed"));
  return report_of(learned, std::move(training), context);
}

}  // namespace

std::vector<int> source_of(const WorldStory& pair) { return {pair.words.begin() + 1, pair.words.end() - 1}; }

Batch batch_of_pairs(const std::vector<WorldStory>& pairs) {
  Batch batch;
  std::vector<std::vector<int>> sources(pairs.size());
  std::transform(pairs.begin(), pairs.end(), sources.begin(), source_of);
  take_sources(batch, sources);
  for (const WorldStory& pair : pairs) batch.tokens = std::max(batch.tokens, pair.target.size() - 1);
  for (const WorldStory& pair : pairs) {
    batch.inputs.insert(batch.inputs.end(), pair.target.begin(), pair.target.end() - 1);
    batch.targets.insert(batch.targets.end(), pair.target.begin() + 1, pair.target.end());
    batch.inputs.resize(++batch.sequences * batch.tokens, 0);
    batch.targets.resize(batch.inputs.size(), no_target);
  }
  return batch;
}

std::vector<std::vector<int>> translations(const Model<double>& model,
                                           const std::vector<std::vector<int>>& sources) {
  Batch batch{sources.size(), 1, std::vector<int>(sources.size(), 0), {}};
  take_sources(batch, sources);
  std::vector<std::vector<int>> answered(sources.size());
  std::vector<bool> ended(sources.size(), false);
  while (batch.tokens < model.shape.tokens && std::count(ended.begin(), ended.end(), false) > 0) {
    const std::vector<int> answers = answers_to(model, batch);
    std::vector<int> inputs;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const int next = answers[(i + 1) * batch.tokens - 1];
      ended[i] = ended[i] || next == 0;
      if (!ended[i]) answered[i].push_back(next);
      inputs.push_back(0);
      inputs.insert(inputs.end(), answered[i].begin(), answered[i].end());
      inputs.resize((i + 1) * (batch.tokens + 1), 0);
    }
    batch.inputs = std::move(inputs);
    ++batch.tokens;
  }
  return answered;
}

Batch batch_that_says(const std::vector<int>& source, const std::vector<int>& answered) {
  Batch batch{1, answered.size() + 1, {0}, {}};
  batch.inputs.insert(batch.inputs.end(), answered.begin(), answered.end());
  batch.source_tokens = source.size();
  batch.sources = source;
  return batch;
}

Tensor<double> weights_of(const Model<double>& model, const std::vector<int>& source,
                          const std::vector<int>& answered) {
  return xt::view(weights_over(model, batch_that_says(source, answered)), 0);
}

Translation translated(const Model<double>& model, const std::vector<int>& source) {
  std::vector<int> answered = translations(model, {source}).front();
  Tensor<double> weights = weights_of(model, source, answered);
  return {source, std::move(answered), std::move(weights)};
}

Experiment translate_task() {
  const Parameter to = TaskWords("translate").flag("to", ChoiceKind{{"ja", "fr"}}, "ja");
  return learning_task("translate",
                       training_parameters({to}, {{"layers", "2"},
                                                  {"heads", "1"},
                                                  {"width", "64"},
                                                  {"mlp", "128"},
                                                  {"norm", "post"},
                                                  {"positions", "sinusoidal"},
                                                  {"mask", "causal"},
                                                  {"batch", "64"},
                                                  {"rate", "0.002"},
                                                  {"warm-up", "200"},
                                                  {"steps", "800"}}),
                       run_translate);
}

}  // namespace attnlab
