#include "experiments/mistakes/mistake_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

/// One scale for both; weights and changes count from 0.
ColourScale common_scale(const Mistake& mistake, const MistakeRun& run) {
  double low = mistake.picture.palette == Palette::blues ? 0.0 : std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  for (const Tensor<double>* values : {&run.right, &run.wrong}) {
    for (const double value : *values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return {mistake.picture.palette, low, high, mistake.picture.quantity};
}

std::vector<ShortText> row_sums(const Tensor<double>& values) {
  std::vector<ShortText> names;
  for (std::size_t i = 0; i < values.shape()[0]; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < values.shape()[1]; ++j) sum += values(i, j);
    names.emplace_back(fmt::format("Σ {:.2f}", sum));
  }
  return names;
}

std::vector<bool> largest_of_rows(const Tensor<double>& values) {
  std::vector<bool> marked;
  const std::size_t columns = values.shape()[1];
  for (std::size_t i = 0; i < values.shape()[0]; ++i) {
    const double* row = values.data() + i * columns;
    const double largest = *std::max_element(row, row + columns);
    for (std::size_t j = 0; j < columns; ++j) marked.push_back(row[j] == largest);
  }
  return marked;
}

HeatMap heat_map(const Mistake& mistake, const std::string& id, const Tensor<double>& values,
                 const ColourScale& scale) {
  const bool named = mistake.picture.row_names == RowNames::sums;
  HeatMap map{id,
              to_matrix(values),
              named ? row_sums(values) : std::vector<ShortText>{},
              {},
              mistake.picture.row_title,
              mistake.picture.column_title,
              scale,
              mistake.picture.decimals,
              true,
              mistake.picture.hidden};
  if (mistake.picture.framed == Framed::largest_of_row) map.marked = largest_of_rows(values);
  return map;
}

/// A whole number with a decimal, so that it reads as the result that it is: "1.0".
std::string measured_text(double error) {
  const std::string text = mistake_error_text(error);
  const bool whole = text.find_first_not_of("0123456789") == std::string::npos;
  return whole ? text + ".0" : text;
}

/// What finds the mistake, in numbers, and what the marks and the seed are.
Text caption(const Mistake& mistake, const MistakeRun& run, const std::string& seed) {
  const std::string right = measured_text(run.right_error);
  const std::string wrong = measured_text(run.wrong_error);
  std::string ja = fmt::format("見つける検査：「{}」。誤差：正しい実装 {}、誤った実装 {}。",
                               mistake.statement.ja(), right, wrong);
  std::string en = fmt::format("The check that finds it: {}. Error: right {}, wrong {}.",
                               mistake.statement.en(), right, wrong);
  if (!mistake.picture.hidden.empty()) {
    ja += "斜線：隠したキー、枠：漏れたキー。";
    en += " Struck out: hidden keys; framed: leaks.";
  }
  if (mistake.picture.framed == Framed::largest_of_row) {
    ja += "枠：各行の最大。";
    en += " Framed: the largest of each row.";
  }
  if (mistake.inputs == Inputs::random) {
    ja += fmt::format("乱数の種 {}。", seed);
    en += fmt::format(" Seed {}.", seed);
  }
  return {ja, en};
}

}  // namespace

Figure mistake_figure(const Mistake& mistake, const MistakeRun& run, const std::string& seed) {
  const ColourScale scale = common_scale(mistake, run);
  const std::size_t rows = run.right.shape()[0];
  const std::size_t columns = run.right.shape()[1];
  const std::string right = mistake_error_text(run.right_error);
  const std::string wrong = mistake_error_text(run.wrong_error);
  return {
      mistake.name,
      mistake.message,
      {fmt::format("左が正しい結果、右が誤った結果のヒートマップ。{}検査「{}」の誤差は、左が {}、右が {}。",
                   mistake.why.ja(), mistake.statement.ja(), right, wrong),
       fmt::format("Two heat maps, the right result and the wrong one. {} Error of the check \"{}\": {} on "
                   "the left, {} on the right.",
                   mistake.why.en(), mistake.statement.en(), right, wrong)},
      caption(mistake, run, seed),
      {{{"正しい", "Right"}, heat_map(mistake, "right", run.right, scale)},
       {{"誤り", "Wrong"}, heat_map(mistake, "wrong", run.wrong, scale)}},
      2,
      scale,
      {10.0, rows * 2 <= columns ? 4.4 : 5.6}};
}

}  // namespace attnlab
