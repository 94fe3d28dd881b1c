// `train text`: a language model over characters. What comes next is learned from nothing but a text; what
// the heads read is their own affair.
#include "core/counted.hpp"
#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t windows_held_out = 48;
constexpr std::size_t most_characters = 4000;  // different ones
constexpr std::size_t characters_sampled = 160;
constexpr double share_held_out = 0.1;  // of the text: its end

struct Corpus {
  std::string name;
  std::vector<std::string> characters;  // every one that occurs, by its number
  std::vector<int> numbers;             // the text
  std::size_t trained = 0;              // of which so many at the beginning are trained on
};

Corpus corpus_of(const std::string& name, const std::string& text, std::size_t length) {
  const std::u32string characters = decode_utf8(text).value();
  const std::size_t least = 20 * length;
  const std::set<char32_t> different(characters.begin(), characters.end());
  const TaskWords words("text", {{"name", name},
                                 {"characters", counted(characters.size(), "character")},
                                 {"least", least},
                                 {"different", different.size()},
                                 {"most", most_characters}});
  if (characters.size() < least)
    refuse_failed(words(text.empty() ? "empty" : "too_short"), words("too_short_hint"));
  if (different.size() > most_characters) refuse_failed(words("too_many"), words("too_many_hint"));
  Corpus corpus;
  corpus.name = name;
  std::map<char32_t, int> number;
  for (const char32_t character : different) {
    number[character] = static_cast<int>(corpus.characters.size());
    corpus.characters.push_back(visible(character));
  }
  for (const char32_t character : characters) corpus.numbers.push_back(number[character]);
  corpus.trained = static_cast<std::size_t>((1.0 - share_held_out) * static_cast<double>(characters.size()));
  return corpus;
}

/// `length` characters from `first` on, and at each place the next one as its target.
void add_window(const Corpus& corpus, std::size_t first, Batch& batch) {
  const auto begin = corpus.numbers.begin() + static_cast<std::ptrdiff_t>(first);
  const auto length = static_cast<std::ptrdiff_t>(batch.tokens);
  batch.inputs.insert(batch.inputs.end(), begin, begin + length);
  batch.targets.insert(batch.targets.end(), begin + 1, begin + 1 + length);
  ++batch.sequences;
}

Batch draw_windows(NumpyRandom& random, std::size_t sequences, const Corpus& corpus, std::size_t length) {
  Batch batch{0, length, {}, {}};
  const std::size_t places = corpus.trained - length;
  while (batch.sequences < sequences)
    add_window(corpus, static_cast<std::size_t>(draw_index(random, places)), batch);
  return batch;
}

/// Evenly spread over the text's end.
Batch windows_at_the_end(const Corpus& corpus, std::size_t length) {
  Batch batch{0, length, {}, {}};
  const std::size_t space = corpus.numbers.size() - corpus.trained - length - 1;
  const std::size_t count = std::min(windows_held_out, std::max<std::size_t>(1, space / length + 1));
  for (std::size_t i = 0; i < count; ++i) {
    add_window(corpus, corpus.trained + (count == 1 ? 0 : space * i / (count - 1)), batch);
  }
  return batch;
}

/// −ln of the next character's share behind this one, mean over each sequence; every pair counted once more
/// than it occurs (Laplace), so that none is impossible.
std::vector<double> bigram_losses(const Corpus& corpus, const Batch& batch) {
  const std::size_t size = corpus.characters.size();
  std::vector<double> pairs(size * size, 1.0);
  std::vector<double> firsts(size, static_cast<double>(size));
  for (std::size_t i = 0; i + 1 < corpus.trained; ++i) {
    const auto first = static_cast<std::size_t>(corpus.numbers[i]);
    pairs[first * size + static_cast<std::size_t>(corpus.numbers[i + 1])] += 1.0;
    firsts[first] += 1.0;
  }
  std::vector<double> losses(batch.sequences, 0.0);
  for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
    const auto first = static_cast<std::size_t>(batch.inputs[i]);
    losses[i / batch.tokens] -=
        std::log(pairs[first * size + static_cast<std::size_t>(batch.targets[i])] / firsts[first]) /
        static_cast<double>(batch.tokens);
  }
  return losses;
}

/// By how much the model's loss is above another's, sequence by sequence.
MeanWithError above(const Model<double>& model, const Batch& batch, const std::vector<double>& others) {
  std::vector<double> differences;
  differences.reserve(batch.sequences);
  for (std::size_t i = 0; i < batch.sequences; ++i)
    differences.push_back(evaluate(model, part_of(batch, i, 1)).loss - others[i]);
  return mean_of(differences);
}

