// `train topic`: the textbook's 吾輩は猫である。名前はまだない。 Whose name, and what of it? The word 名前
// must read who is spoken of and what is said of it; nobody has to read 名前.
#include <xtensor/xview.hpp>

#include "experiments/framework/experiment_kit.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t stories_held_out = 256;

/// Words of each kind: who, what they are, what they have, and whether they have it.
struct Vocabulary {
  std::vector<std::string> who;
  std::vector<std::string> kinds;
  std::vector<std::string> things;
  std::vector<std::string> verdicts;
  std::vector<std::string> others;
  bool is_japanese = false;
};

Vocabulary vocabulary_in(Language language) {
  const TaskWords words("topic");
  const auto list = [&](const char* key) { return words.list(key, language); };
  return {list("who"),      list("kinds"),  list("things"),
          list("verdicts"), list("others"), language == Language::ja};
}

/// The words' numbers: who, kinds, things, verdicts, and then the others.
struct StoryNumbers {
  explicit StoryNumbers(const Vocabulary& from) : vocabulary(from) {}
  static int who(std::size_t i) { return static_cast<int>(i); }
  int kind(std::size_t i) const { return static_cast<int>(vocabulary.who.size() + i); }
  int thing(std::size_t i) const { return kind(vocabulary.kinds.size() + i); }
  int verdict(std::size_t i) const { return thing(vocabulary.things.size() + i); }
  int other(std::size_t i) const { return verdict(vocabulary.verdicts.size() + i); }
  std::vector<std::string> spelt() const {
    const Vocabulary& all = vocabulary;
    return all_words({all.who, all.kinds, all.things, all.verdicts, all.others});
  }
  const Vocabulary& vocabulary;
};

/// What is drawn of a story.
struct StoryWords {
  std::size_t who = 0;
  std::size_t kind = 0;
  std::size_t thing = 0;
  std::size_t verdict = 0;
};

/// One in four of the combinations is never trained on; every answer is.
bool is_new(const StoryWords& drawn) {
  return (drawn.who + drawn.kind + drawn.thing + 2 * drawn.verdict) % 4 == 0;
}

/// 吾輩 は 猫 で あり 名前 は まだ ない 。  /  Tom is a cat . the name is unknown .
std::vector<int> spelled_story(const StoryNumbers& words, const StoryWords& drawn) {
  const int who = StoryNumbers::who(drawn.who);
  const int kind = words.kind(drawn.kind);
  const int thing = words.thing(drawn.thing);
  const int verdict = words.verdict(drawn.verdict);
  const auto other = [&](std::size_t i) { return words.other(i); };
  if (words.vocabulary.is_japanese)
    return {who, other(0), kind, other(1), other(2), thing, other(0), other(3), verdict, other(4)};
  return {who, other(0), other(1), kind, other(3), other(2), thing, other(0), verdict, other(3)};
}

std::size_t place_of_thing(const Vocabulary& vocabulary) { return vocabulary.is_japanese ? 5 : 6; }

std::size_t place_of_kind(const Vocabulary& vocabulary) { return vocabulary.is_japanese ? 2 : 3; }

std::size_t answer_of(const Vocabulary& vocabulary, const StoryWords& drawn) {
  return (drawn.who * vocabulary.kinds.size() + drawn.kind) * vocabulary.verdicts.size() + drawn.verdict;
}

/// A story, and what is to be said of its thing.
Batch asked_story(const Vocabulary& vocabulary, const StoryWords& drawn) {
  return requested_at(place_of_thing(vocabulary), spelled_story(StoryNumbers(vocabulary), drawn),
                      static_cast<int>(answer_of(vocabulary, drawn)));
}

Batch draw_stories(NumpyRandom& random, std::size_t sequences, const Vocabulary& vocabulary, bool held_out) {
  Batch batch;
  const auto drawn_of = [&](const std::vector<std::string>& words) {
    return static_cast<std::size_t>(draw_index(random, words.size()));
  };
  for (std::size_t i = 0; i < sequences; ++i) {
    StoryWords drawn;
    do {
      drawn = {drawn_of(vocabulary.who), drawn_of(vocabulary.kinds), drawn_of(vocabulary.things),
               drawn_of(vocabulary.verdicts)};
    } while (is_new(drawn) != held_out);
    append(batch, asked_story(vocabulary, drawn));
  }
  return batch;
}

/// The book's own story, whose combination training has not seen: 吾輩, 猫, 名前, ない.
Batch the_books_story(const Vocabulary& vocabulary) { return asked_story(vocabulary, {}); }

/// The weight of one token on another, the mean over the heads of the last layer.
double mean_weight(const Learned& learned, std::size_t query, std::size_t key) {
  const Tensor<double>& weights = learned.snapshots.back().weights;
  const std::size_t heads = weights.shape()[1];
  double sum = 0.0;
  for (std::size_t head = 0; head < heads; ++head) sum += weights(weights.shape()[0] - 1, head, query, key);
  return sum / static_cast<double>(heads);
}

