// The table of expected values, put together from the experiments' rows, and the comparison with a report.
#include "experiments/framework/expected_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "experiments/expected/rows.hpp"

namespace attnlab {
namespace {

std::vector<ExpectedValue> table() {
  using namespace expected;
  Rows rows;
  for (const Rows& part : {softmax_rows(), dot_product_rows(), vectors_rows(), scaling_rows(),
                           variance_rows(), additive_rows(), lookup_rows(), pooling_rows(), filters_rows(),
                           cost_rows(), self_attention_rows(), heads_rows(), masks_rows(), permutation_rows(),
                           positional_rows(), encoder_rows(), decoder_rows(), mistakes_rows()}) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

/// |found - expected|; equal NaN have no error, a NaN against a number an infinite one.
double error_of(double found, double expected) {
  if (std::isnan(found) && std::isnan(expected)) return 0.0;
  const double error = std::abs(found - expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

ExpectedComparison judge(double largest_error, double tolerance) {
  return {largest_error <= tolerance, largest_error};
}

ExpectedComparison compare_scalar(const ExpectedValue& expected, const Report& report) {
  const auto found =
      std::find_if(report.scalars.begin(), report.scalars.end(),
                   [&expected](const Scalar& scalar) { return scalar.name == expected.quantity; });
  if (found == report.scalars.end()) throw std::out_of_range("no scalar " + expected.quantity);
  return judge(error_of(found->value, expected.values.at(0)), expected.tolerance);
}

}  // namespace

Text name_of(Document document) {
  switch (document) {
    case Document::textbook:
      return {"教科書", "textbook"};
    case Document::course:
      return {"講座", "course"};
    case Document::notebook:
      return {"ノートブック", "notebook"};
    case Document::article:
      return {"記事", "article"};
    case Document::slides:
      return {"スライド", "slides"};
  }
  return Text::same("");
}

const std::vector<ExpectedValue>& expected_values() {
  static const std::vector<ExpectedValue> rows = table();
  return rows;
}

ExpectedComparison compare(const ExpectedValue& expected, const Report& report) {
  if (expected.shape.empty()) return compare_scalar(expected, report);
  const Array& array = stage(report, expected.quantity).array;
  if (array.shape != expected.shape) return {false, std::numeric_limits<double>::infinity()};
  double largest = 0.0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    largest = std::max(largest, error_of(array.data.at(expected.first + i), expected.values[i]));
  }
  return judge(largest, expected.tolerance);
}

}  // namespace attnlab
