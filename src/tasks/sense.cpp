// `train sense`: the slides' *bank*. One word with two meanings, and somewhere in the sentence a word that
// tells which: the ambiguous word's vector is the same in every sentence until attention has moved it.
#include <xtensor/xview.hpp>

#include "experiments/framework/room.hpp"
#include "tasks/framework/plane.hpp"
#include "tasks/framework/story.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t senses_held_out = 256;
constexpr std::size_t words_of_sentence = 9;
constexpr std::size_t sentences_in_the_plane = 60;

struct Ambiguity {
  std::string word;                                  // that has two meanings
  std::array<std::string, 2> meanings;               // what is to be said there
  std::array<std::vector<std::string>, 2> contexts;  // that tell which
  std::vector<std::string> fillers;
};

Ambiguity bank() {
  return {"bank",
          {"river", "money"},
          {std::vector<std::string>{"fish", "boat", "water", "swim", "bridge", "flood"},
           std::vector<std::string>{"loan", "cash", "account", "cheque", "credit", "robber"}},
          {"we", "they", "saw", "the", "a", "old", "near", "today", "by", "with", "and", "went"}};
}

Ambiguity hashi() {
  return {"はし",
          {"橋", "箸"},
          {std::vector<std::string>{"川", "渡る", "車", "岸", "船", "架ける"},
           std::vector<std::string>{"ご飯", "食べる", "茶碗", "豆", "つまむ", "皿"}},
          {"私", "は", "の", "を", "に", "きのう", "古い", "で", "と", "見た", "小さな", "人"}};
}

/// The words' numbers: the ambiguous one is 0, then the contexts of both meanings, then the fillers.
std::vector<std::string> words_of(const Ambiguity& ambiguity) {
  std::vector<std::string> words{ambiguity.word};
  for (const std::vector<std::string>& contexts : ambiguity.contexts) {
    words.insert(words.end(), contexts.begin(), contexts.end());
  }
  words.insert(words.end(), ambiguity.fillers.begin(), ambiguity.fillers.end());
  return words;
}

/// One in four pairs of a context word and its distance is never trained on.
bool is_unseen(int context, int distance) {
  return (context + 3 * distance + 40) % 4 == 0;
}

/// The ambiguous word and one word of context at any two places, fillers at the others.
Batch draw_senses(NumpyRandom& random, std::size_t sequences, const Ambiguity& ambiguity, bool held_out) {
  const std::size_t n = words_of_sentence;
  const std::size_t of_each = ambiguity.contexts[0].size();
  Batch batch{sequences, n, std::vector<int>(sequences * n), std::vector<int>(sequences * n, no_target)};
  for (std::size_t i = 0; i < sequences; ++i) {
    int place = 0;
    int other = 0;
    int context = 0;
    do {
      place = draw_index(random, n);
      other = draw_index(random, n);
      context = draw_index(random, 2 * of_each);
    } while (place == other || is_unseen(context, place - other) != held_out);
    int* input = batch.inputs.data() + i * n;
    for (std::size_t k = 0; k < n; ++k) {
      input[k] = static_cast<int>(1 + 2 * of_each) + draw_index(random, ambiguity.fillers.size());
    }
    input[place] = 0;
    input[other] = 1 + context;
    batch.targets[i * n + static_cast<std::size_t>(place)] =
        static_cast<std::size_t>(context) < of_each ? 0 : 1;
  }
  return batch;
}

/// The ambiguous word reads the word that tells: one of the first `contexts` behind it.
std::vector<WantedRead> telling_word(const int* input, std::size_t n, std::size_t contexts) {
  const int* place = std::find(input, input + n, 0);
  const int* told = std::find_if(
      input, input + n, [&](int word) { return word > 0 && static_cast<std::size_t>(word) <= contexts; });
  return {{static_cast<std::size_t>(place - input), static_cast<std::size_t>(told - input)}};
}