/// What the words that have nothing to answer give who and kind together, the mean over them and the heads of
/// the last layer.
double others_on_the_topic(const Learned& learned, const Vocabulary& vocabulary) {
  const std::size_t tokens = learned.task.example.tokens;
  double sum = 0.0;
  for (std::size_t query = 0; query < tokens; ++query) {
    if (query == place_of_thing(vocabulary)) continue;
    sum += mean_weight(learned, query, 0) + mean_weight(learned, query, place_of_kind(vocabulary));
  }
  return sum / static_cast<double>(tokens - 1);
}

/// The learned heads of the last layer over the book's story: what the thing reads, and what who gives it
/// back, is framed.
Figure asymmetry_figure(const Learned& learned, const Vocabulary& vocabulary, const TaskWords& task_words) {
  const Task& task = learned.task;
  const std::size_t tokens = task.example.tokens;
  const std::size_t thing = place_of_thing(vocabulary);
  const std::vector<ShortText> words = short_texts(spelled(task.example.inputs, task.words));
  const Tensor<double>& weights = learned.snapshots.back().weights;
  std::vector<bool> marked(tokens * tokens);
  for (const std::size_t read : {std::size_t{0}, place_of_kind(vocabulary)})
    marked[thing * tokens + read] = true;
  marked[thing] = true;  // in the row of who
  Figure figure{"asymmetry", task_words("asymmetry")};
  figure.description = task_words("asymmetry_description");
  figure.caption = task_words("asymmetry_caption");
  const std::size_t layer = weights.shape()[0] - 1;
  for (std::size_t head = 0; head < weights.shape()[1]; ++head) {
    const Tensor<double> of_head = xt::view(weights, layer, head, xt::all(), xt::all());
    figure.panels.push_back({training_words({{"head", head}})("head"),
                             HeatMap{fmt::format("learned_{}", head), to_matrix(of_head)}
                                 .rows(training_words()("query"), words)
                                 .columns(training_words()("key"), words)
                                 .coloured(weight_colours())
                                 .marking(marked)
                                 .with_numbers(2)});
  }
  figure.shared_scale = weight_colours();
  figure.shared_axes = true;
  figure.page = {13.0, 7.5};
  return figure;
}

/// Who reads whom in the book's own story.
void report_asymmetry(const Vocabulary& vocabulary, const Learned& learned, TrainingReport& training) {
  if (learned.task.example.inputs != the_books_story(vocabulary).inputs) return;
  const std::size_t place = place_of_thing(vocabulary);
  const double there = mean_weight(learned, place, 0);
  const double back = mean_weight(learned, 0, place);
  const TaskWords words =
      training.words.with({{"there", there},
                           {"back", back},
                           {"even", 1.0 / static_cast<double>(learned.task.example.tokens)},
                           {"topic", there + mean_weight(learned, place, place_of_kind(vocabulary))},
                           {"elsewhere", others_on_the_topic(learned, vocabulary)}});
  training.scalars = {{"weight_on_who", there}, {"weight_back", back}};
  training.figures.push_back(asymmetry_figure(learned, vocabulary, words));
  training.closing = {words.say("there_and_back"), words.paragraph(Role::misunderstanding, "others_read")};
}

Task stories(const Arguments& arguments) {
  const std::string& language = arguments.text("sentences");
  const Vocabulary vocabulary = vocabulary_in(language_named(language).value());
  Task task{"topic"};
  task.words = StoryNumbers(vocabulary).spelt();
  for (const std::string& who : vocabulary.who) {
    for (const std::string& kind : vocabulary.kinds) {
      for (const std::string& verdict : vocabulary.verdicts)
        task.answers.push_back(fmt::format("{}+{}+{}", who, kind, verdict));
    }
  }
  const TaskWords words("topic");
  task.values = {{"who", words.plain("who_told_" + language)},
                 {"kind", words.plain("kind_told_" + language)},
                 {"thing", words.plain("thing_told_" + language)},
                 {"answers", task.answers.size()}};
  hold_out(task, arguments, stories_held_out, [&](NumpyRandom& random, std::size_t sequences) {
    return draw_stories(random, sequences, vocabulary, true);
  });
  task.example = the_books_story(vocabulary);
  task.shape = model_shape(arguments, task.words.size(), task.answers.size(), task.example.tokens);
  task.draw = [vocabulary](NumpyRandom& random, std::size_t sequences) {
    return draw_stories(random, sequences, vocabulary, false);
  };
  const std::size_t thing = place_of_thing(vocabulary);
  const std::size_t kind = place_of_kind(vocabulary);
  task.measure = head_measure(task, "weight_on_the_topic", [thing, kind](const int*, std::size_t) {
    return std::vector<WantedRead>{{thing, 0}, {thing, kind}};
  });
  task.complete = [vocabulary](const Learned& learned, TrainingReport& training) {
    report_asymmetry(vocabulary, learned, training);
  };
  return task;
}

}  // namespace

Experiment topic_task() {
  const Parameter sentences = TaskWords("topic").flag("sentences", ChoiceKind{{"en", "ja"}}, "ja");
  return learning_task(
      "topic",
      training_parameters({sentences},
                          {{"heads", "2"}, {"steps", "1500"}, {"positions", "none"}, {"decay", "1"}}),
      learned_report<stories>);
}

}  // namespace attnlab
