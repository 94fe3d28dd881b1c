// `train pairs`: a task of the user's own, from a file. Each line is an input, a tab and a target; the model
// reads the input and a mark, and is to say the target, word by word.
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "tasks/framework/story.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t least_inputs = 10;   // different ones
constexpr std::size_t longest_pair = 512;  // tokens
constexpr std::size_t most_words = 5000;
const std::string mark = "→";  // between input and target
const std::string end = "⏎";   // behind the target
const std::string filling =
    "·";  // up to the longest pair; no target counts there, and no word before reads it

using Words = std::vector<std::string>;
struct Pair {
  Words input;
  Words target;
};

/// By blanks where there are any in the file, else by characters.
Words words_of(std::string_view text, bool by_blanks) {
  Words words;
  if (by_blanks) {
    for (std::string& word : split(text, " ")) {
      if (!word.empty()) words.push_back(std::move(word));
    }
    return words;
  }
  const std::u32string characters = decode_utf8(text).value();
  for (const char32_t character : characters) words.push_back(encode_utf8(character));
  return words;
}

[[noreturn]] void refuse_line(const std::string& file, std::size_t line, const Text& problem) {
  refuse_failed(
      text("{} の {} 行目：{}", "line {1} of {0} {2}", file, line, problem),
      {"1 行に、入力、タブ、答えの順に書いてください", "write an input, a tab and a target on each line"});
}

