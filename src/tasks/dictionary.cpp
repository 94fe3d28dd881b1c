// `train dictionary`: pairs of a key and a value, then questions. A key is asked for, its value is to be
// said: the slides' dictionary, but nobody tells the model what query, key and value are.
#include "tasks/framework/story.hpp"
#include "tasks/lessons.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t dictionaries_held_out = 256;
constexpr std::size_t most_keys = 26;

struct DictionarySizes {
  std::size_t pairs;
  std::size_t keys;
  std::size_t values;
  std::size_t tokens() const { return 3 * pairs; }
};

/// key value key value ... and then every key once more, in another order. Keys are the words 0, 1, ...;
/// values come behind them.
Batch draw_dictionaries(NumpyRandom& random, std::size_t sequences, const DictionarySizes& sizes) {
  const std::size_t length = sizes.tokens();
  Batch batch{sequences, length, {}, std::vector<int>(sequences * length, no_target)};
  for (std::size_t i = 0; i < sequences; ++i) {
    const std::vector<int> keys = draw_different(random, sizes.pairs, sizes.keys);
    std::vector<int> values;
    for (const int key : keys) {
      values.push_back(draw_index(random, sizes.values));
      batch.inputs.insert(batch.inputs.end(), {key, static_cast<int>(sizes.keys) + values.back()});
    }
    const std::vector<int> questions = draw_different(random, sizes.pairs, sizes.pairs);
    for (std::size_t k = 0; k < questions.size(); ++k) {
      const auto asked = static_cast<std::size_t>(questions[k]);
      batch.inputs.push_back(keys[asked]);
      batch.targets[i * length + 2 * sizes.pairs + k] = values[asked];
    }
  }
  return batch;
}

/// A question reads the value behind its key.
std::vector<WantedRead> asked_values(const int* input, std::size_t n) {
  std::vector<WantedRead> reads;
  for (std::size_t i = 2 * n / 3; i < n; ++i) {
    reads.push_back({i, static_cast<std::size_t>(std::find(input, input + n, input[i]) - input) + 1});
  }
  return reads;
}

}  // namespace

Lesson dictionaries(const Arguments& arguments) {
  const DictionarySizes sizes{arguments.count("pairs"), std::max<std::size_t>(arguments.count("pairs"), 10),
                              arguments.count("values")};
  Lesson lesson;
  lesson.shape = model_shape(arguments, sizes.keys + sizes.values, sizes.values, sizes.tokens());
  lesson.answers = numbered_words(sizes.values);
  for (std::size_t i = 0; i < sizes.keys; ++i) lesson.words.emplace_back(1, static_cast<char>('A' + i));
  lesson.words.insert(lesson.words.end(), lesson.answers.begin(), lesson.answers.end());
  lesson.draw = [sizes](NumpyRandom& random, std::size_t sequences) {
    return draw_dictionaries(random, sequences, sizes);
  };
  NumpyRandom random = held_out_stream(learning_settings(arguments));
  lesson.held_out = lesson.draw(random, dictionaries_held_out);
  lesson.example = first_of(lesson.held_out);
  lesson.measure = HeadMeasure{
      "weight_on_the_value", {"聞かれた値への注意度", "Weight on the asked value"}, weight_on(asked_values)};
  return lesson;
}

namespace {

Report run_dictionary(const Arguments& arguments, const Context& context) {
  const Lesson lesson = dictionaries(arguments);
  const Learned learned = learned_from(lesson, arguments, context);
  const Point& last = learned.points.back();
  Story story{
      {"辞書を引く", "Looking words up"},
      text("{} 組のキーと値が並び、そのあとにキーが 1 "
           "つずつ聞かれます。値を答えます。毎回、中身の違う新しい辞書です。",
           "{} pairs of key and value, then one key after the other is asked for; its value is to be said. "
           "Every dictionary is new.",
           arguments.count("pairs")),
      text("聞かれたキーの値を読むヘッドが生まれる：注意度 {}",
           "A head emerges that reads the asked key's value: weight {}", development(learned)),
      text(
          "各ヘッドの注意度のヒートマップ。学習後、質問は聞かれたキーの右隣の値を読む（平均 {:.2f}）。",
          "Heat maps of every head; after training the questions read the value right behind their key, with "
          "{:.2f} on average.",
          last.measure),
      text("値を読むヘッドができると、答えが合いはじめる：正解率 {:.3f}",
           "With the head that reads values come the answers: accuracy {:.3f}", last.accuracy)};
  story.learned = {
      Paragraph::say(
          "質問がクエリ、辞書のキーがキー、その右隣が値です。誰も教えていないのに、質問は聞かれたキー"
          "の値を読みます（正解率 {:.3f}）。値の左隣に何があるかは、前の層が値に書き込めます。",
          "The question is the query, the word before each value its key. Nobody said so, and yet "
          "the questions read the values of their keys (accuracy {:.3f}); what stands before a "
          "value an earlier layer can write onto it.",
          last.accuracy),
      Paragraph::misunderstanding(
          "辞書の中身は重みの中にはありません。重みが覚えたのは引き方です。",
          "No dictionary is stored in the parameters: they hold how to look one up.")};
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, story, context);
}

}  // namespace

Experiment dictionary_task() {
  TrainingDefaults defaults;
  defaults.layers = "2";
  defaults.heads = "2";
  defaults.mask = "causal";
  defaults.steps = "1500";
  return learning_task(
      "train dictionary",
      {"キーと値の並びを覚え、聞かれたキーの値を答える：辞書を引くヘッド",
       "pairs of key and value, then a key: a head that looks its value up"},
      {"スライドの辞書", "the slides' dictionary"},
      training_parameters({parameter("pairs", IntegerKind{{2, static_cast<long long>(most_keys)}}, "5",
                                     "組の数", "pairs of a dictionary"),
                           parameter("values", IntegerKind{{2, 100}}, "10", "値の種類", "different values")},
                          defaults),
      run_dictionary);
}

}  // namespace attnlab
