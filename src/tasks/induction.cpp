// `train induction`: random tokens that repeat themselves. The second time round, what comes next is what
// came next before: a head of the second layer finds the token's earlier place, which a head of the first
// layer has marked with what stood before it. Source: Olsson et al. 2022, "In-context learning and induction
// heads".
#include <xtensor/xview.hpp>

#include "core/error.hpp"
#include "tasks/framework/story.hpp"
#include "tasks/lessons.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t repetitions_held_out = 128;

struct InductionData {
  std::size_t length;
  std::size_t symbols;
  std::size_t shortest;  // period
  std::size_t longest;
};

/// The symbols of one period are all different, so that what came next before is the answer. Places 0, ...,
/// period − 1 cannot be foretold; from then on every next token can.
Batch draw_repeated(NumpyRandom& random, std::size_t sequences, const InductionData& data) {
  const std::size_t length = data.length;
  Batch batch{sequences, length, std::vector<int>(sequences * length),
              std::vector<int>(sequences * length, no_target)};
  std::vector<int> row(length + 1);  // a sequence, and what would come next
  for (std::size_t i = 0; i < sequences; ++i) {
    const std::size_t period =
        data.shortest + static_cast<std::size_t>(draw_index(random, data.longest - data.shortest + 1));
    const std::vector<int> symbols = draw_different(random, period, data.symbols);
    for (std::size_t k = 0; k <= length; ++k) row[k] = k < period ? symbols[k] : row[k - period];
    for (std::size_t k = 0; k < length; ++k) {
      batch.inputs[i * length + k] = row[k];
      if (k >= period) batch.targets[i * length + k] = row[k + 1];
    }
  }
  return batch;
}

/// A query in the second half reads all places behind earlier occurrences of its own token. The weight on
/// them is the prefix-matching score.
std::vector<WantedRead> followers(const int* input, std::size_t n) {
  std::vector<WantedRead> reads;
  for (std::size_t i = n / 2; i < n; ++i) {
    for (std::size_t j = 1; j <= i; ++j) {
      if (input[j - 1] == input[i]) reads.push_back({i, j});
    }
  }
  return reads;
}

/// Only the second half counts for the accuracy: a period may be as long as the first.
Batch second_half(Batch batch) {
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    if (i % batch.tokens < batch.tokens / 2) batch.targets[i] = no_target;
  }
  return batch;
}

}  // namespace

Lesson repetition(const Arguments& arguments) {
  const InductionData data{arguments.count("length"), arguments.count("symbols"), arguments.count("shortest"),
                           arguments.count("longest")};
  if (data.shortest > data.longest || 2 * data.longest > data.length || data.longest > data.symbols) {
    refuse_usage(text("周期は {} から {} ですが、系列の長さは {}、記号は {} 種類です",
                      "periods from {} to {}, in sequences of {} out of {} symbols", data.shortest,
                      data.longest, data.length, data.symbols),
                 {"--shortest ≤ --longest ≤ --symbols、--length は --longest の 2 倍以上にしてください",
                  "choose --shortest <= --longest <= --symbols, and --length at least twice --longest"});
  }
  Lesson lesson;
  lesson.shape = model_shape(arguments, data.symbols, data.symbols, data.length);
  lesson.words = lesson.answers = numbered_words(data.symbols);
  lesson.draw = [data](NumpyRandom& random, std::size_t sequences) {
    return draw_repeated(random, sequences, data);
  };
  NumpyRandom random = held_out_stream(learning_settings(arguments));
  lesson.held_out = second_half(lesson.draw(random, repetitions_held_out));
  lesson.example = first_of(lesson.held_out);
  lesson.measure =
      HeadMeasure{"prefix_matching_score", {"前方一致スコア", "Prefix-matching score"}, weight_on(followers)};
  return lesson;
}