Lesson senses(const Arguments& arguments, const Ambiguity& ambiguity) {
  Lesson lesson;
  lesson.words = words_of(ambiguity);
  lesson.answers = {ambiguity.meanings[0], ambiguity.meanings[1]};
  lesson.shape = model_shape(arguments, lesson.words.size(), 2, words_of_sentence);
  lesson.draw = [ambiguity](NumpyRandom& random, std::size_t sequences) {
    return draw_senses(random, sequences, ambiguity, false);
  };
  NumpyRandom random = held_out_stream(learning_settings(arguments));
  lesson.held_out = draw_senses(random, senses_held_out, ambiguity, true);
  lesson.example = first_of(lesson.held_out);
  const std::size_t contexts = 2 * ambiguity.contexts[0].size();
  lesson.measure = HeadMeasure{
      "weight_on_the_context",
      {"手がかりへの注意度", "Weight on the telling word"},
      weight_on([contexts](const int* input, std::size_t n) { return telling_word(input, n, contexts); })};
  return lesson;
}

/// The ambiguous word's vector in each of these sentences: (sentences, width).
Tensor<double> ambiguous_vectors(const Learned& learned, const Batch& batch, std::size_t layer) {
  Pass<double> pass(learned.model, batch.sequences);
  pass.forward(learned.model, batch, 0, batch.sequences);
  const StridedMatrix<const double> x = pass.residual(layer);
  Tensor<double> vectors = Tensor<double>::from_shape({batch.sequences, x.columns});
  for (std::size_t i = 0; i < batch.sequences; ++i) {
    const int* input = batch.inputs.data() + i * batch.tokens;
    const auto place = static_cast<std::size_t>(std::find(input, input + batch.tokens, 0) - input);
    std::copy_n(x.row(i * batch.tokens + place), x.columns,
                vectors.begin() + static_cast<std::ptrdiff_t>(i * x.columns));
  }
  return vectors;
}

/// The direction in which the answers differ: (width)
Tensor<double> between_answers(const Learned& learned) {
  const std::size_t width = learned.lesson.shape.width;
  const double* answer = learned.model.parameters.data() + learned.model.places.answer.weight;  // (2, width)
  Tensor<double> direction = Tensor<double>::from_shape({width});
  for (std::size_t k = 0; k < width; ++k) direction(k) = answer[width + k] - answer[k];
  return direction;
}

/// The ambiguous word in sentences of both meanings, before and after attention.
Figure plane_figure(const Learned& learned, const Ambiguity& ambiguity) {
  const Batch& all = learned.lesson.held_out;
  const std::size_t sentences = std::min(sentences_in_the_plane, all.sequences);
  const Batch batch{sentences, all.tokens, all.inputs, all.targets};
  const Tensor<double> before = ambiguous_vectors(learned, batch, 0);
  const Tensor<double> after = ambiguous_vectors(learned, batch, learned.lesson.shape.layers);
  const Tensor<double> plane = plane_along(between_answers(learned), after);
  const Tensor<double> start = matmul(before, plane);
  const Tensor<double> end = matmul(after, plane);
  std::size_t right = 0;  // sentences on their meaning's side
  std::array<Points, 3> points;
  points[2] = Points{"before", {}, {}, muted_ink, Text{"アテンションの前", "Before attention"}};
  for (std::size_t meaning = 0; meaning < 2; ++meaning) {
    points[meaning] = Points{fmt::format("after_{}", meaning),
                             {},
                             {},
                             series_ink(meaning == 0 ? 0 : 1),
                             text("後：{}", "After: {}", ambiguity.meanings[meaning])};
  }
  for (std::size_t i = 0; i < sentences; ++i) {
    int meaning = 0;
    for (std::size_t k = 0; k < batch.tokens; ++k)
      meaning = std::max(meaning, batch.targets[i * batch.tokens + k]);
    Points& here = points[static_cast<std::size_t>(meaning)];
    here.x.push_back(end(i, 0));
    here.y.push_back(end(i, 1));
    points[2].x.push_back(start(i, 0));
    points[2].y.push_back(start(i, 1));
    right += (meaning == 0 ? end(i, 0) < 0.0 : end(i, 0) > 0.0) ? 1U : 0U;
  }
  return Figure{"plane", text("アテンションの後の「{0}」：{1} 文のうち {2} 文が自分の意味の側",
                              "{0} after attention: {2} of {1} sentences on their meaning's side",
                              ambiguity.word, sentences, right)}
      .described(
          text("平面の散布図。文脈を読む前と後の {0} のベクトル。後では {1} 文のうち {2} 文が自分の意味"
               "の側にある。",
               "Points in the plane: the vector of {0} before and after attention; afterwards {2} of "
               "{1} sentences lie on their meaning's side.",
               ambiguity.word, sentences, right))
      .captioned(text(
          "学習に使わなかった文 {} 個での {} のベクトル。横軸は 2 つの答えを分ける方向（{} は 0 の左、{} "
          "は右）、縦軸はそれに"
          "直交して最も広がる方向。",
          "The vector of {1} in {0} sentences never trained on. Across: the direction that parts the two "
          "answers, {2} left of 0 and {3} right; upwards: the one of the largest spread at right angles to "
          "it.",
          sentences, ambiguity.word, ambiguity.meanings[0], ambiguity.meanings[1]))
      .panel(Chart{Axis{{"答えを分ける方向", "Along what parts the answers"}},
                   Axis{{"直交する方向", "Across it"}},
                   {points[2], points[0], points[1]}})
      .on_page(8.5, 6.0);
}

