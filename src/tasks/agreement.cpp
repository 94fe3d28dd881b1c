// `train agreement`: which verb a sentence wants is decided by its subject, with another noun in between that
// would mislead whoever reads the nearest. English: key and keys, is and are. Japanese: what lives (いる) and
// what does not (ある).
#include "tasks/framework/plane.hpp"
#include "tasks/framework/story.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t sentences_held_out = 256;

/// Nouns of both kinds in pairs: noun 2 i is of the first kind, 2 i + 1 of the second.
struct Grammar {
  std::vector<std::string> nouns;
  std::vector<std::string> relations;  // between two nouns
  std::vector<std::string> others;     // what comes before and within
  std::array<std::string, 2> verbs;    // of the first kind, of the second
  bool is_japanese = false;
};

Grammar english() {
  return {{"key", "keys", "dog", "dogs", "book", "books", "child", "children", "car", "cars", "tree", "trees",
           "girl", "girls", "box", "boxes"},
          {"near", "behind", "beside", "above"},
          {"the", "today", "here", "so"},
          {"is", "are"},
          false};
}

Grammar japanese() {
  return {{"猫", "本", "犬", "机", "鳥", "箱", "先生", "椅子", "子ども", "花瓶", "馬", "車", "友達", "帽子",
           "魚", "傘"},
          {"横", "前", "後ろ", "そば"},
          {"が", "の", "に", "今日", "ここ", "ほら"},
          {"いる", "ある"},
          true};
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
bool is_held_out(int subject, int next) {
  return (7 * subject + 3 * next) % 5 == 0;
}

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
  Batch batch{sequences, 0, {}, {}};
  for (std::size_t i = 0; i < sequences; ++i) {
    const std::vector<int> words = draw_sentence(random, grammar, held_out);
    batch.tokens = words.size();
    batch.inputs.insert(batch.inputs.end(), words.begin(), words.end());
    batch.targets.insert(batch.targets.end(), words.size(), no_target);
    batch.targets.back() = words[place_of_subject(words.data(), grammar.nouns.size())] % 2;
  }
  return batch;
}

Lesson sentences_of(const Arguments& arguments, const Grammar& grammar) {
  NumpyRandom random = held_out_stream(learning_settings(arguments));
  Lesson lesson;
  lesson.held_out = draw_sentences(random, sentences_held_out, grammar, true);
  lesson.words = grammar.nouns;
  lesson.words.insert(lesson.words.end(), grammar.relations.begin(), grammar.relations.end());
  lesson.words.insert(lesson.words.end(), grammar.others.begin(), grammar.others.end());
  lesson.answers = {grammar.verbs[0], grammar.verbs[1]};
  lesson.shape = model_shape(arguments, lesson.words.size(), 2, lesson.held_out.tokens);
  lesson.draw = [grammar](NumpyRandom& stream, std::size_t sequences) {
    return draw_sentences(stream, sequences, grammar, false);
  };
  // A sentence whose last noun would mislead.
  const std::size_t nouns = grammar.nouns.size();
  for (std::size_t i = 0; i < sentences_held_out; ++i) {
    const auto begin =
        lesson.held_out.inputs.begin() + static_cast<std::ptrdiff_t>(i * lesson.held_out.tokens);
    const std::vector<int> words(begin, begin + static_cast<std::ptrdiff_t>(lesson.held_out.tokens));
    const int subject = words[place_of_subject(words.data(), nouns)];
    const auto last = std::find_if(words.rbegin(), words.rend(),
                                   [&](int word) { return static_cast<std::size_t>(word) < nouns; });
    if (*last % 2 == subject % 2) continue;
    lesson.example = {1, words.size(), words, std::vector<int>(words.size(), no_target)};
    lesson.example.targets.back() = subject % 2;
    break;
  }
  lesson.measure = HeadMeasure{"weight_on_the_subject",
                               {"主語への注意度", "Weight on the subject"},
                               weight_on([nouns](const int* sentence, std::size_t n) {
                                 return std::vector<WantedRead>{{n - 1, place_of_subject(sentence, nouns)}};
                               })};
  return lesson;
}

