// `train reverse`: a sequence backwards. What stands at place i is to be said at place n − 1 − i, whatever it
// is: the heads can only learn where to read, and positions alone tell them.
#include <xtensor/xview.hpp>

#include "tasks/framework/story.hpp"
#include "tasks/lessons.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t reversals_held_out = 256;

Batch draw_reversed(NumpyRandom& random, std::size_t sequences, std::size_t length, std::size_t symbols) {
  Batch batch{sequences, length, std::vector<int>(sequences * length), std::vector<int>(sequences * length)};
  for (std::size_t i = 0; i < sequences; ++i) {
    int* input = batch.inputs.data() + i * length;
    for (std::size_t k = 0; k < length; ++k) input[k] = draw_index(random, symbols);
    std::reverse_copy(input, input + length, batch.targets.data() + i * length);
  }
  return batch;
}

/// Place i reads place n − 1 − i.
std::vector<WantedRead> mirrored(const int* /*input*/, std::size_t n) {
  std::vector<WantedRead> reads;
  for (std::size_t i = 0; i < n; ++i) reads.push_back({i, n - 1 - i});
  return reads;
}

}  // namespace

Lesson reversal(const Arguments& arguments) {
  const std::size_t length = arguments.count("length");
  const std::size_t symbols = arguments.count("symbols");
  Lesson lesson;
  lesson.shape = model_shape(arguments, symbols, symbols, length);
  lesson.words = lesson.answers = numbered_words(symbols);
  lesson.draw = [=](NumpyRandom& random, std::size_t sequences) {
    return draw_reversed(random, sequences, length, symbols);
  };
  NumpyRandom random = held_out_stream(learning_settings(arguments));
  lesson.held_out = lesson.draw(random, reversals_held_out);
  lesson.example = first_of(lesson.held_out);
  lesson.measure = HeadMeasure{
      "antidiagonal_weight", {"逆対角の注意度", "Weight on the antidiagonal"}, weight_on(mirrored)};
  return lesson;
}

namespace {

Report run_reverse(const Arguments& arguments, const Context& context) {
  const Lesson lesson = reversal(arguments);
  const bool has_control =
      lesson.shape.positions != Positions::none && !arguments.is_on("no-control") && !arguments.has_model();
  const Learned learned = learned_from(lesson, arguments, context, 0.0, has_control ? 0.5 : 1.0);
  const Point& last = learned.points.back();
  Story story{
      {"系列を逆順にする", "A sequence backwards"},
      text("{} 種類の記号からなる長さ {} の系列を、後ろから言い直します。",
           "A sequence of {1} tokens out of {0} symbols is to be said from its end to its beginning.",
           lesson.words.size(), lesson.example.tokens),
      text("ヘッドは逆対角を読むことを学ぶ：注意度 {}", "The head learns to read the antidiagonal: weight {}",
           development(learned)),
      text("学習前と学習後の注意度のヒートマップ。学習後は逆対角に平均 {:.2f} が集まる。",
           "Heat maps of the weights before and after training; afterwards {:.2f} on average lies on the "
           "antidiagonal.",
           last.measure),
      text("損失が下がると、逆対角の注意度が上がる：正解率 {:.3f}",
           "The loss falls as the antidiagonal fills: accuracy {:.3f}", last.accuracy)};
  ModelShape blind = lesson.shape;
  blind.positions = Positions::none;
  if (has_control && add_control(lesson, blind, arguments, context, {0.5, 1.0},
                                 {"control_accuracy", {"位置なし", "No positions"}}, story)) {
    const double control = story.controls.back().accuracy;
    if (control < last.accuracy - clear_lead) {
      story.learned.emplace_back(Paragraph::say(
          "位置を知らせると正解率は {:.3f}、知らせないと {:.3f} "
          "です。内容だけでは、どこを読むか決められません。",
          "Told the positions, the model is right in {:.3f} of all places; not told, in {:.3f}: content "
          "alone does not say where to read.",
          last.accuracy, control));
    }
  }
  story.learned.emplace_back(Paragraph::misunderstanding(
      "ヘッドは記号の意味を覚えたのではありません。どの記号でも同じ場所を読みます。",
      "The head has not learned the symbols: it reads the same place whatever stands there."));
  if (lesson.shape.positions == Positions::rotary && lesson.shape.layers == 1) {
    story.failure = {
        "回転位置はクエリとキーの距離しか伝えません。位置 i が読むべき n − 1 − i までの距離は i ごとに違うの"
        "で、1 層のスコアには自分の i が現れません。",
        " Rotary positions tell the distance of query and key alone; to its mirror n − 1 − i every place i "
        "has "
        "another distance, and in one layer no score tells it its own i."};
  }
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, story, context);
}

}  // namespace

Experiment reverse_task() {
  TrainingDefaults defaults;
  return learning_task(
      "train reverse",
      {"系列を逆順に言い直す：逆対角を読むヘッド",
       "a sequence backwards: a head that reads the antidiagonal"},
      {"合成課題", "a synthetic task"},
      training_parameters(
          {parameter("length", IntegerKind{{2, 128}}, "16", "系列の長さ", "tokens of a sequence"),
           parameter("symbols", IntegerKind{{2, 100}}, "10", "記号の種類", "different symbols"),
           parameter("no-control", SwitchKind{}, "off", "位置なしの対照実験をしません",
                     "leave out the second run, without positions")},
          defaults),
      run_reverse);
}

}  // namespace attnlab
