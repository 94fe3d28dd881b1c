// `train topic`: the textbook's 吾輩は猫である。名前はまだない。 Whose name, and what of it? The word 名前
// must read who is spoken of and what is said of it; nobody has to read 名前.
#include <xtensor/xview.hpp>

#include "experiments/framework/room.hpp"
#include "tasks/framework/story.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t stories_held_out = 256;

/// Words of each kind: who, what they are, what they have, and whether they have it.
struct Vocabulary {
  std::vector<std::string> who;
  std::vector<std::string> kinds;
  std::vector<std::string> things;
  std::array<std::string, 2> verdicts;
  std::vector<std::string> others;
  bool is_japanese = false;
  // The words of the book's own story as texts name them: in English with what the Japanese ones mean.
  Text who_told = {who[0], fmt::format("\"{}\"", who[0])};
  Text kind_told = {kinds[0], fmt::format("\"{}\"", kinds[0])};
  Text thing_told = {things[0], fmt::format("\"{}\"", things[0])};
};

Vocabulary japanese_story() {
  return {{"吾輩", "先生", "彼", "友達"},
          {"猫", "犬", "人", "鳥"},
          {"名前", "家", "仕事", "金"},
          {"ない", "ある"},
          {"は", "で", "あり", "まだ", "。"},
          true,
          {"吾輩", "吾輩 (I)"},
          {"猫", "猫 (cat)"},
          {"名前", "名前 (name)"}};
}

Vocabulary english_story() {
  return {{"Tom", "Ann", "Kim", "Bob"},
          {"cat", "dog", "man", "bird"},
          {"name", "house", "job", "age"},
          {"unknown", "known"},
          {"is", "a", "the", "."}};
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
    std::vector<std::string> words = vocabulary.who;
    for (const std::vector<std::string>* more : {&vocabulary.kinds, &vocabulary.things}) {
      words.insert(words.end(), more->begin(), more->end());
    }
    words.insert(words.end(), vocabulary.verdicts.begin(), vocabulary.verdicts.end());
    words.insert(words.end(), vocabulary.others.begin(), vocabulary.others.end());
    return words;
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
std::vector<int> told_story(const StoryNumbers& words, const StoryWords& drawn) {
  const int who = StoryNumbers::who(drawn.who);
  const int kind = words.kind(drawn.kind);
  const int thing = words.thing(drawn.thing);
  const int verdict = words.verdict(drawn.verdict);
  const auto other = [&](std::size_t i) { return words.other(i); };
  if (words.vocabulary.is_japanese)
    return {who, other(0), kind, other(1), other(2), thing, other(0), other(3), verdict, other(4)};
  return {who, other(0), other(1), kind, other(3), other(2), thing, other(0), verdict, other(3)};
}

std::size_t place_of_thing(const Vocabulary& vocabulary) {
  return vocabulary.is_japanese ? 5 : 6;
}

std::size_t place_of_kind(const Vocabulary& vocabulary) {
  return vocabulary.is_japanese ? 2 : 3;
}

std::size_t answer_of(const Vocabulary& vocabulary, const StoryWords& drawn) {
  return (drawn.who * vocabulary.kinds.size() + drawn.kind) * vocabulary.verdicts.size() + drawn.verdict;
}

Batch draw_stories(NumpyRandom& random, std::size_t sequences, const Vocabulary& vocabulary, bool held_out) {
  const StoryNumbers words(vocabulary);
  Batch batch{sequences, 0, {}, {}};
  const auto drawn_of = [&](std::size_t count) {
    return static_cast<std::size_t>(draw_index(random, count));
  };
  for (std::size_t i = 0; i < sequences; ++i) {
    StoryWords drawn;
    do {
      drawn = {drawn_of(vocabulary.who.size()), drawn_of(vocabulary.kinds.size()),
               drawn_of(vocabulary.things.size()), drawn_of(vocabulary.verdicts.size())};
    } while (is_new(drawn) != held_out);
    const std::vector<int> story = told_story(words, drawn);
    batch.tokens = story.size();
    batch.inputs.insert(batch.inputs.end(), story.begin(), story.end());
    batch.targets.insert(batch.targets.end(), story.size(), no_target);
    batch.targets[i * story.size() + place_of_thing(vocabulary)] =
        static_cast<int>(answer_of(vocabulary, drawn));
  }
  return batch;
}

/// The book's own story, whose combination training has not seen.
Batch the_books_story(const Vocabulary& vocabulary) {
  const StoryWords book;  // 吾輩, 猫, 名前, ない
  const std::vector<int> story = told_story(StoryNumbers(vocabulary), book);
  Batch batch{1, story.size(), story, std::vector<int>(story.size(), no_target)};
  batch.targets[place_of_thing(vocabulary)] = static_cast<int>(answer_of(vocabulary, book));
  return batch;
}

Lesson stories(const Arguments& arguments, const Vocabulary& vocabulary) {
  Lesson lesson;
  lesson.words = StoryNumbers(vocabulary).spelt();
  for (const std::string& who : vocabulary.who) {
    for (const std::string& kind : vocabulary.kinds) {
      for (const std::string& verdict : vocabulary.verdicts)
        lesson.answers.push_back(fmt::format("{}+{}+{}", who, kind, verdict));
    }
  }
  lesson.example = the_books_story(vocabulary);
  lesson.shape = model_shape(arguments, lesson.words.size(), lesson.answers.size(), lesson.example.tokens);
  lesson.draw = [vocabulary](NumpyRandom& random, std::size_t sequences) {
    return draw_stories(random, sequences, vocabulary, false);
  };
  NumpyRandom random = held_out_stream(learning_settings(arguments));
  lesson.held_out = draw_stories(random, stories_held_out, vocabulary, true);
  const std::size_t thing = place_of_thing(vocabulary);
  const std::size_t kind = place_of_kind(vocabulary);
  lesson.measure = HeadMeasure{"weight_on_the_topic",
                               {"主題への注意度", "Weight on the topic"},
                               weight_on([thing, kind](const int*, std::size_t) {
                                 return std::vector<WantedRead>{{thing, 0}, {thing, kind}};
                               })};
  return lesson;
}

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
  const std::size_t tokens = learned.lesson.example.tokens;
  double sum = 0.0;
  for (std::size_t query = 0; query < tokens; ++query) {
    if (query == place_of_thing(vocabulary)) continue;
    sum += mean_weight(learned, query, 0) + mean_weight(learned, query, place_of_kind(vocabulary));
  }
  return sum / static_cast<double>(tokens - 1);
}

