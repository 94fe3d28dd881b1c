// Every sentence in two languages names every one of its values in both: read from the sources themselves,
// because fmt only reports a value too few, and that when the sentence is said.
#include "core/text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "source_dir.hpp"

using namespace attnlab;

namespace {

/// The functions that take a sentence, and how many arguments stand before it.
const std::map<std::string, std::size_t> speakers{{"text", 0},     {"heading", 0},          {"plain", 0},
                                                  {"say", 0},      {"misunderstanding", 0}, {"note", 0},
                                                  {"invariant", 3}};

/// Goes through C++ piece by piece: string literals, words, single characters; comments and blanks left out.
class Source {
 public:
  explicit Source(std::string code) : code_(std::move(code)) {}

  /// "" at the end. A literal is returned with the quotation mark before it.
  std::string next() {
    skip_blanks_and_comments();
    if (at_ == code_.size()) return "";
    const char first = code_[at_];
    if (first == '"' || first == '\'') return literal(first);
    if (first == 'R' && code_.substr(at_, 2) == "R\"") return raw_literal();
    const std::size_t begin = at_++;
    if (is_of_word(first)) {
      while (at_ < code_.size() && is_of_word(code_[at_])) ++at_;
      // 1'000'000 is one number
      while (std::isdigit(first) != 0 && at_ < code_.size() && (code_[at_] == '\'' || is_of_word(code_[at_])))
        ++at_;
    }
    return code_.substr(begin, at_ - begin);
  }

 private:
  static bool is_of_word(char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '_';
  }

  void skip_blanks_and_comments() {
    while (at_ < code_.size()) {
      if (std::isspace(static_cast<unsigned char>(code_[at_])) != 0) {
        ++at_;
      } else if (code_.compare(at_, 2, "//") == 0) {
        at_ = std::min(code_.find('\n', at_), code_.size());
      } else if (code_.compare(at_, 2, "/*") == 0) {
        at_ = std::min(code_.find("*/", at_), code_.size() - 2) + 2;
      } else {
        return;
      }
    }
  }

  std::string literal(char mark) {
    std::string read(1, mark);
    for (++at_; at_ < code_.size() && code_[at_] != mark; ++at_) {
      if (code_[at_] == '\\') read += code_[at_++];
      read += code_[at_];
    }
    ++at_;
    return read;
  }

  std::string raw_literal() {
    const std::size_t open = code_.find('(', at_);
    const std::string end = ")" + code_.substr(at_ + 2, open - at_ - 2) + "\"";
    const std::size_t close = code_.find(end, open);
    std::string read = "\"" + code_.substr(open + 1, close - open - 1);
    at_ = close + end.size();
    return read;
  }

  std::string code_;
  std::size_t at_ = 0;
};

/// One argument: the pieces that it is made of.
using Argument = std::vector<std::string>;

/// The arguments of a call whose opening parenthesis has been read, and of the calls inside it.
struct Call {
  std::string function;
  std::vector<Argument> arguments;
};

/// Reads up to the closing bracket. `<` is not taken for a bracket: no value of a sentence is a template of
/// two arguments outside parentheses.
std::vector<Argument> arguments_of(Source& source, std::vector<Call>& calls) {
  std::vector<Argument> arguments(1);
  std::string previous;
  for (std::string piece = source.next(); !piece.empty(); piece = source.next()) {
    if (piece == ")" || piece == "]" || piece == "}") break;
    if (piece == ",") {
      arguments.emplace_back();
    } else {
      arguments.back().push_back(piece);
    }
    if (piece == "(" || piece == "[" || piece == "{") {
      calls.push_back({piece == "(" ? previous : "", {}});
      const std::size_t place = calls.size() - 1;
      std::vector<Argument> inner = arguments_of(source, calls);
      calls[place].arguments = std::move(inner);
      arguments.back().push_back("...");
    }
    previous = piece;
  }
  if (arguments.size() == 1 && arguments.front().empty()) arguments.clear();
  return arguments;
}

/// Adjacent string literals as one; nothing where the argument is anything else.
std::optional<std::string> literal_of(const Argument& argument) {
  std::string joined;
  for (const std::string& piece : argument) {
    if (piece.front() != '"') return std::nullopt;
    joined += piece.substr(1);
  }
  return argument.empty() ? std::nullopt : std::optional<std::string>(joined);
}

/// A sentence, though not one that can be read: two literals to choose from, or one with something added.
bool is_unreadable(const Argument& argument) {
  const auto is_literal = [](const std::string& piece) { return piece.front() == '"'; };
  const bool chooses = std::find(argument.begin(), argument.end(), "?") != argument.end();
  return !argument.empty() && (is_literal(argument.front()) ||
                               (chooses && std::any_of(argument.begin(), argument.end(), is_literal)));
}

/// The places of the values that a sentence names, in fmt's notation: {}, {1}, {:.2f}, {:>{}}.
std::set<std::size_t> values_named(const std::string& sentence) {
  std::set<std::size_t> named;
  std::size_t next = 0;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    if (sentence[i] != '{') continue;
    if (i + 1 < sentence.size() && sentence[i + 1] == '{') {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < sentence.size() && std::isdigit(static_cast<unsigned char>(sentence[end])) != 0) ++end;
    named.insert(end == i + 1 ? next++ : std::stoul(sentence.substr(i + 1, end - i - 1)));
  }
  return named;
}

