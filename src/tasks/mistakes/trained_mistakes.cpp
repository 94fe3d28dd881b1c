// The mistakes: a training done right, one done wrong, and the two ways of looking at either.
#include "tasks/lessons.hpp"
#include "tasks/mistakes/trained_mistake.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t padding = 112;  // beside a sequence of 128 tokens
constexpr std::size_t few_examples = 64;

// --- What is looked at

Batch held_out(const Lesson& lesson, const LearningSettings& /*settings*/) {
  return lesson.held_out;
}

/// What a model with --examples was trained on; for one without, as many sequences that it has not seen.
Batch training_sequences(const Lesson& lesson, const LearningSettings& settings) {
  NumpyRandom random = examples_stream(settings);
  return lesson.draw(random, few_examples);
}

// --- What is wanted

Batch held_out_too(const TrainedMistake& /*mistake*/, const Lesson& lesson,
                   const LearningSettings& /*settings*/, bool /*is_wrong*/) {
  return lesson.held_out;
}

Batch other_period(const TrainedMistake& mistake, const Lesson& /*lesson*/, const LearningSettings& settings,
                   bool /*is_wrong*/) {
  const Settings eleven{{"shortest", "11"}, {"longest", "11"}};
  return repetition(arguments_for(mistake.task(), {mistake.common, eleven}, settings.seed)).held_out;
}

/// The beginnings of the held-out sequences, of which the last word alone is to be answered.
Batch beginnings(const Batch& whole, std::size_t tokens) {
  Batch cut{whole.sequences, tokens, {}, {}};
  for (std::size_t i = 0; i < whole.sequences; ++i) {
    const auto from = whole.inputs.begin() + static_cast<std::ptrdiff_t>(i * whole.tokens);
    cut.inputs.insert(cut.inputs.end(), from, from + static_cast<std::ptrdiff_t>(tokens));
    cut.targets.insert(cut.targets.end(), tokens - 1, no_target);
    cut.targets.push_back(whole.targets[i * whole.tokens + tokens - 1]);
  }
  return cut;
}

/// As a generator reads: what has been said so far.
Batch said_so_far(const TrainedMistake& /*mistake*/, const Lesson& lesson,
                  const LearningSettings& /*settings*/, bool /*is_wrong*/) {
  return beginnings(lesson.held_out, lesson.held_out.tokens * 3 / 4);
}

/// A dictionary of n pairs has n questions behind it.
Batch first_question(const TrainedMistake& /*mistake*/, const Lesson& lesson,
                     const LearningSettings& /*settings*/, bool /*is_wrong*/) {
  return beginnings(lesson.held_out, lesson.held_out.tokens * 2 / 3 + 1);
}

/// As they stand in a batch with a longer sequence: word 0 fills them up. Where the filling is masked, nobody
/// reads it: the sequences are as they were.
Batch padded(const TrainedMistake& /*mistake*/, const Lesson& lesson, const LearningSettings& /*settings*/,
             bool is_wrong) {
  const Batch& bare = lesson.held_out;
  if (!is_wrong) return bare;
  Batch longer{bare.sequences, bare.tokens + padding, {}, {}};
  for (std::size_t i = 0; i < bare.sequences; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(i * bare.tokens);
    const auto to = from + static_cast<std::ptrdiff_t>(bare.tokens);
    longer.inputs.insert(longer.inputs.end(), bare.inputs.begin() + from, bare.inputs.begin() + to);
    longer.inputs.insert(longer.inputs.end(), padding, 0);
    longer.targets.insert(longer.targets.end(), bare.targets.begin() + from, bare.targets.begin() + to);
    longer.targets.insert(longer.targets.end(), padding, no_target);
  }
  return longer;
}

/// With places for the padding.
Lesson roomy_reversal(const Arguments& arguments) {
  Lesson lesson = reversal(arguments);
  lesson.shape.tokens += padding;
  return lesson;
}

}  // namespace