/// The learned heads of the last layer over the book's story: what the thing reads, and what who gives it
/// back, is framed.
Figure asymmetry_figure(const Learned& learned, const Vocabulary& vocabulary, double there, double back) {
  const Lesson& lesson = learned.lesson;
  const std::size_t tokens = lesson.example.tokens;
  const std::size_t thing = place_of_thing(vocabulary);
  const std::vector<ShortText> words = short_texts(spelled(lesson.example.inputs, lesson.words));
  const Tensor<double>& weights = learned.snapshots.back().weights;
  std::vector<bool> marked(tokens * tokens);
  for (const std::size_t read : {std::size_t{0}, place_of_kind(vocabulary)})
    marked[thing * tokens + read] = true;
  marked[thing] = true;  // in the row of who
  Figure figure{"asymmetry", text("「{0}」から「{1}」への注意度は {2:.2f}、逆は {3:.2f}",
                                  "{0} gives {1} {2:.2f} of its attention, and gets {3:.2f} back",
                                  vocabulary.thing_told, vocabulary.who_told, there, back)};
  figure.description = text(
      "学習した各ヘッドの注意度のヒートマップ。「{0}」の行では「{1}」が {2:.2f}、「{1}」の行では「{0}」が "
      "{3:.2f}。",
      "Heat maps of the learned heads. In the row of {0} {1} has {2:.2f}, in the row of {1} {0} has {3:.2f}.",
      vocabulary.thing_told, vocabulary.who_told, there, back);
  figure.caption = text(
      "枠：「{0}」から「{1}」と「{2}」へ、「{1}」から「{0}」へ。題の数はヘッドの平均で、均等なら {3:.2f}。",
      "Framed: from {0} to {1} and {2}, and from {1} back. The title has means over the heads; "
      "an even share is {3:.2f}.",
      vocabulary.thing_told, vocabulary.who_told, vocabulary.kind_told, 1.0 / static_cast<double>(tokens));
  const std::size_t layer = weights.shape()[0] - 1;
  for (std::size_t head = 0; head < weights.shape()[1]; ++head) {
    const Tensor<double> of_head = xt::view(weights, layer, head, xt::all(), xt::all());
    figure.panels.push_back(
        {text("ヘッド {}", "Head {}", head), HeatMap{fmt::format("learned_{}", head), to_matrix(of_head)}
                                                 .rows({"クエリ", "Query"}, words)
                                                 .columns({"キー", "Key"}, words)
                                                 .coloured(weight_colours())
                                                 .marking(marked)
                                                 .with_numbers(2)});
  }
  figure.shared_scale = weight_colours();
  figure.shared_axes = true;
  figure.page = {13.0, 7.5};
  return figure;
}

