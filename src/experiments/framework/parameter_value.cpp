// Reads numbers, lists, words and choices strictly, and explains every refusal.
#include "experiments/framework/parameter_value.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// A number that is neither NaN nor infinite; spaces around it do not count.
std::optional<double> parse_finite(std::string_view text) {
  const std::optional<double> value = parse_number<double>(trimmed(text));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// --- Errors

std::string flag(const Parameter& parameter) {
  return "--" + parameter.name;
}

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
  const std::string example = flag(parameter) + ' ' + example_of(parameter);
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

bool contains(NumberRange range, double value) {
  return value >= range.low && value <= range.high;
}

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
  for (const std::string& item : split(request.text, ',')) {
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

ParameterValue value_of(const WordsKind&, const Request& request) {
  std::vector<std::string> words;
  for (const std::string& item : split(request.text, ',')) {
    words.emplace_back(trimmed(item));
    if (words.back().empty()) throw unwanted(request);
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
  return value_of(WordsKind{}, request);
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

}  // namespace

std::vector<std::string> split(const std::string& words, char mark) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= words.size()) {
    const std::size_t end = std::min(words.find(mark, begin), words.size());
    parts.push_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

ParameterValue parse_value(const Parameter& parameter, const std::string& text) {
  const Request request{parameter, text};
  check_characters(request);
  return std::visit([&](const auto& kind) { return value_of(kind, request); }, parameter.kind);
}

}  // namespace attnlab
