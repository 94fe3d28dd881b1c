// Says what may be typed after a flag, briefly for help lines and in words for errors; reads numbers, lists,
// words and choices strictly, and explains every refusal.
#include "experiments/framework/parameter_value.hpp"

#include "core/error.hpp"

namespace attnlab {
namespace {

// --- Ranges

std::string spelled(NumberRange range) { return fmt::format("{}..{}", range.low, range.high); }

std::string counted(ListLength length, const char* between) {
  if (length.least == length.most) return fmt::format("{}", length.least);
  return fmt::format("{}{}{}", length.least, between, length.most);
}

// --- What each kind accepts, in words

/// What a kind accepts: as a help line shows it, in the words of an error, and the simplest value.
struct Accepted {
  std::string form;
  Text wanted;
  std::string example;
};

std::string number_inside(NumberRange range) {
  return fmt::format("{}", std::clamp(1.0, range.low, range.high));
}

Accepted accepted(const IntegerKind& kind) {
  const auto [low, high] = kind.range;
  return {fmt::format("{}..{}", low, high),
          text(" {} 以上 {} 以下の整数", "a whole number from {} to {}", low, high),
          fmt::format("{}", std::clamp(1LL, low, high))};
}

Accepted accepted(const NumberKind& kind) {
  const auto [low, high] = kind.range;
  return {spelled(kind.range), text(" {} 以上 {} 以下の数", "a number from {} to {}", low, high),
          number_inside(kind.range)};
}

Accepted accepted(const NumbersKind& kind) {
  const auto [low, high] = kind.range;
  const std::vector<std::string> items(std::max<std::size_t>(kind.length.least, 1),
                                       number_inside(kind.range));
  return {
      fmt::format("X,X,... ({}; X {})", counted(kind.length, ".."), spelled(kind.range)),
      {fmt::format(" {} 以上 {} 以下の数を {} 個、コンマ区切りで並べたもの", low, high,
                   counted(kind.length, "～")),
       fmt::format("{} numbers from {} to {} separated by commas", counted(kind.length, " to "), low, high)},
      joined(items, ",")};
}

Accepted accepted(const WordsKind&) {
  return {"WORD,WORD,...",
          {"コンマ区切りの語（空の語は不可）", "words separated by commas, none of them empty"},
          "a,b,c"};
}

Accepted accepted(const ChoiceKind& kind) {
  return {joined(kind.choices, "|"),
          {fmt::format(" {} のいずれか", joined(kind.choices, "、")),
           fmt::format("one of {}", joined(kind.choices, ", "))},
          kind.choices.front()};
}

Accepted accepted(const SyntaxKind& kind) {
  return {kind.form, text(" {} の形の値", "of the form {}", kind.form),
          kind.form.substr(0, kind.form.find('|'))};
}

Accepted accepted(const SwitchKind&) { return {"", {" on か off ", "on or off"}, "on"}; }

Accepted accepted(const FileKind& kind) {
  return {kind.form, {"ファイルの名前", "the name of a file"}, "q.npy"};
}

Accepted accepted(const ItemsKind& kind) { return accepted(SyntaxKind{kind.form}); }

Accepted accepted_by(const Parameter& parameter) {
  return std::visit([](const auto& kind) { return accepted(kind); }, parameter.kind);
}

// --- Reading

// A number that is neither NaN nor infinite; spaces around it do not count.
std::optional<double> parse_finite(std::string_view text) {
  const std::optional<double> value = parse_number<double>(trimmed(text));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// --- Errors

std::string flag(const Parameter& parameter) { return "--" + parameter.name; }

// Full-width letters, digits and signs as a Japanese keyboard gives them, in ASCII.
std::string half_width(const std::string& text) {
  constexpr char32_t first = 0xFF01;  // ！
  constexpr char32_t last = 0xFF5E;   // ～
  constexpr char32_t offset = 0xFEE0;
  std::string result;
  for (const char32_t character : decode_utf8(text).value_or(U"")) {
    if (character >= first && character <= last) {
      result += encode_utf8(character - offset);
    } else if (character == U'−') {
      result += '-';
    } else if (character == U'、') {
      result += ',';
    } else if (character != U'　') {
      result += encode_utf8(character);
    }
  }
  return result;
}

Error refuse(const Parameter& parameter, const Text& problem) {
  const std::string value = example_of(parameter);
  const bool has_blanks = value.find(' ') != std::string::npos;
  const std::string example = flag(parameter) + ' ' + (has_blanks ? quotation(value) : value);
  return {ErrorKind::usage, problem, {"例: " + example, "for example " + example}};
}

struct Request {
  const Parameter& parameter;
  const std::string& text;
};

bool is_accepted(const Request& request) {
  try {
    parse_value(request.parameter, request.text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// "--tokens must be a whole number from 1 to 512, got '0'; for example --tokens 4".
Error unwanted(const Request& request) {
  const std::string name = flag(request.parameter);
  const Text wanted = wanted_of(request.parameter);
  const std::string shown = quotation(request.text);
  const Text problem = attnlab::text("{} には{}を指定します（指定された値は {}）", "{} must be {}, got {}",
                                     name, wanted, shown);
  const std::string narrow = half_width(request.text);
  if (narrow == request.text || !is_accepted({request.parameter, narrow}))
    return refuse(request.parameter, problem);
  const std::string corrected = name + ' ' + narrow;
  return {ErrorKind::usage,
          problem,
          {"半角で入力してください: " + corrected, "type half-width characters: " + corrected}};
}

// --- One function per kind

bool contains(NumberRange range, double value) { return value >= range.low && value <= range.high; }

ParameterValue value_of(const IntegerKind& kind, const Request& request) {
  const std::optional<long long> value = parse_number<long long>(trimmed(request.text));
  if (!value || *value < kind.range.low || *value > kind.range.high) throw unwanted(request);
  return *value;
}

ParameterValue value_of(const NumberKind& kind, const Request& request) {
  const std::optional<double> value = parse_finite(request.text);
  if (!value || !contains(kind.range, *value)) throw unwanted(request);
  return *value;
}

ParameterValue value_of(const NumbersKind& kind, const Request& request) {
  std::vector<double> values;
  for (const std::string& item : split(request.text, ",")) {
    const std::optional<double> value = parse_finite(item);
    if (!value || !contains(kind.range, *value)) throw unwanted(request);
    values.push_back(*value);
  }
  if (values.size() < kind.length.least || values.size() > kind.length.most) {
    const Text wanted = wanted_of(request.parameter);
    throw refuse(request.parameter, attnlab::text("{} には{}を指定します（指定されたのは {} 個）",
                                                  "{} must be {}, got {} of them", flag(request.parameter),
                                                  wanted, values.size()));
  }
  return values;
}

/// What stands between commas; a comma behind a backslash belongs to its word.
std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escaped = text[i] == '\\' && i + 1 < text.size();
    if (text[i] == ',') {
      items.emplace_back();
    } else {
      items.back() += text[is_escaped ? ++i : i];
    }
  }
  return items;
}

ParameterValue value_of(const WordsKind&, const Request& request) {
  std::vector<std::string> words;
  for (const std::string& item : items_of(request.text)) {
    words.emplace_back(trimmed(item));
    if (words.back().empty()) throw unwanted(request);
    if (decode_utf8(words.back()).value_or(U"").size() > longest_label) {
      throw refuse(request.parameter,
                   attnlab::text("{} の {} は {} 字を超えます", "{}: {} has more than {} characters",
                                 flag(request.parameter), quotation(words.back()), longest_label));
    }
  }
  return words;
}

ParameterValue value_of(const ChoiceKind& kind, const Request& request) {
  const auto found = std::find(kind.choices.begin(), kind.choices.end(), request.text);
  if (found == kind.choices.end()) throw unwanted(request);
  return *found;
}

ParameterValue value_of(const SyntaxKind&, const Request& request) {
  if (trimmed(request.text).empty()) throw unwanted(request);
  if (const std::optional<double> number = parse_finite(request.text)) return *number;
  return request.text;
}

ParameterValue value_of(const SwitchKind&, const Request& request) {
  if (request.text != "on" && request.text != "off") throw unwanted(request);
  return request.text == "on";
}

ParameterValue value_of(const FileKind&, const Request& request) {
  if (request.text.empty()) throw unwanted(request);
  return request.text;
}

ParameterValue value_of(const ItemsKind&, const Request& request) {
  std::vector<std::string> items = items_of(request.text);
  for (std::string& item : items) {
    item = trimmed(item);
    if (item.empty()) throw unwanted(request);
  }
  return items;
}

void check_characters(const Request& request) {
  const std::string name = flag(request.parameter);
  const std::string shown = quotation(request.text);
  const std::optional<std::u32string> characters = decode_utf8(request.text);
  if (!characters) {
    throw refuse(request.parameter, {name + " の値 " + shown + " は UTF-8 の文字列ではありません",
                                     name + " must be text in UTF-8, got " + shown});
  }
  if (std::any_of(characters->begin(), characters->end(), is_control)) {
    throw refuse(request.parameter, {name + " の値 " + shown + " に制御文字が含まれています",
                                     name + " must not hold control characters, got " + shown});
  }
}

/// "causal" and "0:1" are typed as they stand; NUMBER, 1..512 and FILE say what to type.
bool stands_for_itself(const std::string& part) {
  return !part.empty() && part.find("..") == std::string::npos &&
         part.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-:.") == std::string::npos;
}

}  // namespace

std::string form_of(const Parameter& parameter) { return accepted_by(parameter).form; }

Text wanted_of(const Parameter& parameter) { return accepted_by(parameter).wanted; }

std::string example_of(const Parameter& parameter) {
  return parameter.default_text.empty() ? accepted_by(parameter).example : parameter.default_text;
}

ParameterValue parse_value(const Parameter& parameter, const std::string& text) {
  const Request request{parameter, text};
  const bool names_files = std::holds_alternative<FileKind>(parameter.kind) ||
                           std::holds_alternative<ItemsKind>(parameter.kind);  // which may hold any byte
  if (!names_files) check_characters(request);
  return std::visit([&](const auto& kind) { return value_of(kind, request); }, parameter.kind);
}

std::vector<std::string> offered_words(const std::string& form) {
  std::vector<std::string> words = split(form, "|,");
  words.erase(std::remove_if(words.begin(), words.end(),
                             [](const std::string& part) { return !stands_for_itself(part); }),
              words.end());
  return words;
}

}  // namespace attnlab