std::vector<WordGroup> telling_words(const Ambiguity& ambiguity) {
  std::vector<WordGroup> groups;
  int word = 1;
  for (std::size_t meaning = 0; meaning < 2; ++meaning) {
    WordGroup group{text("→ {}", "→ {}", ambiguity.meanings[meaning]), {}};
    for (std::size_t i = 0; i < ambiguity.contexts[meaning].size(); ++i) group.words.push_back(word++);
    groups.push_back(std::move(group));
  }
  return groups;
}

Report run_sense(const Arguments& arguments, const Context& context) {
  const Ambiguity ambiguity = arguments.text("sentences") == "ja" ? hashi() : bank();
  const Lesson lesson = senses(arguments, ambiguity);
  const Learned learned = learned_from(lesson, arguments, context);
  const Point& last = learned.points.back();
  Story story{
      {"1 つの語の 2 つの意味", "Two meanings of one word"},
      text(
          "{} は {} か {} か。文のどこかにある 1 語で決まります。手がかりと距離の組は、4 組に 1 "
          "組を学習に使っていません。",
          "Does {} mean {} or {}? One word somewhere in the sentence decides. One in four pairs of that word "
          "and its distance was never trained on.",
          ambiguity.word, ambiguity.meanings[0], ambiguity.meanings[1]),
      text("{} は手がかりの語を読む：注意度 {}", "{} reads the word that tells: weight {}", ambiguity.word,
           development(learned)),
      text(
          "注意度のヒートマップ。学習後、{} の行は手がかりの語に {:.2f} の注意度を置く。",
          "Heat maps of the weights; after training the row of {} gives the telling word a weight of {:.2f}.",
          ambiguity.word, last.measure),
      text("見たことのない文でも意味が決まる：正解率 {:.3f}",
           "The meaning is right in sentences never seen: {:.3f}", last.accuracy)};
  story.figures = {plane_figure(learned, ambiguity)};
  if (shows_words(learned.lesson.shape)) {
    story.figures.push_back(words_figure(learned, first_model(learned.lesson, learning_settings(arguments)),
                                         telling_words(ambiguity), {"手がかりの語", "telling words"}));
  }
  story.learned = {
      Paragraph::say(
          "埋め込みの {} はどの文でも同じベクトルです。意味を与えるのは、注意度で混ぜられた文脈です。",
          "The embedding of {} is the same vector in every sentence: what gives it a meaning is the "
          "context that attention mixes into it.",
          ambiguity.word),
      Paragraph::misunderstanding("近い語ほど効くのではありません。手がかりはどの距離からでも読まれます。",
                                  "Nearness does not count: the telling word is read from any distance.")};
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, story, context);
}

}  // namespace

Experiment sense_task() {
  TrainingDefaults defaults;
  defaults.steps = "600";
  defaults.positions = "none";
  return learning_task(
      "train sense",
      {"多義語の意味を、離れた 1 語から決める（bank：川岸か銀行か）",
       "the meaning of an ambiguous word from one word of context: bank, of a river or of money"},
      {"スライドの bank", "the slides' bank"},
      training_parameters(
          {parameter("sentences", ChoiceKind{{"en", "ja"}}, "en", "文の言語（ja では「はし」）",
                     "the language of the sentences; ja: はし")},
          defaults),
      run_sense);
}

}  // namespace attnlab