Report run_topic(const Arguments& arguments, const Context& context) {
  const Vocabulary vocabulary = arguments.text("sentences") == "ja" ? japanese_story() : english_story();
  const Lesson lesson = stories(arguments, vocabulary);
  const Learned learned = learned_from(lesson, arguments, context);
  const Point& last = learned.points.back();
  const Text& who = vocabulary.who_told;
  const Text& thing = vocabulary.thing_told;
  Story story{
      {"誰の名前か", "Whose name?"},
      text("「{}」の位置で、誰が、何で、それがあるかを答えます（{} 通り）。組み合わせの 4 分の 1 "
           "は学習に使って"
           "いません。",
           "At {} the model says who is spoken of, what they are, and what is said of it: {} answers. "
           "One "
           "in four of the combinations was never trained on.",
           thing, lesson.answers.size()),
      text("「{}」は「{}」と「{}」を読む：注意度 {}", "{} reads {} and {}: weight {}", thing, who,
           vocabulary.kind_told, development(learned)),
      text("各ヘッドの注意度のヒートマップ。学習後、{} の行は主題の 2 語に最大 {:.2f} の注意度を置く。",
           "Heat maps of every head; after training the row of {} gives the two words of the topic a weight "
           "of "
           "up to {:.2f}.",
           thing, last.measure),
      text("知らない組み合わせでも答えられる：正解率 {:.3f}",
           "It is right in combinations never seen: accuracy {:.3f}", last.accuracy)};
  if (!lesson.has_typed_example && learned.lesson.example.inputs == lesson.example.inputs) {
    const std::size_t place = place_of_thing(vocabulary);
    const double there = mean_weight(learned, place, 0);
    const double back = mean_weight(learned, 0, place);
    story.scalars = {{"weight_on_who", there}, {"weight_back", back}};
    story.figures.push_back(asymmetry_figure(learned, vocabulary, there, back));
    story.closing = {
        Paragraph::say("「{0}」から「{1}」への注意度は {2:.2f}、「{1}」から「{0}」へは {3:.2f} です。クエリと"
                       "キーを別々に変換するので、注意度は対称とは限りません。",
                       "{0} gives {1} a weight of {2:.2f}, {1} gives {0} {3:.2f}: queries and keys are "
                       "projected apart, so the weights need not be symmetric.",
                       thing, who, there, back),
        Paragraph::misunderstanding(
            "注意度が大きくても、関係が深いとは限りません。「{0}」は「{1}」と「{2}」に {3:.2f} "
            "を置きますが、何も"
            "答えないほかの語も平均 {4:.2f} を置いています。答えに使われるのは「{0}」の行だけです。",
            "A large weight does not prove that two words belong together: {0} gives {1} and {2} {3:.2f}, "
            "but "
            "the other words, which have nothing to answer, give them {4:.2f} on the average. The answer is "
            "read from the row of {0} alone.",
            thing, who, vocabulary.kind_told, there + mean_weight(learned, place, place_of_kind(vocabulary)),
            others_on_the_topic(learned, vocabulary))};
  }
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, story, context);
}

}  // namespace

Experiment topic_task() {
  TrainingDefaults defaults;
  defaults.heads = "2";
  defaults.steps = "1500";
  defaults.positions = "none";
  defaults.decay = "1";
  return learning_task("train topic",
                       {"「名前はまだない」は誰の名前か：主題を読む非対称な注意度",
                        "whose name? 吾輩は猫である: a word that reads its topic, and is not read back"},
                       {"教科書 2.2.4 項", "textbook section 2.2.4"},
                       training_parameters({parameter("sentences", ChoiceKind{{"en", "ja"}}, "ja", "文の言語",
                                                      "the language of the sentences")},
                                           defaults),
                       run_topic);
}

}  // namespace attnlab
