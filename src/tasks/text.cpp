// `train text`: a language model over characters. What comes next is learned from nothing but a text; what
// the heads read is their own affair.
#include "core/counted.hpp"
#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/room.hpp"
#include "tasks/framework/story.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {

const std::vector<EmbeddedFile>& text_files();

namespace {

constexpr std::size_t windows_held_out = 48;
constexpr std::size_t most_characters = 4000;  // different ones
constexpr std::size_t characters_sampled = 160;
constexpr double share_held_out = 0.1;  // of the text: its end

struct Corpus {
  std::string name;
  std::vector<std::string> characters;  // every one that occurs, by its number
  std::vector<int> numbers;             // the text
  std::size_t trained = 0;              // of which so many at the beginning are trained on
};

/// Blanks and line ends as something that can be seen.
std::string visible(char32_t character) {
  if (character == U' ') return "␣";
  if (character == U'\n') return "⏎";
  return is_control(character) ? "�" : encode_utf8(character);
}

Corpus corpus_of(const std::string& name, const std::string& text, std::size_t length) {
  const std::u32string characters = decode_utf8(text).value();
  const std::size_t least = 20 * length;
  if (characters.size() < least) {
    refuse_failed(text.empty() ? Text{"文章が空です", "the text is empty"}
                               : attnlab::text("{} は {} 文字しかありません", "{} has only {}", name,
                                               counted(characters.size(), "character")),
                  attnlab::text("{} 文字以上の文章にするか、--length を減らしてください",
                                "give a text of at least {} characters, or lower --length", least));
  }
  const std::set<char32_t> different(characters.begin(), characters.end());
  if (different.size() > most_characters) {
    refuse_failed(attnlab::text("{} には {} 種類の文字があります", "{} has {} different characters", name,
                                different.size()),
                  attnlab::text("{} 種類までです", "at most {} can be learned", most_characters));
  }
  Corpus corpus;
  corpus.name = name;
  std::map<char32_t, int> number;
  for (const char32_t character : different) {
    number[character] = static_cast<int>(corpus.characters.size());
    corpus.characters.push_back(visible(character));
  }
  for (const char32_t character : characters) corpus.numbers.push_back(number[character]);
  corpus.trained = static_cast<std::size_t>((1.0 - share_held_out) * static_cast<double>(characters.size()));
  return corpus;
}

/// `length` characters from `first` on, and at each place the next one as its target.
void add_window(const Corpus& corpus, std::size_t first, Batch& batch) {
  const auto begin = corpus.numbers.begin() + static_cast<std::ptrdiff_t>(first);
  const auto length = static_cast<std::ptrdiff_t>(batch.tokens);
  batch.inputs.insert(batch.inputs.end(), begin, begin + length);
  batch.targets.insert(batch.targets.end(), begin + 1, begin + 1 + length);
  ++batch.sequences;
}

Batch draw_windows(NumpyRandom& random, std::size_t sequences, const Corpus& corpus, std::size_t length) {
  Batch batch{0, length, {}, {}};
  const std::size_t places = corpus.trained - length;
  while (batch.sequences < sequences)
    add_window(corpus, static_cast<std::size_t>(draw_index(random, places)), batch);
  return batch;
}

/// Evenly spread over the text's end.
Batch windows_at_the_end(const Corpus& corpus, std::size_t length) {
  Batch batch{0, length, {}, {}};
  const std::size_t room = corpus.numbers.size() - corpus.trained - length - 1;
  const std::size_t count = std::min(windows_held_out, std::max<std::size_t>(1, room / length + 1));
  for (std::size_t i = 0; i < count; ++i) {
    add_window(corpus, corpus.trained + (count == 1 ? 0 : room * i / (count - 1)), batch);
  }
  return batch;
}

/// −ln of the next character's share behind this one, mean over the batch; every pair counted once more than
/// it occurs (Laplace), so that none is impossible.
double bigram_loss(const Corpus& corpus, const Batch& batch) {
  const std::size_t size = corpus.characters.size();
  std::vector<double> pairs(size * size, 1.0);
  std::vector<double> firsts(size, static_cast<double>(size));
  for (std::size_t i = 0; i + 1 < corpus.trained; ++i) {
    const auto first = static_cast<std::size_t>(corpus.numbers[i]);
    pairs[first * size + static_cast<std::size_t>(corpus.numbers[i + 1])] += 1.0;
    firsts[first] += 1.0;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
    const auto first = static_cast<std::size_t>(batch.inputs[i]);
    sum -= std::log(pairs[first * size + static_cast<std::size_t>(batch.targets[i])] / firsts[first]);
  }
  return sum / static_cast<double>(batch.inputs.size());
}

/// What may come behind the words of the batch, its one sequence: a probability for each character.
std::vector<double> next_probabilities(const Model<double>& model, const Batch& batch) {
  Pass<double> pass(model, 1);
  const StridedMatrix<double> logits = pass.forward(model, batch, 0, 1);
  double* row = logits.row(batch.tokens - 1);
  softmax_row(row, logits.columns);
  return {row, row + logits.columns};
}

/// The most likely characters behind the example: of random weights, and of the learned ones.
Figure next_figure(const Learned& learned, const Model<double>& before, const Corpus& corpus) {
  constexpr std::size_t most_bars = 8;
  constexpr std::size_t most_context = 16;
  const Batch& example = learned.lesson.example;
  std::string context;
  for (std::size_t i = example.tokens - std::min(most_context, example.tokens); i < example.tokens; ++i) {
    context += corpus.characters[static_cast<std::size_t>(example.inputs[i])];
  }
  Figure figure{"next", Text::none()};
  std::array<double, 2> highest{};  // before, after
  for (const bool is_learned : {false, true}) {
    const std::vector<double> probabilities =
        next_probabilities(is_learned ? learned.model : before, example);
    std::vector<std::size_t> order(probabilities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
    order.resize(std::min(most_bars, order.size()));
    std::vector<ShortText> names;
    std::vector<double> shares;
    for (const std::size_t character : order) {
      names.emplace_back(Text::same(corpus.characters[character]));
      shares.push_back(probabilities[character]);
    }
    if (is_learned) {
      figure.title = text("「{}」の次に予想されるのは「{}」：確率 {:.2f}",
                          "Behind \"{}\" the model expects \"{}\": probability {:.2f}", context,
                          corpus.characters[order.front()], shares.front());
    }
    highest[is_learned ? 1 : 0] = shares.front();
    figure.panels.push_back({is_learned ? Text{"学習後", "After"} : Text{"学習前（乱数）", "Before (random)"},
                             Chart{Axis{{"次の文字", "Next character"}}.named(names),
                                   Axis{{"確率", "Probability"}}.within(0.0, 1.05),
                                   {Bars{is_learned ? "next" : "next_before", shares}.with_numbers(2)}}});
  }
  figure.description = text("次の文字の確率の棒グラフが 2 枚。最も高いものは学習前 {:.2f}、学習後 {:.2f}。",
                            "Two charts of what may come next: the likeliest has {:.2f} before training, "
                            "{:.2f} afterwards.",
                            highest[0], highest[1]);
  figure.caption =
      text("高い順に {} 個。␣ は空白、⏎ は改行。", "The {} most likely; ␣ a blank, ⏎ a new line.", most_bars);
  figure.columns = 2;
  figure.page = {10.0, 4.8};
  return figure;
}

/// Character after character, each drawn from the model's probabilities.
std::string sampled(const Model<double>& model, const Corpus& corpus, const Batch& beginning,
                    std::uint32_t seed) {
  NumpyRandom random(seed);
  std::vector<int> context = beginning.inputs;
  Pass<double> pass(model, 1);
  std::string text;
  for (std::size_t i = 0; i < characters_sampled; ++i) {
    if (context.size() > model.shape.tokens) context.erase(context.begin());
    const Batch now{1, context.size(), context, {}};
    const StridedMatrix<double> logits = pass.forward(model, now, 0, 1);
    double* row = logits.row(context.size() - 1);
    softmax_row(row, logits.columns);
    double left = random.uniform();
    std::size_t next = 0;
    while (next + 1 < logits.columns && left >= row[next]) left -= row[next++];
    context.push_back(static_cast<int>(next));
    text += corpus.characters[next];
  }
  return text;
}

Report run_text(const Arguments& arguments, const Context& context) {
  const std::size_t length = arguments.count("length");
  const bool is_own = arguments.given("text");
  Corpus corpus = is_own
                      ? corpus_of(without_folders(arguments.text("text")), arguments.contents("text"), length)
                      : corpus_of("alice.txt", std::string(text_files().front().text), length);
  const LearningSettings settings = learning_settings(arguments);
  const bool has_text =
      is_own || !arguments.has_model() || words_of(arguments.model(), "words") == corpus.characters;
  Lesson lesson;
  if (has_text) {
    lesson.words = lesson.answers = corpus.characters;
    lesson.shape = model_shape(arguments, corpus.characters.size(), corpus.characters.size(), length);
    lesson.draw = [&corpus, length](NumpyRandom& random, std::size_t sequences) {
      return draw_windows(random, sequences, corpus, length);
    };
    lesson.held_out = windows_at_the_end(corpus, length);
    lesson.example = first_of(lesson.held_out);
  } else {
    lesson = lesson_of_words(arguments, "text");
    corpus = {"", lesson.words, {}, 0};
  }
  const double bigram = bigram_loss(corpus, lesson.held_out);
  const Learned learned = learned_from(lesson, arguments, context);
  const Point& last = learned.points.back();
  Story story{
      {"文字の言語モデル", "A language model over characters"},
      text("{}{}：{} 文字、{} 種類。終わりの 1 割は学習に使いません。",
           "{}{}: {} characters, {} different ones; the last "
           "tenth is not trained on.",
           corpus.name,
           is_own ? Text::none()
                  : Text{"（Lewis Carroll『不思議の国のアリス』1865、パブリックドメイン）",
                         " (Lewis Carroll, Alice's Adventures in Wonderland, 1865, public domain)"},
           corpus.numbers.size(), corpus.characters.size()),
      {"文字の言語モデルの各ヘッドが読む文字", "What the heads of a language model over characters read"},
      text("各ヘッドの注意度のヒートマップ、{} 文字の例で。",
           "Heat maps of every head, over an example of {} characters.", learned.lesson.example.tokens),
      text("損失 {:.2f}：直前の 1 文字だけを見るモデルの {:.2f} を下回る",
           "Loss {:.2f}, against {:.2f} of a model "
           "that sees one character alone",
           last.loss, bigram)};
  if (last.loss >= bigram) {
    story.learning_title = text(
        "損失 {:.2f}：直前の 1 文字だけを見るモデル（{:.2f}）にまだ及ばない",
        "Loss {:.2f}: not yet below the {:.2f} of a model that sees one character alone", last.loss, bigram);
  }
  story.figures = {next_figure(learned, first_model(lesson, settings), corpus)};
  story.typed_answer = story.figures.front().title;
  const std::uint32_t seed = settings.seed + 3;
  if (has_text) {
    story.scalars = {{"bigram_loss", bigram}};
    story.closing = {
        last.loss < bigram
            ? Paragraph::say(
                  "次の文字を当てるだけの課題で、損失は {:.2f} です。直前の 1 文字だけを見るモデル"
                  "（バイグラム）の {:.2f} より低いので、それより前の文字も使っています。",
                  "From nothing but guessing the next character the loss is {:.2f}, below the {:.2f} "
                  "of a model that sees the last character alone (bigrams): what stands before it is "
                  "used, too.",
                  last.loss, bigram)
            : Paragraph::say(
                  "損失は {:.2f} で、直前の 1 文字だけを見るモデル（バイグラム）の {:.2f} に及びませ"
                  "ん。",
                  "The loss of {:.2f} is not below the {:.2f} of a model that sees the last character "
                  "alone (bigrams).",
                  last.loss, bigram)};
  } else {
    story.data = text(
        "{} 種類の文字を学習したモデルです。学習した文章がないので、正解率は測れません（--text で指"
        "定できます）。",
        "The model has learned {} characters; without its text nothing is measured (give it with "
        "--text).",
        corpus.characters.size());
  }
  const std::vector<Block> sample{
      Paragraph::heading("モデルが続けた文章（␣ は空白、⏎ は改行）",
                         "How the model goes on (␣ a blank, ⏎ a new line)"),
      Paragraph{Role::text,
                text("学習前：{}", "Before: {}",
                     sampled(first_model(lesson, settings), corpus, learned.lesson.example, seed))},
      Paragraph{Role::text, text("学習後：{}", "After: {}",
                                 sampled(learned.model, corpus, learned.lesson.example, seed))},
      Paragraph::misunderstanding(
          "意味が分かっているのではありません。この大きさのモデルは、もっともらしい文字の並びを作るだけです"
          "。",
          "It understands nothing: a model of this size makes likely rows of characters.")};
  story.closing.insert(story.closing.end(), sample.begin(), sample.end());
  return report_of(learned, story, context);
}

}  // namespace

Experiment text_task() {
  TrainingDefaults defaults;
  defaults.layers = "2";
  defaults.heads = "4";
  defaults.width = "48";
  defaults.mlp = "96";
  defaults.norm = "pre";
  defaults.mask = "causal";
  defaults.batch = "16";
  defaults.steps = "1200";
  return learning_task(
      "train text",
      {"文字の言語モデル：好きな文章で次の文字を学ぶ",
       "a language model over characters, of a text of your own"},
      {"スライドの GPT", "the slides' GPT preview"},
      training_parameters(
          {parameter("text", FileKind{"FILE", FileKind::Holds::text}, "",
                     "学習する文章（UTF-8。なければ『不思議の国のアリス』の冒頭）",
                     "the text to learn, UTF-8 (without it the beginning of Alice in Wonderland)"),
           parameter("length", IntegerKind{{4, 512}}, "48", "モデルが一度に読む文字数",
                     "how many characters the model reads at once")},
          defaults),
      run_text);
}

}  // namespace attnlab
