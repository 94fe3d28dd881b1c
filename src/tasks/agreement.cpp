// `train agreement`: which verb a sentence wants is decided by its subject, with another noun in between that
// would mislead whoever reads the nearest. English: key and keys, is and are. Japanese: what lives (いる) and
// what does not (ある).
#include "tasks/framework/plane.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t sentences_held_out = 256;

/// Nouns of both kinds in pairs: noun 2 i is of the first kind, 2 i + 1 of the second.
struct Grammar {
  std::vector<std::string> nouns;
  std::vector<std::string> relations;  // between two nouns
  std::vector<std::string> others;     // what comes before and within
  std::vector<std::string> verbs;      // of the first kind, of the second
  bool is_japanese = false;
};

Grammar grammar_in(Language language) {
  const TaskWords words("agreement");
  return {words.list("nouns", language), words.list("relations", language), words.list("others", language),
          words.list("verbs", language), language == Language::ja};
}

/// Numbers of the words, nouns first.
struct Numbers {
  explicit Numbers(const Grammar& grammar) : grammar_(grammar) {}
  int relation(NumpyRandom& random) const {
    return static_cast<int>(grammar_.nouns.size()) + draw_index(random, grammar_.relations.size());
  }
  int other(std::size_t index) const {
    return static_cast<int>(grammar_.nouns.size() + grammar_.relations.size() + index);
  }
  int filler(NumpyRandom& random) const {
    const std::size_t first = grammar_.is_japanese ? 3 : 1;
    return other(first + static_cast<std::size_t>(draw_index(random, grammar_.others.size() - first)));
  }

 private:
  const Grammar& grammar_;
};

/// One in five pairs of a subject and the noun that follows is never trained on.
bool is_held_out(int subject, int next) { return (7 * subject + 3 * next) % 5 == 0; }

/// Subject, and one or two nouns behind it; fillers before short sentences. All are as long.
///   today here so the key near the cars            | so (3 fillers) or
///   the key near the cars behind the tree
std::vector<int> draw_sentence(NumpyRandom& random, const Grammar& grammar, bool held_out) {
  const Numbers number(grammar);
  const std::size_t nouns = grammar.nouns.size();
  int subject = 0;
  int next = 0;
  do {
    subject = draw_index(random, nouns);
    next = draw_index(random, nouns);
  } while (is_held_out(subject, next) != held_out || subject == next);
  const int last = draw_index(random, nouns);
  const bool is_long = random.uniform() < 0.5;
  std::vector<int> words;
  const auto add = [&](std::initializer_list<int> more) { words.insert(words.end(), more); };
  if (grammar.is_japanese) {  // 猫 が 箱 の 横 に [本 の 前 に] いる
    if (!is_long) {
      for (std::size_t i = 0; i < 4; ++i) add({number.filler(random)});
    }
    add({subject, number.other(0), next, number.other(1), number.relation(random), number.other(2)});
    if (is_long) add({last, number.other(1), number.relation(random), number.other(2)});
    return words;
  }
  if (!is_long) {
    for (std::size_t i = 0; i < 3; ++i) add({number.filler(random)});
  }
  add({number.other(0), subject, number.relation(random), number.other(0), next});
  if (is_long) add({number.relation(random), number.other(0), last});
  return words;
}

/// The first noun decides: it is the subject.
std::size_t place_of_subject(const int* sentence, std::size_t nouns) {
  std::size_t place = 0;
  while (static_cast<std::size_t>(sentence[place]) >= nouns) ++place;
  return place;
}

Batch draw_sentences(NumpyRandom& random, std::size_t sequences, const Grammar& grammar, bool held_out) {
  Batch batch;
  for (std::size_t i = 0; i < sequences; ++i) {
    const std::vector<int> words = draw_sentence(random, grammar, held_out);
    const int subject = words[place_of_subject(words.data(), grammar.nouns.size())];
    append(batch, requested_at(words.size() - 1, words, subject % 2));
  }
  return batch;
}

/// Whether a sentence's last noun alone would give the right verb.
bool nearest_is_right(const Batch& batch, std::size_t sentence, std::size_t nouns) {
  const std::size_t end = (sentence + 1) * batch.tokens - 1;
  std::size_t place = end;
  while (static_cast<std::size_t>(batch.inputs[place]) >= nouns) --place;
  return batch.inputs[place] % 2 == batch.targets[end];
}

/// The first sentence whose last noun would mislead.
Batch misleading_sentence(const Batch& all, std::size_t nouns) {
  std::size_t first = 0;
  while (nearest_is_right(all, first, nouns)) ++first;
  return part_of(all, first, 1);
}

double accuracy_of_the_nearest(const Batch& batch, std::size_t nouns) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < batch.sequences; ++i) right += nearest_is_right(batch, i, nouns) ? 1U : 0U;
  return static_cast<double>(right) / static_cast<double>(batch.sequences);
}

std::vector<WordGroup> kinds_of_nouns(const Grammar& grammar) {
  std::vector<WordGroup> groups;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    WordGroup group{TaskWords("agreement", {{"verb", grammar.verbs[kind]}})("kind"), {}};
    for (std::size_t noun = kind; noun < grammar.nouns.size(); noun += 2)
      group.words.push_back(static_cast<int>(noun));
    groups.push_back(std::move(group));
  }
  return groups;
}

Task sentences_of(const Arguments& arguments) {
  const std::string& language = arguments.text("grammar");
  const Grammar grammar = grammar_in(language_named(language).value());
  Task task{"agreement"};
  hold_out(task, arguments, sentences_held_out, [&](NumpyRandom& random, std::size_t sequences) {
    return draw_sentences(random, sequences, grammar, true);
  });
  task.words = all_words({grammar.nouns, grammar.relations, grammar.others});
  task.answers = grammar.verbs;
  task.shape = model_shape(arguments, task.words.size(), 2, task.held_out.tokens);
  task.draw = [grammar](NumpyRandom& stream, std::size_t sequences) {
    return draw_sentences(stream, sequences, grammar, false);
  };
  const std::size_t nouns = grammar.nouns.size();
  task.example = misleading_sentence(task.held_out, nouns);
  const double nearest = accuracy_of_the_nearest(task.held_out, nouns);
  task.values = {{"sentences", TaskWords("agreement").plain("sentences_" + language)}, {"nearest", nearest}};
  task.measure = head_measure(task, "weight_on_the_subject", [nouns](const int* sentence, std::size_t n) {
    return std::vector<WantedRead>{{n - 1, place_of_subject(sentence, nouns)}};
  });
  const LearningSettings settings = learning_settings(arguments);
  task.complete = [grammar, nearest, settings](const Learned& learned, TrainingReport& training) {
    training.controls.push_back({"nearest_noun_accuracy", training.words("control"), nearest});
    if (!shows_words(learned.task.shape)) return;
    training.figures.push_back(words_figure(learned, first_model(learned.task, settings),
                                            kinds_of_nouns(grammar), training.words("these")));
  };
  return task;
}

}  // namespace

Experiment agreement_task() {
  const Parameter grammar = TaskWords("agreement").flag("grammar", ChoiceKind{{"en", "ja"}}, "en");
  return learning_task("agreement",
                       training_parameters({grammar}, {{"heads", "2"}, {"mask", "causal"}, {"steps", "800"}}),
                       learned_report<sentences_of>);
}

}  // namespace attnlab
