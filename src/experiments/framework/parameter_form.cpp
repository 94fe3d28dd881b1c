// Says what may be typed after a flag: briefly for help lines, in words for errors.
#include "experiments/framework/parameter_value.hpp"

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

/// How a range is spelled: with both ends included, or each end by itself.
struct Notation {
  const char* both;
  const char* low;
  const char* above;
  const char* joint;
  const char* high;
  const char* below;
};
constexpr Notation symbols{"{}..{}", ">= {}", "> {}", ", ", "<= {}", "< {}"};
constexpr Notation english{" from {} to {}", " of at least {}", " above {}",
                           " and",           " at most {}",     " below {}"};

struct Bounds {
  Bound low;
  Bound high;
};

Bounds bounds_of(NumberRange range) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {bound_of(range.low, -infinity), bound_of(range.high, infinity)};
}

// "0.1..10", "> 0", "<= 1", "> 0, <= 1"; empty without bounds.
std::string spelled(NumberRange range, const Notation& notation) {
  const auto [low, high] = bounds_of(range);
  if (low.kind == Bound::Kind::included && high.kind == Bound::Kind::included)
    return fmt::format(fmt::runtime(notation.both), low.value, high.value);
  const auto end = [](const Bound& bound, const char* included, const char* excluded) -> std::string {
    if (bound.kind == Bound::Kind::none) return "";
    return fmt::format(fmt::runtime(bound.kind == Bound::Kind::included ? included : excluded), bound.value);
  };
  const std::string from = end(low, notation.low, notation.above);
  const std::string to = end(high, notation.high, notation.below);
  return from + (from.empty() || to.empty() ? "" : notation.joint) + to;
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

// --- The kinds

/// What a kind accepts: as a help line shows it, in the words of an error, and the simplest value.
struct Accepted {
  std::string form;
  Text wanted;
  std::string example;
};

std::string number_inside(NumberRange range) {
  return fmt::format("{}", std::clamp(1.0, std::max(range.low, -practically_infinite), range.high));
}

Accepted accepted(const IntegerKind& kind) {
  const auto [low, high] = kind.range;
  return {fmt::format("{}..{}", low, high),
          text(" {} 以上 {} 以下の整数", "a whole number from {} to {}", low, high),
          fmt::format("{}", std::clamp(1LL, low, high))};
}

Accepted accepted(const NumberKind& kind) {
  const std::string range = spelled(kind.range, symbols);
  const bool is_interval = range.find("..") != std::string::npos;
  return {is_interval ? range : "NUMBER" + (range.empty() ? "" : " " + range),
          {japanese_range(kind.range) + "数", "a number" + spelled(kind.range, english)},
          number_inside(kind.range)};
}

Accepted accepted(const NumbersKind& kind) {
  const std::string range = spelled(kind.range, symbols);
  const std::vector<std::string> items(std::max<std::size_t>(kind.length.least, 1),
                                       number_inside(kind.range));
  return {fmt::format("X,X,... ({}{}{})", counted(kind.length, ".."), range.empty() ? "" : "; X ", range),
          {fmt::format("{}数を {} 個、コンマ区切りで並べたもの", japanese_range(kind.range),
                       counted(kind.length, "～")),
           fmt::format("{} numbers{} separated by commas", counted(kind.length, " to "),
                       spelled(kind.range, english))},
          fmt::format("{}", fmt::join(items, ","))};
}

Accepted accepted(const WordsKind&) {
  return {"WORD,WORD,...",
          {"コンマ区切りの語（空の語は不可）", "words separated by commas, none of them empty"},
          "a,b,c"};
}

Accepted accepted(const ChoiceKind& kind) {
  return {fmt::format("{}", fmt::join(kind.choices, "|")),
          {fmt::format(" {} のいずれか", fmt::join(kind.choices, "、")),
           fmt::format("one of {}", fmt::join(kind.choices, ", "))},
          kind.choices.front()};
}

Accepted accepted(const SyntaxKind& kind) {
  return {kind.form, text(" {} の形の値", "of the form {}", kind.form),
          kind.form.substr(0, kind.form.find('|'))};
}

Accepted accepted(const SwitchKind&) {
  return {"", {" on か off ", "on or off"}, "on"};
}

Accepted accepted(const FileKind& kind) {
  return {kind.form, {"ファイルの名前", "the name of a file"}, "q.npy"};
}

Accepted accepted(const ItemsKind& kind) {
  return accepted(SyntaxKind{kind.form});
}

Accepted accepted_by(const Parameter& parameter) {
  return std::visit([](const auto& kind) { return accepted(kind); }, parameter.kind);
}

}  // namespace

std::string form_of(const Parameter& parameter) {
  return accepted_by(parameter).form;
}

Text wanted_of(const Parameter& parameter) {
  return accepted_by(parameter).wanted;
}

std::string example_of(const Parameter& parameter) {
  return parameter.default_text.empty() ? accepted_by(parameter).example : parameter.default_text;
}

}  // namespace attnlab
