// Words a verdict: what was compared, how far apart, where, and why.
#include "results/check/check.hpp"

#include "core/agreement.hpp"
#include "core/counted.hpp"
#include "core/terminal_width.hpp"
#include "core/utf8.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

/// "w.npz:weights" or "w.npy".
std::string source_of(const Check& check) {
  return printable(check.array.empty() ? check.file : check.file + ":" + check.array);
}

/// Fewer axes, of which those of length 1 do not count.
bool is_flattened(const Check& check) {
  const auto axes = [](const std::vector<std::size_t>& shape) {
    return std::count_if(shape.begin(), shape.end(), [](std::size_t length) { return length != 1; });
  };
  return check.shape_fits && axes(check.submitted_shape) < axes(check.stage.array.shape);
}

/// What the array was compared with, and how that was chosen.
Text subject_of(const Check& check) {
  const std::string stage = check.stage.name + " " + shape_text(check.stage.array.shape);
  if (check.matching == Check::Matching::by_name) {
    if (!is_flattened(check)) return Text::same(stage);
    return attnlab::text("{}（{} に平らにした配列）", "{}, flattened to {}", stage,
                         shape_text(check.submitted_shape));
  }
  return attnlab::text("{}（形状と値から選択）", "{}, chosen by shape and values", stage);
}

/// libstdc++ would print -nan.
std::string with_digits(double value, int digits) {
  return std::isnan(value) ? "nan" : fmt::format("{:.{}g}", value, digits);
}

/// Two values with as many digits as tell them apart.
std::pair<std::string, std::string> distance(double submitted, double expected) {
  for (int digits = 4; digits < std::numeric_limits<double>::max_digits10; ++digits) {
    const std::string a = with_digits(submitted, digits);
    const std::string b = with_digits(expected, digits);
    if (a != b) return {a, b};
  }
  return {python_repr(submitted), python_repr(expected)};
}

/// "queries 2, keys 0": the place of a value in words; "2, 0" where axes have no names.
std::string place_text(const Array& array, std::size_t flat) {
  if (array.shape.empty()) return "()";
  const std::vector<std::size_t> index = index_at(flat, array.shape);
  std::vector<std::string> places;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    const std::string name = axis < array.axes.size() ? array.axes[axis] + " " : "";
    places.push_back(name + std::to_string(index[axis]));
  }
  return fmt::format("[{}]", joined(places, ", "));
}

Text precision_note(const Check& check) {
  const Comparison& comparison = check.comparison;
  if (comparison.closeness == Closeness::decimals) {
    return attnlab::text("小数 {} 桁に丸めた値として一致", "agrees, rounded to {}",
                         counted(static_cast<std::size_t>(comparison.decimals), "decimal"));
  }
  if (comparison.closeness == Closeness::digits)
    return attnlab::text("有効数字 {0} 桁に丸めた値として一致", "agrees, rounded to {0} significant digits",
                         comparison.decimals);
  if (is_rounded(comparison.closeness))
    return attnlab::text("{0} に丸めた値として一致", "agrees, rounded to {0}",
                         comparison.closeness == Closeness::rounded_float16 ? "float16" : "bfloat16");
  if (comparison.closeness == Closeness::float64) return {"一致", "agrees"};
  return attnlab::text("{} の精度で一致", "agrees at the precision of {}",
                       comparison.closeness == Closeness::float32 ? "float32" : "float16");
}

Text agreement(const Check& check) {
  return attnlab::text("{}。最大の差 {:.2g}、許容 {:.2g}", "{}; largest error {:.2g}, allowed {:.2g}",
                       precision_note(check), check.comparison.largest_error, check.comparison.allowed);
}

/// "1 value differs", "3 values differ".
std::string differing(std::size_t count) {
  return counted(count, "value").en() + (count == 1 ? " differs" : " differ");
}