struct Reading {
  std::size_t sentences = 0;
  std::vector<std::string> faults;
};

void judge(const Call& call, Reading& reading) {
  const auto speaker = speakers.find(call.function);
  if (speaker == speakers.end()) return;
  const std::size_t before = speaker->second;
  if (call.arguments.size() < before + 2) return;
  const std::optional<std::string> ja = literal_of(call.arguments[before]);
  const std::optional<std::string> en = literal_of(call.arguments[before + 1]);
  if (!ja && !is_unreadable(call.arguments[before])) return;  // another function of that name
  ++reading.sentences;
  std::set<std::size_t> provided;
  for (std::size_t i = 0; i < call.arguments.size() - before - 2; ++i) provided.insert(i);
  if (!ja || !en || values_named(*ja) != provided || values_named(*en) != provided) {
    reading.faults.push_back(en.value_or("?") + " / " + ja.value_or("?"));
  }
}

Reading read_sentences(const std::string& code) {
  Source source(code);
  std::vector<Call> calls;
  while (true) {
    const std::size_t before = calls.size();
    calls.push_back({"", {}});
    if (arguments_of(source, calls).empty() && calls.size() == before + 1) break;
  }
  Reading reading;
  for (const Call& call : calls) judge(call, reading);
  return reading;
}

std::size_t faults_in(const std::string& code) { return read_sentences(code).faults.size(); }

}  // namespace

TEST_CASE("a value is said in the language of its sentence") {
  const Text answer = text("{1} は {0} です。", "{} is {}.", 3, Text{"答え", "three"});
  CHECK(answer.ja() == "答え は 3 です。");
  CHECK(answer.en() == "3 is three.");
}

TEST_CASE("a dropped, a double and a needless value are found") {
  CHECK(faults_in(R"(text("キー {}", "key {}", key);)") == 0);
  CHECK(faults_in(R"(text("キー", "key {}", key);)") == 1);
  CHECK(faults_in(R"(text("キー {}", "key", key);)") == 1);
  CHECK(faults_in(R"(text("キー", "key", key);)") == 1);
  CHECK(faults_in(R"(text("{} と {}", "{0} and {0}", a, b);)") == 1);
  CHECK(faults_in(R"(text("{1} と {0}", "{} and {}", a, b);)") == 0);
  CHECK(faults_in(R"(text("{} {}", "{} {}", a);)") == 1);
}

TEST_CASE("sentences are found wherever they stand") {
  CHECK(faults_in(R"(f({1, g("a", text("{}", "b", x))});)") == 1);
  CHECK(faults_in("text(\"{} は\"\n  \" {} です\",\n  // (a, b)\n  \"{} is \" \"{}\", f(a, b), c[1, 2]);") ==
        0);
  CHECK(faults_in(R"(Paragraph::say("{}", "no value", x);)") == 1);
  CHECK(faults_in(R"(invariant("name", f(a, b), 1e-9, "{}", "none", x);)") == 1);
  CHECK(faults_in(R"(invariant("name", 0.0, 1e-9, "{}", "{:.3f}", x);)") == 0);
  CHECK(faults_in(R"(text("{:.{}f}", "{:.{}f}", x, digits);)") == 0);
  CHECK(faults_in(R"(text("{{x}} {}", "{{x}} {}", x);)") == 0);
  CHECK(faults_in(R"(text("{}", cond ? "a" : "b", x);)") == 1);
  CHECK(faults_in(R"(text(cond ? "a" : "b", "{}", x);)") == 1);
  CHECK(faults_in(R"(text(table, "title");)") == 0);
  CHECK(faults_in(R"(const char c = '"'; text("{}", "", 1'000);)") == 1);
}

TEST_CASE("every sentence of the program names its values in both languages") {
  std::size_t sentences = 0;
  for (const char* folder : {"src", "apps"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp") continue;
      std::ifstream file(entry.path());
      const Reading reading = read_sentences({std::istreambuf_iterator<char>(file), {}});
      sentences += reading.sentences;
      for (const std::string& fault : reading.faults) FAIL_CHECK(entry.path().string() << ": " << fault);
    }
  }
  CHECK(sentences > 500);
}

TEST_CASE("Lists are joined by their separator, and a warning is kept once") {
  CHECK(joined(std::vector<std::string>{}, ", ").empty());
  CHECK(joined(std::vector<std::string>{"query", "key"}, " × ") == "query × key");
  CHECK(joined(std::vector<std::size_t>{8, 64}, "x") == "8x64");
  std::vector<Text> warnings;
  for (const char* word : {"a", "b", "a"}) add_once(warnings, Text::same(word));
  CHECK(warnings.size() == 2);
  CHECK(contains(warnings, Text::same("b")));
  CHECK_FALSE(contains(warnings, Text::same("c")));
}
