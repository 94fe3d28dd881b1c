// `train pairs`: a task of the user's own, from a file. Each line is an input, a tab and a target; the model
// reads the input and a mark, and is to say the target, word by word.
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "tasks/framework/story.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

namespace {

constexpr std::size_t least_pairs = 10;
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
  if (pairs.size() < least_pairs) {
    refuse_failed(text("{} には {} 組しかありません", "{} holds only {} pairs", file, pairs.size()),
                  text("{} 組以上にしてください", "give at least {}", least_pairs));
  }
  return pairs;
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

/// Every tenth pair of a random order is held out.
Lesson lesson_of(const Arguments& arguments, const std::vector<Pair>& pairs) {
  Lesson lesson;
  std::set<std::string> different;
  std::size_t tokens = 0;
  for (const Pair& pair : pairs) {
    different.insert(pair.input.begin(), pair.input.end());
    different.insert(pair.target.begin(), pair.target.end());
    tokens = std::max(tokens, pair.input.size() + pair.target.size() + 1);
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

  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  NumpyRandom random = held_out_stream(learning_settings(arguments));
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    std::swap(order[i], order[i + static_cast<std::size_t>(draw_index(random, order.size() - i))]);
  }
  const std::size_t held_out = std::min<std::size_t>(512, std::max<std::size_t>(1, pairs.size() / 10));
  lesson.held_out = {0, tokens, {}, {}};
  for (std::size_t i = 0; i < held_out; ++i) add_pair(pairs[order[i]], number, lesson.held_out);
  lesson.example = first_of(lesson.held_out);
  Batch all{0, tokens, {}, {}};
  for (std::size_t i = held_out; i < pairs.size(); ++i) add_pair(pairs[order[i]], number, all);
  lesson.draw = [all](NumpyRandom& stream, std::size_t sequences) {
    return drawn_from(all, stream, sequences);
  };
  return lesson;
}

Report run_pairs(const Arguments& arguments, const Context& context) {
  if (!arguments.given("pairs")) {
    refuse_usage({"--pairs がありません", "--pairs is missing"},
                 {"1 行に入力、タブ、答えを書いたファイルを指定してください（例：--pairs pairs.tsv）",
                  "name a file with an input, a tab and a target on each line, as in --pairs pairs.tsv"});
  }
  const std::string file = without_folders(arguments.text("pairs"));
  const std::vector<Pair> pairs = pairs_of(arguments.contents("pairs"), file);
  const Lesson lesson = lesson_of(arguments, pairs);
  const Learned learned = learned_from(lesson, arguments, context);
  const Point& last = learned.points.back();
  Story story{
      text("自分の課題：{}", "A task of your own: {}", file),
      text("{} 組の入力と答え。うち {} 組は学習に使いません。入力の後の {} から先が答えです。",
           "{} pairs of input and target, {} of them never trained on; what comes behind {} is to be said.",
           pairs.size(), lesson.held_out.sequences, mark),
      text("学習前と学習後のヘッド：正解率 {:.2f} → {:.2f}",
           "The heads before and after: accuracy {:.2f} → {:.2f}", learned.points.front().accuracy,
           last.accuracy),
      {"各ヘッドの注意度のヒートマップ、学習に使わなかった 1 組で。",
       "Heat maps of every head, over a pair never trained on."},
      text("学習に使わなかった組での正解率：{:.3f}", "Accuracy on pairs never trained on: {:.3f}",
           last.accuracy)};
  story.closing = {
      Paragraph::say("正解率は、学習に使わなかった組で 1 語ずつ数えたものです：{:.3f}。",
                     "The accuracy counts single tokens, in pairs never trained on: {:.3f}.", last.accuracy),
      Paragraph::misunderstanding("学習に使った組での正解率は、覚えたことの証しにしかなりません。",
                                  "Accuracy on the pairs that were trained on would show memory alone.")};
  add_ablations(lesson, arguments, context, story);
  return report_of(learned, story);
}

}  // namespace

Experiment pairs_task() {
  TrainingDefaults defaults;
  defaults.layers = "2";
  defaults.heads = "2";
  defaults.mlp = "64";
  defaults.norm = "pre";
  defaults.mask = "causal";
  return {
      "train pairs",
      {"自分の課題：入力と答えの組のファイルから", "a task of your own, from a file of inputs and targets"},
      {"手持ちのファイル", "your own file"},
      training_parameters(
          {parameter("pairs", FileKind{"FILE.tsv", FileKind::Holds::text}, "",
                     "1 行に入力、タブ、答え。語は空白で、空白がなければ 1 文字ずつ区切ります",
                     "an input, a tab and a target on each line; tokens are parted by blanks, or "
                     "are single characters where there is no blank")},
          defaults),
      run_pairs,
      "",
      {},
      {},
      true};
}

}  // namespace attnlab