/// Of random weights, and of the learned ones.
Figure next_figure(const Learned& learned, const Model<double>& random, const Corpus& corpus) {
  constexpr std::size_t most_bars = 8;
  constexpr std::size_t most_context = 16;
  const Batch& example = learned.task.example;
  std::string context;
  for (std::size_t i = example.tokens - std::min(most_context, example.tokens); i < example.tokens; ++i) {
    context += corpus.characters[static_cast<std::size_t>(example.inputs[i])];
  }
  const Likeliest before = likeliest_next(random, example, corpus.characters, most_bars);
  const Likeliest after = likeliest_next(learned.model, example, corpus.characters, most_bars);
  const TaskWords words("text", {{"context", context},
                                 {"likeliest", after.names.front().in(Language::ja)},
                                 {"before", before.shares.front()},
                                 {"after", after.shares.front()},
                                 {"bars", most_bars}});
  const auto chart = [&](const char* id, const Likeliest& shown) {
    return Chart{Axis{words("next_axis")}.named(shown.names),
                 Axis{words("probability")}.within(0.0, 1.05),
                 {Bars{id, shown.shares}.with_numbers(2)}};
  };
  return Figure{"next", words("next")}
      .described(words("next_description"))
      .captioned(words("next_caption"))
      .panel(training_words()("before_random"), chart("next_before", before))
      .panel(training_words()("after"), chart("next", after))
      .in_columns(2)
      .on_page(10.0, 4.8);
}

/// Character after character, each drawn from the model's probabilities.
std::string sampled(const Model<double>& model, const Corpus& corpus, const Batch& beginning,
                    std::uint32_t seed) {
  NumpyRandom random(seed);
  std::vector<int> context = beginning.inputs;
  Pass<double> pass(model, 1);
  std::string text;
  for (std::size_t i = 0; i < characters_sampled; ++i) {
    if (context.size() > model.shape.tokens) context.erase(context.begin());
    const Batch now{1, context.size(), context, {}};
    const StridedMatrix<double> logits = pass.forward(model, now, 0, 1);
    double* row = logits.row(context.size() - 1);
    softmax_row(row, logits.columns);
    double left = random.uniform();
    std::size_t next = 0;
    while (next + 1 < logits.columns && left >= row[next]) left -= row[next++];
    context.push_back(static_cast<int>(next));
    text += corpus.characters[next];
  }
  return text;
}

Report run_text(const Arguments& arguments, const Context& context) {
  const std::size_t length = arguments.count("length");
  const bool is_own = arguments.is_set("text");
  Corpus corpus =
      is_own
          ? corpus_of(without_folders(arguments.text("text")), arguments.sources.contents.at("text"), length)
          : corpus_of("alice.txt", std::string(find_file(text_files(), "alice.txt")->text), length);
  const LearningSettings settings = learning_settings(arguments);
  const bool has_text =
      is_own || !arguments.sources.model || words_of(*arguments.sources.model, "words") == corpus.characters;
  Task task{"text"};
  require_reading_back(model_shape(arguments, 1, 1, length));
  if (has_text) {
    task.words = task.answers = corpus.characters;
    task.shape = model_shape(arguments, corpus.characters.size(), corpus.characters.size(), length);
    task.draw = [&corpus, length](NumpyRandom& random, std::size_t sequences) {
      return draw_windows(random, sequences, corpus, length);
    };
    task.held_out = windows_at_the_end(corpus, length);
    task.example = first_of(task.held_out);
  } else {
    task = task_of_words("text", arguments);
    corpus = {"", task.words, {}, 0};
  }
  const std::vector<double> bigrams = bigram_losses(corpus, task.held_out);
  const double bigram = mean_of(bigrams).mean;
  task.values = {{"name", corpus.name},
                 {"book", is_own ? Text::none() : TaskWords("text").plain("alice")},
                 {"characters", corpus.numbers.size()},
                 {"different", corpus.characters.size()},
                 {"bigram", bigram}};
  const Learned learned = learned_from(task, arguments, context);
  TrainingReport training = training_report_of(learned);
  const TaskWords& words = training.words;
  const MeanWithError difference = above(learned.model, task.held_out, bigrams);
  const bool is_ahead = difference.mean < -difference.error;
  const bool is_level = !is_ahead && difference.mean <= difference.error;
  if (has_text && !is_ahead) training.learning_title = words(is_level ? "learning_level" : "learning_behind");
  const Model<double> random = first_model(task, settings);
  training.figures = {next_figure(learned, random, corpus)};
  training.typed_answer = training.figures.front().title;
  if (has_text) {
    training.scalars = {{"bigram_loss", bigram}};
    training.closing = {words.say(is_ahead ? "ahead" : is_level ? "level" : "behind")};
  } else {
    training.data = words("data_of_words");
  }
  const auto sample_of = [&](const Model<double>& model, const char* key) {
    const std::string sample = sampled(model, corpus, learned.task.example, settings.seed + 3);
    return words.with({{"sample", sample}}).paragraph(Role::text, key);
  };
  training.closing.insert(training.closing.end(),
                          {words.paragraph(Role::heading, "sample"), sample_of(random, "sample_before"),
                           sample_of(learned.model, "sample_after"),
                           words.paragraph(Role::misunderstanding, "understands_nothing")});
  return report_of(learned, training, context);
}

}  // namespace

Experiment text_task() {
  const TaskWords words("text");
  return learning_task("text",
                       training_parameters({words.flag("text", FileKind{"FILE", FileKind::Holds::text}, ""),
                                            words.flag("length", IntegerKind{{4, 512}}, "48")},
                                           {{"layers", "2"},
                                            {"heads", "4"},
                                            {"width", "48"},
                                            {"mlp", "96"},
                                            {"norm", "pre"},
                                            {"mask", "causal"},
                                            {"batch", "16"},
                                            {"steps", "1200"}}),
                       run_text);
}

}  // namespace attnlab