namespace {

Report run_induction(const Arguments& arguments, const Context& context) {
  const Lesson lesson = repetition(arguments);
  const bool has_control =
      lesson.shape.layers > 1 && !arguments.is_on("no-control") && !arguments.has_model();
  const Learned learned = learned_from(lesson, arguments, context, 0.0, has_control ? 0.65 : 1.0);
  const Point& last = learned.points.back();
  Story story{
      {"繰り返しの続きを言い当てる", "What came next before"},
      text("{} 種類の記号から互いに違うものをでたらめに並べ、周期 {} から {} で繰り返します。次の記号を答えま"
           "す。",
           "Different symbols out of {}, in a random order, repeat themselves with a period of {} to {}; the "
           "next symbol is to be said.",
           lesson.words.size(), arguments.count("shortest"), arguments.count("longest")),
      text("前に同じ記号が出た場所の次を読む：前方一致スコア {}",
           "A head reads what came next before: score {}", development(learned)),
      text("各層の各ヘッドの注意度のヒートマップ、学習の前と後。後では 1 "
           "つのヘッドが周期だけ前の対角線を読む（前方一致スコア {:.2f}）。",
           "Heat maps of every head before and after training; afterwards one head reads diagonals a period "
           "back (prefix-matching score {:.2f}).",
           last.measure),
      text("損失が落ちるとき、前方一致スコアが立ち上がる：正解率 {:.3f}",
           "The loss falls when the score rises: accuracy {:.3f}", last.accuracy)};
  ModelShape flat = lesson.shape;
  flat.layers = 1;
  const bool compares = has_control && add_control(lesson, flat, arguments, context, {0.65, 1.0},
                                                   {"control_accuracy", {"1 層", "One layer"}}, story);
  const double control = compares ? story.controls.back().accuracy : last.accuracy;
  if (control < last.accuracy - clear_lead) {
    story.learned.emplace_back(
        Paragraph::say("{} 層なら正解率 {:.3f}、1 層では {:.3f} です。1 層では「前に何があったか」を次の層に"
                       "渡せません。",
                       "With {} layers the accuracy is {:.3f}, with one {:.3f}: a single layer has nobody to "
                       "tell it what stood before a token.",
                       lesson.shape.layers, last.accuracy, control));
  } else {
    story.learned.emplace_back(Paragraph::say(
        "どの記号も、前に同じ記号が出た場所の次を読むと、続きが分かります（正解率 {:.3f}）。",
        "Whoever reads what followed the same symbol before knows what comes next (accuracy {:.3f}).",
        last.accuracy));
  }
  if (learned.met == 0) {
    story.learned.emplace_back(Paragraph::misunderstanding(
        "系列を覚えたのではありません。どの系列も初めて見るもので、答えはその系列の中にしかありません。",
        "Nothing was learned by heart: every sequence is new, and its answers stand nowhere but in itself."));
  }
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, story, context);
}

}  // namespace

Experiment induction_task() {
  TrainingDefaults defaults;
  defaults.layers = "2";
  defaults.heads = "2";
  defaults.mask = "causal";
  return learning_task(
      "train induction",
      {"繰り返しの続きを言い当てる：2 層で生まれる induction head",
       "what came next before: induction heads, which need two layers"},
      {"Olsson ほか 2022", "Olsson et al. 2022"},
      training_parameters(
          {parameter("length", IntegerKind{{4, 256}}, "32", "系列の長さ", "tokens of a sequence"),
           parameter("symbols", IntegerKind{{2, 200}}, "20", "記号の種類", "different symbols"),
           parameter("shortest", IntegerKind{{1, 128}}, "5", "最も短い周期", "the shortest period"),
           parameter("longest", IntegerKind{{1, 128}}, "16", "最も長い周期", "the longest period"),
           parameter("no-control", SwitchKind{}, "off", "1 層の対照実験をしません",
                     "leave out the second run, with one layer")},
          defaults),
      run_induction);
}

}  // namespace attnlab