std::vector<Pair> pairs_of(const std::string& contents, const std::string& file) {
  std::vector<std::string> lines = split(contents, "\n");
  const bool by_blanks = contents.find(' ') != std::string::npos;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = trimmed(lines[i], "\r");
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
      refuse_line(file, i + 1, {"タブが 1 つではありません", "does not hold one tab"});
    }
    Pair pair{words_of(line.substr(0, tab), by_blanks), words_of(line.substr(tab + 1), by_blanks)};
    if (pair.input.empty() || pair.target.empty()) {
      refuse_line(file, i + 1, {"入力か答えが空です", "has an empty input or target"});
    }
    if (pair.input.size() + pair.target.size() + 1 > longest_pair) {
      refuse_line(file, i + 1, text("{} 語を超えます", "has more than {} tokens", longest_pair));
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// The targets of each different input, as often as the file has them.
using Targets = std::vector<Words>;
std::map<Words, Targets> by_input(const std::vector<Pair>& pairs, const std::string& file) {
  std::map<Words, Targets> inputs;
  for (const Pair& pair : pairs) inputs[pair.input].push_back(pair.target);
  if (inputs.size() < least_inputs) {
    refuse_failed(text("{} には異なる入力が {} 種類しかありません", "{} holds only {}", file,
                       counted(inputs.size(), "different input")),
                  text("{} 種類以上にしてください：同じ行を繰り返しても増えません",
                       "give at least {}: repeated lines do not count", least_inputs));
  }
  return inputs;
}

/// How many lines repeat another, and how many inputs have more than one target.
Text told_of(const std::map<Words, Targets>& inputs) {
  std::size_t repeated = 0;
  std::size_t contradictory = 0;
  for (const auto& [input, targets] : inputs) {
    const std::size_t different = std::set<Words>(targets.begin(), targets.end()).size();
    repeated += targets.size() - different;
    contradictory += different > 1 ? 1U : 0U;
  }
  Text told = Text::none();
  if (repeated > 0)
    told = text("重複した行が {} 行あります。", " Lines that repeat another one: {}.", repeated);
  if (contradictory == 0) return told;
  return text("{}答えが食い違う入力が {} 種類あり、そのすべてに正解することはできません。",
              "{} Inputs with more than one target: {}; no model can be right in all of these.", told,
              contradictory);
}

/// input → target ⏎, filled up; the word that follows is the target from the mark on.
void add_pair(const Pair& pair, const std::map<std::string, int>& number, Batch& batch) {
  Words words = pair.input;
  words.push_back(mark);
  const std::size_t first = words.size() - 1;
  words.insert(words.end(), pair.target.begin(), pair.target.end());
  words.push_back(end);
  const std::size_t said = words.size();
  words.resize(batch.tokens + 1, filling);
  for (std::size_t i = 0; i < batch.tokens; ++i) {
    batch.inputs.push_back(number.at(words[i]));
    batch.targets.push_back(i >= first && i + 1 < said ? number.at(words[i + 1]) : no_target);
  }
  ++batch.sequences;
}

/// One in ten of the different inputs is held out, with all its lines, in an order that neither they nor
/// --seed change: whoever reads a saved model again holds out the same.
Lesson lesson_of(const Arguments& arguments, const std::map<Words, Targets>& inputs) {
  Lesson lesson;
  std::set<std::string> different;
  std::size_t tokens = 0;
  std::vector<const Words*> by_name;
  for (const auto& [input, targets] : inputs) {
    by_name.push_back(&input);
    different.insert(input.begin(), input.end());
    for (const Words& target : targets) {
      different.insert(target.begin(), target.end());
      tokens = std::max(tokens, input.size() + target.size() + 1);
    }
  }
  lesson.words.assign(different.begin(), different.end());
  lesson.words.insert(lesson.words.end(), {mark, end, filling});
  if (lesson.words.size() > most_words) {
    refuse_failed(text("{} 種類の語があります", "there are {} different tokens", lesson.words.size()),
                  text("{} 種類までです", "at most {} can be learned", most_words));
  }
  lesson.answers = lesson.words;
  std::map<std::string, int> number;
  for (const std::string& word : lesson.words) number.emplace(word, static_cast<int>(number.size()));
  lesson.shape = model_shape(arguments, lesson.words.size(), lesson.words.size(), tokens);
  lesson.shape.reading = Reading::what_came_before;

  NumpyRandom random(2);
  const std::vector<int> order = draw_different(random, by_name.size(), by_name.size());
  const std::size_t held_out = std::min<std::size_t>(512, order.size() / 10);
  lesson.held_out = {0, tokens, {}, {}};
  Batch all{0, tokens, {}, {}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Words& input = *by_name[static_cast<std::size_t>(order[i])];
    const Targets& targets = inputs.at(input);
    if (i < held_out) {
      for (const Words& target : std::set<Words>(targets.begin(), targets.end()))
        add_pair({input, target}, number, lesson.held_out);
    } else {
      for (const Words& target : targets) add_pair({input, target}, number, all);
    }
  }
  lesson.example = first_of(lesson.held_out);
  lesson.draw = [all](NumpyRandom& stream, std::size_t sequences) {
    return drawn_from(all, stream, sequences);
  };
  return lesson;
}

/// How many held-out pairs are answered in full, to the mark at their end.
std::size_t answered_in_full(const Learned& learned) {
  const Batch& test = learned.lesson.held_out;
  const std::vector<int> said = answers_to(learned.model, test);
  std::size_t full = 0;
  for (std::size_t i = 0; i < test.sequences; ++i) {
    bool is_right = true;
    for (std::size_t k = i * test.tokens; k < (i + 1) * test.tokens; ++k)
      is_right = is_right && (test.targets[k] == no_target || test.targets[k] == said[k]);
    full += is_right ? 1U : 0U;
  }
  return full;
}

/// What the model says behind the example and its mark, word by word, each read before the next.
std::string answer_to_example(const Learned& learned) {
  Batch read = learned.lesson.example;
  Words said;
  while (read.inputs.size() < learned.lesson.shape.tokens) {
    const int next = answers_to(learned.model, read).back();
    if (learned.lesson.answers.at(static_cast<std::size_t>(next)) == end) break;
    said.push_back(learned.lesson.answers.at(static_cast<std::size_t>(next)));
    read.inputs.push_back(next);
    read.targets.push_back(no_target);
    ++read.tokens;
  }
  return joined(said, " ");
}

Report run_pairs(const Arguments& arguments, const Context& context) {
  const bool has_file = arguments.given("pairs");
  if (!has_file && !arguments.has_model()) {
    refuse_usage({"--pairs がありません", "--pairs is missing"},
                 {"1 行に入力、タブ、答えを書いたファイルを指定してください（例：--pairs pairs.tsv）",
                  "name a file with an input, a tab and a target on each line, as in --pairs pairs.tsv"});
  }
  const std::string file = has_file ? without_folders(arguments.text("pairs")) : "";
  std::map<Words, Targets> inputs;
  if (has_file) inputs = by_input(pairs_of(arguments.contents("pairs"), file), file);
  Lesson lesson = has_file ? lesson_of(arguments, inputs) : lesson_of_words(arguments, "pairs");
  lesson.shape.reading = Reading::what_came_before;
  lesson.typed_end = mark;
  const Learned learned = learned_from(lesson, arguments, context);
  const Point& last = learned.points.back();
  Story story{
      text("自分の課題：{}", "A task of your own: {}", file),
      text("{} 種類の入力。うち {} 種類とその答えは学習に使いません。入力の後の {} から先が答えです。{}",
           "{} different inputs, {} of them never trained on; what comes behind {} is to be said.{}",
           inputs.size(), std::min<std::size_t>(512, inputs.size() / 10), mark, told_of(inputs)),
      text("学習前と学習後のヘッド：正解率 {:.2f} → {:.2f}",
           "The heads before and after: accuracy {:.2f} → {:.2f}", learned.points.front().accuracy,
           last.accuracy),
      {"各ヘッドの注意度のヒートマップ、学習に使わなかった入力で。",
       "Heat maps of every head, over an input never trained on."},
      text("学習に使わなかった入力での正解率：{:.3f}", "Accuracy on inputs never trained on: {:.3f}",
           last.accuracy)};
  if (learned.lesson.has_typed_example) {
    story.typed_answer = text("モデルの答え：{}", "The model's answer: {}", answer_to_example(learned));
    story.weights_description = {"各ヘッドの注意度のヒートマップ、入力された系列で。",
                                 "Heat maps of every head, over the sequence that was typed."};
  }
  if (!has_file) {
    story.heading = {"自分の課題", "A task of your own"};
    story.weights_title = {"保存されたモデルのヘッド", "The heads of the saved model"};
    story.data = text(
        "{} 種類の語を学習したモデルです。学習した組がないので、正解率は測れません（--pairs で指定で"
        "きます）。",
        "The model has learned {} words; without its pairs nothing is measured (give them with "
        "--pairs).",
        lesson.words.size());
    return report_of(learned, story, context);
  }
  const auto full =
      static_cast<double>(answered_in_full(learned)) / static_cast<double>(lesson.held_out.sequences);
  story.scalars = {{"held_out_in_full", full}};
  story.closing = {
      Paragraph::say(
          "学習に使わなかった入力で、答えがすべて正しいのは {:.3f}、1 語ずつ（{} も 1 語）数えた正解率"
          "は {:.3f} です。",
          "On inputs never trained on {:.3f} of the answers are right in full; counted by single "
          "tokens ({} is one, too) the accuracy is {:.3f}.",
          full, end, last.accuracy),
      Paragraph::misunderstanding("学習に使った組での正解率は、覚えたことの証しにしかなりません。",
                                  "Accuracy on the pairs that were trained on would show memory alone.")};
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, story, context);
}

}  // namespace

Experiment pairs_task() {
  TrainingDefaults defaults;
  defaults.layers = "2";
  defaults.heads = "2";
  defaults.mlp = "64";
  defaults.norm = "pre";
  defaults.mask = "causal";
  return learning_task(
      "train pairs",
      {"自分の課題：入力と答えの組のファイルから", "a task of your own, from a file of inputs and targets"},
      {"手持ちのファイル", "your own file"},
      training_parameters(
          {parameter("pairs", FileKind{"FILE.tsv", FileKind::Holds::text}, "",
                     "1 行に入力、タブ、答え。語は空白で、空白がなければ 1 文字ずつ区切ります",
                     "an input, a tab and a target on each line; tokens are parted by blanks, or "
                     "are single characters where there is no blank")},
          defaults),
      run_pairs);
}

}  // namespace attnlab
