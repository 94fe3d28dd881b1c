// Says what may be typed after a flag: briefly for help lines, in words for errors.
#include "experiments/framework/parameter_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab {
namespace {

// --- Ranges

// Beyond these a bound is no bound to a person, or stands for an excluded zero.
constexpr double practically_infinite = 1e300;
constexpr double practically_zero = 1e-100;

struct Bound {
  enum class Kind { none, included, excluded };
  Kind kind;
  double value;
};

// A bound next to a round number means that the number itself is excluded: its repr is much the longer.
Bound bound_of(double value, double outwards) {
  if (std::abs(value) > practically_infinite) return {Bound::Kind::none, 0.0};
  if (value != 0.0 && std::abs(value) < practically_zero) return {Bound::Kind::excluded, 0.0};
  const double neighbour = std::nextafter(value, outwards);
  constexpr std::size_t much = 8;
  if (fmt::format("{}", neighbour).size() + much < fmt::format("{}", value).size())
    return {Bound::Kind::excluded, neighbour};
  return {Bound::Kind::included, value};
}

struct Bounds {
  Bound low;
  Bound high;
};

Bounds bounds_of(NumberRange range) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {bound_of(range.low, -infinity), bound_of(range.high, infinity)};
}

// "0.1..10", "> 0", "<= 1", "> 0, <= 1"; empty without bounds.
std::string short_range(NumberRange range) {
  const auto [low, high] = bounds_of(range);
  if (low.kind == Bound::Kind::included && high.kind == Bound::Kind::included)
    return fmt::format("{}..{}", low.value, high.value);
  std::string text;
  if (low.kind != Bound::Kind::none)
    text = fmt::format("{} {}", low.kind == Bound::Kind::excluded ? ">" : ">=", low.value);
  if (high.kind == Bound::Kind::none) return text;
  return text + fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            high.kind == Bound::Kind::excluded ? "<" : "<=", high.value);
}

std::string english_range(NumberRange range) {
  const auto [low, high] = bounds_of(range);
  if (low.kind == Bound::Kind::included && high.kind == Bound::Kind::included)
    return fmt::format(" from {} to {}", low.value, high.value);
  std::string text;
  if (low.kind != Bound::Kind::none)
    text = fmt::format(" {} {}", low.kind == Bound::Kind::excluded ? "above" : "of at least", low.value);
  if (high.kind == Bound::Kind::none) return text;
  return text + fmt::format("{} {} {}", text.empty() ? "" : " and",
                            high.kind == Bound::Kind::excluded ? "below" : "at most", high.value);
}

std::string japanese_range(NumberRange range) {
  const auto [low, high] = bounds_of(range);
  std::string text;
  if (low.kind != Bound::Kind::none) text = fmt::format(" {}", low.value);
  if (low.kind == Bound::Kind::included) text += " 以上";
  if (low.kind == Bound::Kind::excluded)
    text += high.kind == Bound::Kind::none ? " より大きい" : " より大きく";
  if (high.kind == Bound::Kind::included) text += fmt::format(" {} 以下の", high.value);
  if (high.kind == Bound::Kind::excluded) text += fmt::format(" {} 未満の", high.value);
  if (high.kind == Bound::Kind::none && low.kind == Bound::Kind::included) text += "の";
  return text;
}

std::string counted(ListLength length, const char* between) {
  if (length.least == length.most) return fmt::format("{}", length.least);
  return fmt::format("{}{}{}", length.least, between, length.most);
}

// --- One function per kind and purpose

std::string form(const IntegerKind& kind) {
  return fmt::format("{}..{}", kind.range.low, kind.range.high);
}

std::string form(const NumberKind& kind) {
  const std::string range = short_range(kind.range);
  if (range.empty()) return "NUMBER";
  return range.find("..") == std::string::npos ? "NUMBER " + range : range;
}

std::string form(const NumbersKind& kind) {
  const std::string range = short_range(kind.range);
  return fmt::format("X,X,... ({}{}{})", counted(kind.length, ".."), range.empty() ? "" : "; X ", range);
}

std::string form(const WordsKind&) {
  return "WORD,WORD,...";
}
std::string form(const ChoiceKind& kind) {
  return fmt::format("{}", fmt::join(kind.choices, "|"));
}
std::string form(const SyntaxKind& kind) {
  return kind.form;
}

std::string form(const SwitchKind&) {
  return "";
}
std::string form(const FileKind& kind) {
  return kind.form;
}
std::string form(const ItemsKind& kind) {
  return kind.form;
}

Text wanted(const IntegerKind& kind) {
  return attnlab::text(" {} 以上 {} 以下の整数", "a whole number from {} to {}", kind.range.low,
                       kind.range.high);
}

Text wanted(const NumberKind& kind) {
  return {japanese_range(kind.range) + "数", "a number" + english_range(kind.range)};
}

Text wanted(const NumbersKind& kind) {
  return {fmt::format("{}数を {} 個、コンマ区切りで並べたもの", japanese_range(kind.range),
                      counted(kind.length, "～")),
          fmt::format("{} numbers{} separated by commas", counted(kind.length, " to "),
                      english_range(kind.range))};
}

Text wanted(const WordsKind&) {
  return {"コンマ区切りの語（空の語は不可）", "words separated by commas, none of them empty"};
}

Text wanted(const ChoiceKind& kind) {
  return {fmt::format(" {} のいずれか", fmt::join(kind.choices, "、")),
          fmt::format("one of {}", fmt::join(kind.choices, ", "))};
}

Text wanted(const SyntaxKind& kind) {
  return {" " + kind.form + " の形の値", "of the form " + kind.form};
}

Text wanted(const SwitchKind&) {
  return {" on か off ", "on or off"};
}

Text wanted(const FileKind&) {
  return {"ファイルの名前", "the name of a file"};
}

Text wanted(const ItemsKind& kind) {
  return {" " + kind.form + " の形の値", "of the form " + kind.form};
}

std::string number_inside(NumberRange range) {
  return fmt::format("{}", std::clamp(1.0, std::max(range.low, -practically_infinite), range.high));
}

std::string example(const IntegerKind& kind) {
  return fmt::format("{}", std::clamp(1LL, kind.range.low, kind.range.high));
}
std::string example(const NumberKind& kind) {
  return number_inside(kind.range);
}
std::string example(const NumbersKind& kind) {
  const std::vector<std::string> items(std::max<std::size_t>(kind.length.least, 1),
                                       number_inside(kind.range));
  return fmt::format("{}", fmt::join(items, ","));
}
std::string example(const WordsKind&) {
  return "a,b,c";
}
std::string example(const ChoiceKind& kind) {
  return kind.choices.front();
}
std::string example(const SyntaxKind& kind) {
  return kind.form.substr(0, kind.form.find('|'));
}
std::string example(const SwitchKind&) {
  return "on";
}
std::string example(const FileKind&) {
  return "q.npy";
}
std::string example(const ItemsKind& kind) {
  return kind.form.substr(0, kind.form.find('|'));
}

}  // namespace

std::string form_of(const Parameter& parameter) {
  return std::visit([](const auto& kind) { return form(kind); }, parameter.kind);
}

Text wanted_of(const Parameter& parameter) {
  return std::visit([](const auto& kind) { return wanted(kind); }, parameter.kind);
}

std::string example_of(const Parameter& parameter) {
  if (!parameter.default_text.empty()) return parameter.default_text;
  return std::visit([](const auto& kind) { return example(kind); }, parameter.kind);
}

}  // namespace attnlab
