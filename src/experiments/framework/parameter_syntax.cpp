// The shared parameters: how none|default|NUMBER, data|A:B and lists of labels are read.
#include "experiments/framework/parameter_syntax.hpp"

#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/parameter_value.hpp"

namespace attnlab {
namespace {

// The beginning of Natsume Soseki's novel, one token per entry, as the textbook cuts it.
constexpr std::array<const char*, 11> neko{"吾輩", "は", "猫",   "で",   "ある", "。",
                                           "名前", "は", "まだ", "ない", "。"};

constexpr double largest_scale = 1e6;

std::vector<std::string> numbered_labels(std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(fmt::format("Token {}", i));
  return labels;
}

std::vector<std::string> neko_labels(std::size_t count) {
  if (count > neko.size()) {
    refuse_usage(
        attnlab::text("--labels neko は {} 語しかなく、{} 個のトークンには足りません",
                      "--labels neko has {} words, too few for {} tokens", neko.size(), count),
        attnlab::text("トークンを {} 個以下にするか、コンマ区切りで {} 語を指定してください",
                      "use at most {} tokens, or give {} words separated by commas", neko.size(), count));
  }
  return {neko.begin(), neko.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Parameter scale_parameter(const std::string& default_text) {
  return {"scale",
          SyntaxKind{"none|default|NUMBER"},
          default_text,
          {"softmax の前にスコアに掛ける数。none は掛けない、default は 1/√d",
           "factor of the scores before softmax; none: no factor, default: 1/√d"}};
}

Parameter labels_parameter() {
  return {
      "labels",
      WordsKind{},
      "",
      {"トークンの名前（個数を指定しなければ、語の数がトークンの個数）。コンマ区切り、1 行に 1 語のファイルか語の配列（x.npz:tokens）、または neko（吾輩は猫である…）。省略すると Token 0, Token 1, ...",
       "names of the tokens (as many as words, where no number is given), separated by commas; a file with one per line, or an array of words (x.npz:tokens); or neko (吾輩 は 猫 ...); default Token 0, Token 1, ..."}};
}

Parameter seed_parameter(const std::string& default_text) {
  return {"seed",
          IntegerKind{{0, 4294967295}},
          default_text,
          {"乱数の種（数列は --rng で選びます）", "seed of the random numbers that --rng chooses"}};
}

std::optional<double> parse_scale(const std::string& text) {
  if (text == "default") return std::nullopt;
  if (text == "none") return 1.0;
  const std::optional<double> number = parse_number<double>(text);
  if (!number || !(*number > 0.0 && *number <= largest_scale)) {
    refuse_usage(
        attnlab::text("--scale の値「{}」を解釈できません", "--scale {} is no scale", text),
        attnlab::text("none、default、または {:.0f} 以下の正の数を指定してください（例：--scale 0.5）",
                      "use none, default or a positive number up to {:.0f}, such as --scale 0.5",
                      largest_scale));
  }
  return number;
}

std::vector<std::string> token_labels(const Arguments& arguments, std::size_t count) {
  const std::string& text = arguments.text("labels");
  if (text.empty()) return numbered_labels(count);
  if (text == "neko") return neko_labels(count);
  std::vector<std::string> labels = arguments.words("labels");
  if (labels.size() != count) {
    refuse_usage(attnlab::text("--labels は {} 語ですが、トークンは {} 個です", "--labels names {} of {}",
                               labels.size(), counted(count, "token")),
                 attnlab::text("コンマ区切りで {} 語を指定してください", "give {} separated by commas",
                               counted(count, "word")));
  }
  return labels;
}

bool words_count_tokens(const Arguments& arguments) {
  const Parameter* tokens = find_named(arguments.parameters(), "tokens");
  const Parameter* labels = find_named(arguments.parameters(), "labels");
  const bool are_declared = tokens != nullptr && std::holds_alternative<IntegerKind>(tokens->kind) &&
                            labels != nullptr && std::holds_alternative<WordsKind>(labels->kind);
  return are_declared && !arguments.text("labels").empty() && arguments.text("labels") != "neko";
}

Arguments with_labelled_tokens(Arguments arguments) {
  if (!words_count_tokens(arguments) || arguments.is_set("tokens")) return arguments;
  const std::size_t words = arguments.words("labels").size();
  const IntegerRange range = std::get<IntegerKind>(find_named(arguments.parameters(), "tokens")->kind).range;
  const auto tokens = static_cast<long long>(words);
  if (tokens < range.low || tokens > range.high) {
    refuse_usage(
        text("--labels は {} 語ですが、--tokens は {} から {} までです",
             "--labels has {}, and --tokens is from {} to {}", counted(words, "word"), range.low, range.high),
        {"語の数を変えてください", "give another number of words"});
  }
  arguments.set("tokens", std::to_string(words));
  return arguments;
}

std::vector<ShortText> names_of_rows(const Arguments& arguments, const std::string& flag, std::size_t rows,
                                     const std::vector<ShortText>& of_example) {
  const std::vector<std::string> typed = arguments.words(flag);
  if (typed.size() == rows) return short_texts(typed);
  if (!typed.empty()) {
    refuse_usage(
        attnlab::text("--{} は {} 語ですが、行は {} 個です", "--{} names {} of {} rows", flag, typed.size(),
                      rows),
        attnlab::text("コンマ区切りで {} 語を指定してください", "give {} words separated by commas", rows));
  }
  if (of_example.size() == rows) return of_example;
  std::vector<ShortText> numbers;
  for (std::size_t i = 0; i < rows; ++i) numbers.emplace_back(std::to_string(i));
  return numbers;
}

Text note_on_labels(bool are_words) {
  if (!are_words) return Text::none();
  return {"語はラベルだけで、入力は乱数です。", " The words are only labels; the input is random."};
}

Text note_on_untrained(bool is_almost_uniform) {
  if (!is_almost_uniform) return Text::none();
  return {"未学習なので、ほぼ均等。", " Untrained: almost uniform."};
}

}  // namespace attnlab