/// Where one of the two is no number there is no error to measure.
Text no_numbers(const Check& check, const std::string& submitted, const std::string& expected) {
  const std::vector<double>& ours = check.stage.array.data;
  const bool needs_number = std::isfinite(ours[check.comparison.worst]);
  std::size_t count = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool such = std::isfinite(ours[i]) == needs_number;
    if (such && std::isinf(difference(check.submitted.data[i], ours[i]))) ++count;
  }
  const Text what = needs_number ? Text{"数値であるべきところで NaN か無限大です",
                                        "NaN or infinite where a number is needed"}
                                 : Text{"NaN か無限大であるべきところで違う値です",
                                        "something else where NaN or infinity is needed"};
  const std::string place = place_text(check.stage.array, check.comparison.worst);
  return {fmt::format("{} 個のうち {} 個が、{}。最初は {} で {}、正しくは {}。全部で {} 個が違います",
                      ours.size(), count, what.ja(), place, submitted, expected, check.comparison.wrong),
          fmt::format("{} of {} {} {}, first at {}: {} instead of {}; {} in all", count,
                      counted(ours.size(), "value").en(), count == 1 ? "is" : "are", what.en(), place,
                      submitted, expected, differing(check.comparison.wrong))};
}

Text wrong_values(const Check& check) {
  const Comparison& comparison = check.comparison;
  const auto [submitted, expected] =
      distance(check.submitted.data[comparison.worst], check.stage.array.data[comparison.worst]);
  if (std::isinf(comparison.largest_error)) return no_numbers(check, submitted, expected);
  const std::string place = place_text(check.stage.array, comparison.worst);
  const std::size_t total = check.submitted.data.size();
  return {
      fmt::format("最大の差 {:.2g}（許容 {:.2g}）：{} で {}、正しくは {}。{} 個のうち {} 個が違います",
                  comparison.largest_error, comparison.allowed, place, submitted, expected, total,
                  comparison.wrong),
      fmt::format("largest error {:.2g} (allowed {:.2g}) at {}: {} instead of {}; {} of {} {}",
                  comparison.largest_error, comparison.allowed, place, submitted, expected, comparison.wrong,
                  counted(total, "value").en(), comparison.wrong == 1 ? "differs" : "differ")};
}

Text wrong_shape(const Check& check) {
  return attnlab::text("形状が {} です。{} が必要です", "its shape is {}; {} is needed",
                       shape_text(check.submitted_shape), shape_text(check.stage.array.shape));
}

Text too_few_decimals(const Check& check) {
  return attnlab::text(
      "書かれた桁までは一致しますが、桁が少なく、正しいか決められません（小数 {} 桁以上で保存します）",
      "it agrees as far as its digits go, but those are too few to tell right from wrong: save {} or more decimals",
      check.comparison.decimals_needed);
}

Text cause_of(const Check& check) {
  if (check.comparison.decimals_needed > 0)
    return attnlab::text("原因：{}。", "Cause: {}.", too_few_decimals(check));
  if (check.diagnosis) {
    return attnlab::text("原因（{} の段階）：{}。", "Cause, at stage {}: {}.", check.diagnosis->stage,
                         check.diagnosis->what);
  }
  return {"よくある間違いのどれとも一致しません。手前の段階から順に比べてください。",
          "None of the usual mistakes gives this result; compare the stages before it, one by one."};
}

std::string verdict_on(const Check& check, Language language, Colouring colouring) {
  const bool passes = agrees(check);
  const Text mark = passes ? Text{"合格", "PASS"} : Text{"不合格", "FAIL"};
  const std::string lines = styled(mark.in(language), passes ? ansi::bold_green : ansi::bold_red, colouring) +
                            " " + source_of(check) + ": " + subject_of(check).in(language) + "\n";
  if (passes) return lines + indented(agreement(check).in(language), 2, 2);
  const Text evidence = check.shape_fits ? wrong_values(check) : wrong_shape(check);
  return lines + indented(evidence.in(language), 2, 2) + indented(cause_of(check).in(language), 2, 2);
}

}  // namespace

Text reason_of(const Check& check) {
  if (check.comparison.decimals_needed > 0) return too_few_decimals(check);
  if (check.diagnosis) return check.diagnosis->what;
  return check.shape_fits ? wrong_values(check) : wrong_shape(check);
}

std::string check_text(const std::vector<Check>& checks, Language language, Colouring colouring) {
  std::string text;
  for (const Check& check : checks) text += verdict_on(check, language, colouring);
  if (checks.size() < 2) return text;
  const auto passed = std::count_if(checks.begin(), checks.end(), agrees);
  const Text count{fmt::format("{} 個のうち {} 個が一致\n", checks.size(), passed),
                   fmt::format("{} of {} arrays agree\n", passed, checks.size())};
  return text + "\n" + count.in(language);
}

}  // namespace attnlab