/// How often the last noun alone would give the right verb.
double accuracy_of_the_nearest(const Lesson& lesson, std::size_t nouns) {
  const Batch& batch = lesson.held_out;
  std::size_t right = 0;
  for (std::size_t i = 0; i < batch.sequences; ++i) {
    std::size_t place = batch.tokens - 1;
    while (static_cast<std::size_t>(batch.inputs[i * batch.tokens + place]) >= nouns) --place;
    const int kind = batch.inputs[i * batch.tokens + place] % 2;
    right += kind == batch.targets[(i + 1) * batch.tokens - 1] ? 1U : 0U;
  }
  return static_cast<double>(right) / static_cast<double>(batch.sequences);
}

std::vector<WordGroup> kinds_of_nouns(const Grammar& grammar) {
  std::vector<WordGroup> groups;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    WordGroup group{text("→ {}", "→ {}", grammar.verbs[kind]), {}};
    for (std::size_t noun = kind; noun < grammar.nouns.size(); noun += 2)
      group.words.push_back(static_cast<int>(noun));
    groups.push_back(std::move(group));
  }
  return groups;
}

Report run_agreement(const Arguments& arguments, const Context& context) {
  const Grammar grammar = arguments.text("grammar") == "ja" ? japanese() : english();
  const Lesson lesson = sentences_of(arguments, grammar);
  const Learned learned = learned_from(lesson, arguments, context);
  const Point& last = learned.points.back();
  const double nearest = accuracy_of_the_nearest(lesson, grammar.nouns.size());
  Story story{
      {"離れた主語に合う動詞を選ぶ", "The verb that a distant subject wants"},
      grammar.is_japanese
          ? Text{"「猫 が 箱 の 横 に」の次は「いる」、「箱 が 猫 の 横 に」の次は「ある」。あいだの名詞に"
                 "つられてはいけません。主語とその次の名詞の組は、5 組に 1 組を学習に使っていません。",
                 "After 猫 が 箱 の 横 に (the cat, beside the box) comes いる, after 箱 が 猫 の 横 に (the "
                 "box, beside the cat) ある; the noun between must not mislead. One in five pairs of nouns "
                 "was "
                 "never trained on."}
          : Text{"the key near the cars の次は is、the keys near the car の次は are。あいだの名詞につられては"
                 "いけません。主語とその次の名詞の組は、5 組に 1 組を学習に使っていません。",
                 "After \"the key near the cars\" comes \"is\", after \"the keys near the car\" \"are\"; the "
                 "noun between must not mislead. One in five pairs of nouns was never trained on."},
      text("動詞の手前の単語が、離れた主語を読む：注意度 {}",
           "The word before the verb reads the distant subject: weight {}", development(learned)),
      text("各ヘッドの注意度のヒートマップ。学習後、最後の行は主語に {:.2f} の注意度を置く。",
           "Heat maps of every head; after training the last row gives the subject a weight of {:.2f}.",
           last.measure),
      text("知らない組み合わせの文でも正しく選ぶ：正解率 {:.3f}",
           "It is right in sentences never seen: accuracy {:.3f}", last.accuracy)};
  story.controls.push_back({"nearest_noun_accuracy", {"直前の名詞だけ", "The nearest noun"}, nearest});
  if (shows_words(learned.lesson.shape)) {
    story.figures.push_back(words_figure(learned, first_model(learned.lesson, learning_settings(arguments)),
                                         kinds_of_nouns(grammar), {"名詞", "nouns"}));
  }
  story.learned = {
      Paragraph::say(
          "いちばん近い名詞だけを見ると正解率は {:.3f}、離れた主語を読むアテンションは {:.3f} です。",
          "Whoever looks at the nearest noun is right in {:.3f} of the sentences, attention, which "
          "reads the distant subject, in {:.3f}.",
          nearest, last.accuracy),
      Paragraph::misunderstanding(
          "文法の規則を書き込んだわけではありません。どの単語を読めば答えが合うかだけを学びました。",
          "Nobody wrote a rule of grammar: the model has learned which word to read for the answer.")};
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, story, context);
}

}  // namespace

Experiment agreement_task() {
  TrainingDefaults defaults;
  defaults.heads = "2";
  defaults.mask = "causal";
  defaults.steps = "800";
  return learning_task("train agreement",
                       {"離れた主語に合う動詞を選ぶ（英語または日本語の小さな文法）",
                        "the verb that a distant subject wants, in a small English or Japanese grammar"},
                       {"Linzen ほか 2016", "Linzen et al. 2016"},
                       training_parameters({parameter("grammar", ChoiceKind{{"en", "ja"}}, "en", "文の言語",
                                                      "the language of the sentences")},
                                           defaults),
                       run_agreement);
}

}  // namespace attnlab
