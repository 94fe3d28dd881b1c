// The table of expected values, experiment by experiment, and the comparison with a report.
//
// No number here comes from attnlab. Numbers that a document prints are compared as printed; all others were
// computed from the documents' code with NumPy 1.24 (data/reference/) and hold to 1e-13.
#include "experiments/expected_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attnlab {
namespace {

using Rows = std::vector<ExpectedValue>;
using Flags = std::map<std::string, std::string>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// "As printed": equal to a number with that many decimals once rounded to them.
double printed(int decimals) {
  return 0.5 * std::pow(10.0, -decimals) * (1.0 + 1e-9);
}

constexpr double exact = 1e-13;

const Text code_221{"コード 2.2.1", "code 2.2.1"};
const Text code_223{"コード 2.2.3", "code 2.2.3"};
const Text code_224{"コード 2.2.4", "code 2.2.4"};
const Text code_226{"コード 2.2.6", "code 2.2.6"};

Rows softmax_rows() {
  const Text figure{"図 2.2.6", "fig. 2.2.6"};
  const Text exponential{"2.2.2 項、exp(50) が 10^21 を超える", "section 2.2.2, exp(50) exceeds 10^21"};
  const Text overflow{"コード 2.2.1、オーバーフロー", "code 2.2.1, overflow"};
  const Text temperature{"softmax の温度", "temperature of softmax"};
  return {
      {"softmax",
       {},
       "weights",
       {5},
       0,
       {0.24550215166687803, 0.012222832409496556, 0.054778934418214596, 0.6673440377236709,
        0.020152043781739872},
       exact,
       Document::textbook,
       figure},
      {"softmax", {}, "exp_50", {}, 0, {5.18470552858707e21}, 0.5e7, Document::textbook, exponential},
      {"softmax", {}, "exp_limit_float32", {}, 0, {88.7228}, printed(4), Document::textbook, overflow},
      {"softmax", {}, "exp_limit_float64", {}, 0, {709.7827}, printed(4), Document::textbook, overflow},
      {"softmax", {}, "zero_gap_float32", {}, 0, {103.97}, printed(2), Document::textbook, overflow},
      {"softmax", {}, "zero_gap_float64", {}, 0, {745.13}, printed(2), Document::textbook, overflow},
      // magnitudes 88 and 89, 709 and 710: the last that the naive form survives, and the next
      {"softmax",
       {},
       "naive_float32",
       {10, 5},
       15,
       {1.8226183e-13, 0, 0, 1, 0, 0, 0, 0, nan, 0},
       1e-6,
       Document::textbook,
       overflow},
      {"softmax",
       {},
       "naive_float64",
       {10, 5},
       35,
       {0, 0, 0, 1, 0, 0, 0, 0, nan, 0},
       exact,
       Document::textbook,
       overflow},
      {"softmax", {}, "stable_float64", {10, 5}, 45, {0, 0, 0, 1, 0}, exact, Document::textbook, overflow},
      {"softmax",
       {},
       "entropy",
       {5},
       0,
       {0.0905960159550073, 0.4080744290065057, 0.906322537945258, 1.3507805497330094, 1.538228852889098},
       exact,
       Document::textbook,
       temperature},
      {"softmax",
       {},
       "global_max",
       {2, 2},
       0,
       {0.731, 0.269, nan, nan},
       printed(3),
       Document::textbook,
       code_221},
      {"softmax",
       {},
       "row_max",
       {2, 2},
       0,
       {0.731, 0.269, 0.731, 0.269},
       printed(3),
       Document::textbook,
       code_221},
  };
}

Rows vectors_rows() {
  const Text long_vector{"図 2.2.10", "fig. 2.2.10"};
  const Flags three{{"queries", "45,0,90"}};
  return {
      {"vectors",
       {},
       "output",
       {1, 2},
       0,
       {0.31564538, 0.31564537},
       printed(8),
       Document::textbook,
       code_223},
      {"vectors",
       {},
       "output",
       {1, 2},
       0,
       {0.31564537501415324, 0.3156453688639892},
       exact,
       Document::textbook,
       code_223},
      {"vectors",
       {},
       "weights",
       {1, 10},
       0,
       {0.16019032, 0.21207589, 0.192532, 0.12436818, 0.06754685, 0.03894495, 0.02941685, 0.03240294,
        0.05016238, 0.09235966},
       printed(8),
       Document::textbook,
       code_223},
      {"vectors", {}, "weights_sum", {}, 0, {1.0}, 1e-12, Document::textbook, code_223},
      {"vectors",
       three,
       "output",
       {3, 2},
       0,
       {0.31564538, 0.31564537, 0.44638997, 0, 0, 0.44638996},
       printed(8),
       Document::textbook,
       code_224},
      {"vectors",
       three,
       "weights",
       {3, 10},
       10,
       {0.21470303, 0.17737619, 0.1075841, 0.05798816, 0.0351716, 0.0290569, 0.0351716, 0.05798816, 0.1075841,
        0.17737619},
       printed(8),
       Document::textbook,
       code_224},
      {"vectors",
       {},
       "long_weights",
       {1, 10},
       0,
       {0.0976698, 0.129305, 0.11738887, 0.46611766, 0.04118405, 0.02374516, 0.01793577, 0.01975643,
        0.03058455, 0.0563127},
       printed(8),
       Document::textbook,
       long_vector},
      {"vectors",
       {},
       "long_output",
       {1, 2},
       0,
       {-0.5043066, 2.33685631},
       printed(8),
       Document::textbook,
       long_vector},
      {"vectors",
       {{"long", "v5:5"}},
       "long_weights",
       {1, 10},
       4,
       {0.0373},
       printed(4),
       Document::textbook,
       long_vector},
  };
}

Rows scaling_rows() {
  return {
      {"scaling", {}, "largest_weight_low", {}, 0, {0.1894}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "largest_weight_low_scaled", {}, 0, {0.1894}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "weights_high", {20}, 19, {0.8044}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "weights_high_scaled", {20}, 19, {0.1353}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "largest_index_high", {}, 0, {19}, 0.0, Document::textbook, code_226},
      {"scaling", {}, "entropy_high", {}, 0, {0.7302}, printed(4), Document::textbook, code_226},
      {"scaling", {}, "entropy_high_scaled", {}, 0, {2.7336}, printed(4), Document::textbook, code_226},
  };
}

Rows self_attention_rows() {
  return {
      {"self-attention",
       {},
       "weights",
       {4, 4},
       0,
       {0.235, 0.264, 0.246, 0.255, 0.257, 0.235, 0.244, 0.265, 0.268, 0.243, 0.254, 0.235, 0.242, 0.259,
        0.248, 0.251},
       printed(3),
       Document::article,
       {"注意度のヒートマップ", "heat map of the weights"}},
  };
}

Rows heads_rows() {
  return {
      {"heads",
       {},
       "weights",
       {4, 6, 6},
       0,
       {0.1404, 0.1952, 0.1856, 0.1355, 0.1937, 0.1497},
       printed(4),
       Document::article,
       {"ヘッド 0、クエリ 0", "head 0, query 0"}},
      {"heads", {}, "output", {6, 16}, 0, {}, 0.0, Document::article, {"出力の形", "shape of the output"}},
  };
}

Rows positional_rows() {
  const Text equation{"式 9, 10", "eq. 9 and 10"};
  const Text properties{"位置表現の性質", "properties of the position representation"};
  return {
      {"positional",
       {},
       "encoding",
       {50, 64},
       64,
       {0.84147098, 0.54030231, 0.68156135, 0.73176098},
       printed(8),
       Document::article,
       equation},
      {"positional",
       {},
       "squared_norm",
       {50},
       0,
       std::vector<double>(50, 32.0),
       1e-12,
       Document::slides,
       properties},
      {"positional", {}, "similarity", {50, 50}, 1, {30.9168}, printed(4), Document::slides, properties},
      {"positional", {}, "similarity", {50, 50}, 49, {15.2135}, printed(4), Document::slides, properties},
      {"positional", {}, "similarity", {50, 50}, 48, {14.517}, printed(3), Document::slides, properties},
      {"positional", {}, "similarity_rises", {}, 0, {17}, 0.0, Document::slides, properties},
      {"positional", {}, "similarity_minimum_at", {}, 0, {48}, 0.0, Document::slides, properties},
      {"positional", {}, "first_rise", {}, 0, {5}, 0.0, Document::slides, properties},
  };
}

Rows table() {
  Rows rows;
  for (const Rows& part : {softmax_rows(), vectors_rows(), scaling_rows(), self_attention_rows(),
                           heads_rows(), positional_rows()}) {
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

Comparison judge(double largest_error, double tolerance) {
  return {largest_error <= tolerance, largest_error};
}

Comparison compare_scalar(const ExpectedValue& expected, const Report& report) {
  const auto found =
      std::find_if(report.scalars.begin(), report.scalars.end(),
                   [&expected](const Scalar& scalar) { return scalar.name == expected.quantity; });
  if (found == report.scalars.end()) throw std::out_of_range("no scalar " + expected.quantity);
  return judge(error_of(found->value, expected.values.at(0)), expected.tolerance);
}

}  // namespace

const std::vector<ExpectedValue>& expected_values() {
  static const std::vector<ExpectedValue> rows = table();
  return rows;
}

Comparison compare(const ExpectedValue& expected, const Report& report) {
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