const std::vector<TrainedMistake>& trained_mistakes() {
  static const std::vector<TrainedMistake> table{
      {"period",
       {"いつも同じ周期で学習する", "Every training sequence has the same period"},
       {"学習と同じ作り方の系列", "Sequences made as those of the training"},
       {"周期 11 の系列", "Sequences with a period of 11"},
       {"周期がいつも 16 なら「16 個前の次」を読めば足ります。学んだのは繰り返しではなく、位置の差です。",
        "With a period of 16 throughout it is enough to read 16 places back: a distance was learned, not "
        "repetition."},
       {"学習で使わなかった周期で試してください。", "Test with periods that training never had."},
       induction_task,
       repetition,
       {{"steps", "600"}},
       {{"shortest", "16"}, {"longest", "16"}},
       held_out,
       other_period},
      {"mask",
       {"因果マスクを忘れる", "The causal mask is forgotten"},
       {"系列全体を読ませたとき", "Reading whole sequences"},
       {"次の 1 語を言わせたとき", "Saying the next word, as a generator does"},
       {"マスクがないと、答えである次の語を読めてしまいます。損失は 0 "
        "に近づきますが、生成では次の語がまだありません。",
        "Without the mask the answer, the next word, can be read: the loss nears 0. A generator has no next "
        "word to read."},
       {"先を変えても前の出力が変わらないことを確かめてください。",
        "Check that changing what comes later changes no earlier output."},
       induction_task,
       repetition,
       {{"steps", "600"}},
       {{"mask", "none"}},
       held_out,
       said_so_far},
      {"axis",
       {"softmax の軸が違う", "Softmax along the wrong axis"},
       {"質問をまとめて読ませたとき", "Reading all questions at once"},
       {"最初の質問だけを読ませたとき", "Reading the first question alone"},
       {"クエリの軸で softmax "
        "をとると、後ろの質問が前の質問の注意度を変えます。形状は正しく、損失も下がります"
        "が、マスクがあっても未来が漏れ、後ろがなければ答えられません。",
        "Softmax over the queries lets later questions change the weights of earlier ones. Shapes are right "
        "and the loss falls, but in spite of the mask the future leaks, and without it there is no answer."},
       {"注意度の各行の和が 1 であることを確かめてください。",
        "Check that every row of the weights sums to 1."},
       dictionary_task,
       dictionaries,
       {{"steps", "1000"}},
       {{"softmax-axis", "queries"}},
       held_out,
       first_question},
      {"padding",
       {"パディングまで読む", "Attention to padding"},
       {"長さのそろった系列", "Sequences of one length"},
       {"後ろを埋めた同じ系列", "The same, padded behind"},
       {"長さのそろったバッチでは気づきません。長い系列と同じバッチに入ると、埋め草の語も読まれます。マスクす"
        "れば、埋めないときと同じ出力になります。",
        "Batches of one length never show it: beside a longer sequence in a batch, the filling is read, too. "
        "Masked, it changes nothing."},
       {"埋めた系列と埋めない系列の出力が同じことを確かめてください。",
        "Check that a sequence has the same output with padding and without."},
       reverse_task,
       roomy_reversal,
       {{"steps", "300"}},
       {},
       held_out,
       padded},
      {"examples",
       {"学習に使った例で評価する", "Evaluation on the training set"},
       {"学習に使った例", "The training examples"},
       {"初めて見る例", "New examples"},
       {"少ない例を繰り返すと、規則ではなく例そのものを覚えます。",
        "A few examples, seen again and again, are learned by heart instead of the rule."},
       {"学習に使わない例を、初めに取り分けてください。", "Put examples aside before training."},
       dictionary_task,
       dictionaries,
       {{"steps", "500"}},
       {{"examples", std::to_string(few_examples)}},
       training_sequences,
       held_out_too}};
  return table;
}

}  // namespace attnlab
