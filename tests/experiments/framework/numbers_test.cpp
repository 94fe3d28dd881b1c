// Every number with decimals that a report or a figure tells is one of the run's own: of a stage, a scalar,
// an invariant or a parameter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "experiments/cache/cache_shape.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

using Rows = std::vector<Numbers>;

/// The rows of a stage, whatever stands before its last axis.
Rows rows_of(const Report& report, const std::string& name) {
  const Array& array = stage(report, name).array;
  const auto width = static_cast<std::ptrdiff_t>(array.shape.back());
  Rows rows;
  for (auto row = array.data.begin(); row != array.data.end(); row += width)
    rows.emplace_back(row, row + width);
  return rows;
}

double mean(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double length(const Numbers& row) {
  return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

double variance(const Numbers& row) {
  const double centre = mean(row);
  Numbers squares;
  for (const double x : row) squares.push_back((x - centre) * (x - centre));
  return mean(squares);
}

double entropy(const Numbers& row) {
  return -std::accumulate(row.begin(), row.end(), 0.0,
                          [](double sum, double p) { return sum + p * std::log(p); });
}

Numbers softmax(const Numbers& scores) {
  Numbers weights;
  for (const double score : scores) weights.push_back(std::exp(score));
  const double sum = mean(weights) * static_cast<double>(weights.size());
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// One number for each row.
Numbers each(const Rows& rows, double (*measure)(const Numbers&)) {
  Numbers numbers;
  for (const Numbers& row : rows) numbers.push_back(measure(row));
  return numbers;
}

Numbers columns_mean(const Rows& rows) {
  Numbers means(rows.front().size(), 0.0);
  for (const Numbers& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) means[i] += row[i] / static_cast<double>(rows.size());
  return means;
}

double largest_difference(const Numbers& a, const Numbers& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// What is told and stands in no stage, computed here from the stages.
Numbers derived_numbers(const Report& report) {
  const std::string& name = report.experiment;
  if (name == "softmax") return {12.3, std::log(5.0)};  // the constant that is added; all alike
  if (name == "scaling") return {std::log(20.0)};
  if (name == "positional") return {std::sqrt(scalar(report, "squared_norm"))};
  if (name == "dot-product") {
    return {2.0 * scalar(report, "product_ab"),
            std::cos(scalar(report, "angle_ab") * std::acos(-1.0) / 180.0)};
  }
  if (name == "vectors") {
    Numbers scores = values(report, "scores");
    scores.at(4) *= 5.0;
    Numbers numbers{1.0 - scalar(report, "largest_weight"), softmax(scores).at(4)};
    // Figures of weights that no stage holds: title and caption tell the largest of those drawn.
    for (const Node& node : std::get<Diagram>(figure(report, "idea").panels.at(0).content).nodes)
      numbers.push_back(std::strtod(node.note.en().c_str(), nullptr));
    for (const auto& term : std::get<MatrixEquation>(figure(report, "queries").panels.at(0).content).terms) {
      const auto* matrix = std::get_if<MatrixTerm>(&term);
      if (matrix != nullptr)
        numbers.insert(numbers.end(), matrix->map.values.values.begin(), matrix->map.values.values.end());
    }
    return numbers;
  }
  if (name == "cost") {
    Numbers numbers;
    for (const double bytes : values(report, "bytes"))
      numbers.insert(numbers.end(), {bytes / 1e6, bytes / 1e9});
    for (const Numbers& row : rows_of(report, "operations"))
      numbers.push_back(row.back() / row[row.size() - 2]);
    return numbers;
  }
  if (name == "cache") {  // of the presets, which no stage holds; in KiB, MiB and GiB
    Numbers numbers{100.0 * (1.0 - scalar(report, "paged_waste")), 100.0 * scalar(report, "paged_waste"),
                    100.0 * (1.0 - scalar(report, "reserved_waste"))};
    for (const CachePreset& preset : cache_presets())
      for (double bytes : {2.0 * preset.shape.of_token(), 2.0 * preset.shape.after(3000.0)})
        for (std::size_t unit = 0; unit < 3; ++unit) numbers.push_back(bytes /= 1024.0);
    return numbers;
  }
  if (name == "heads") {
    const Numbers entropies = each(rows_of(report, "weights"), entropy);
    const std::size_t heads = stage(report, "weights").array.shape.front();
    const auto queries = static_cast<std::ptrdiff_t>(entropies.size() / heads);
    Numbers numbers;
    for (auto head = entropies.begin(); head != entropies.end(); head += queries)
      numbers.push_back(mean({head, head + queries}));
    return numbers;
  }
  if (name == "permutation") {
    const std::string position = "_with_position";
    const Rows output = rows_of(report, "output" + position);
    const Rows permuted = rows_of(report, "permuted_output" + position);
    const Rows reordered = rows_of(report, "reordered_output" + position);
    double row_by_row = 0.0;
    double in_plane = 0.0;
    for (std::size_t row = 0; row < permuted.size(); ++row) {
      row_by_row = std::max(row_by_row, largest_difference(permuted[row], output[row]));
      in_plane = std::max(
          in_plane, std::hypot(permuted[row][0] - reordered[row][0], permuted[row][1] - reordered[row][1]));
    }
    return {row_by_row, in_plane, largest_difference(columns_mean(permuted), columns_mean(output))};
  }
  Numbers numbers;
  if (name == "encoder" || name == "decoder") {
    for (const Stage& one : report.stages) {
      if (one.array.shape.size() != 2) continue;
      const Rows rows = rows_of(report, one.name);
      const Numbers variances = each(rows, variance);
      numbers.push_back(mean(each(rows, length)));
      numbers.push_back(*std::min_element(variances.begin(), variances.end()));
      numbers.push_back(*std::max_element(variances.begin(), variances.end()));
    }
  }
  return numbers;
}

std::vector<double> own_numbers(const Report& report) {
  std::vector<double> numbers{least_arc};  // captions tell from which weight on there is a line
  for (const Stage& stage : report.stages) {
    numbers.insert(numbers.end(), stage.array.data.begin(), stage.array.data.end());
  }
  for (const Scalar& scalar : report.scalars) numbers.push_back(scalar.value);
  for (const Invariant& invariant : report.invariants) numbers.push_back(invariant.error);
  for (const UsedParameter& parameter : report.parameters) {
    if (const auto* number = std::get_if<double>(&parameter.value)) numbers.push_back(*number);
    if (const auto* list = std::get_if<std::vector<double>>(&parameter.value)) {
      numbers.insert(numbers.end(), list->begin(), list->end());
    }
  }
  return numbers;
}

/// What is written out of numbers: tables, sentences, titles, captions; in English, in order.
std::vector<std::string> recorded(const Report& report) {
  std::vector<std::string> texts;
  for (const Block& block : report.body) {
    if (const auto* paragraph = std::get_if<Paragraph>(&block)) texts.push_back(paragraph->text.en());
    if (const auto* table = std::get_if<Table>(&block)) {
      for (const std::vector<ShortText>& row : table->rows)
        for (const ShortText& cell : row) texts.push_back(cell.in(Language::en));
    }
  }
  for (const Figure& figure : report.figures) {
    if (figure.is_recorded) continue;  // numbers of a model: tests/model/sentences_test.cpp
    for (const Text& text : {figure.title, figure.caption, figure.description}) texts.push_back(text.en());
  }
  return texts;
}

/// Whether one of `numbers`, or 100 times it for a percentage, is `written` once rounded to as many digits.
bool is_among(const std::string& written, const std::vector<double>& numbers) {
  const double value = std::abs(std::strtod(written.c_str(), nullptr));
  if (value < 1e-12) return true;  // rounding, which another kernel of BLAS does otherwise
  const std::size_t mark = written.find('e');
  const std::string digits = written.substr(0, mark);
  const double power = mark == std::string::npos ? 0.0 : std::strtod(written.c_str() + mark + 1, nullptr);
  const double unit = std::pow(10.0, power - static_cast<double>(digits.size() - digits.find('.') - 1));
  return std::any_of(numbers.begin(), numbers.end(), [&](double number) {
    return std::abs(std::abs(number) - value) <= 0.501 * unit ||
           std::abs(100.0 * std::abs(number) - value) <= 0.501 * unit;
  });
}

std::vector<std::string> decimals_in(const std::string& text) {
  static const std::regex source(R"((code|section|fig\.|eq\.) [0-9.]+)");
  static const std::regex number(R"([0-9]+\.[0-9]+(e[+-][0-9]+)?)");
  const std::string own = std::regex_replace(text, source, "");
  return {std::sregex_token_iterator(own.begin(), own.end(), number), std::sregex_token_iterator()};
}

}  // namespace

TEST_CASE("every number that a report tells is a number of its run") {
  std::size_t checked = 0;
  for (const Experiment& experiment : experiments()) {
    const Report report = run_with(experiment, {});
    std::vector<double> own = own_numbers(report);
    const Numbers derived = derived_numbers(report);
    own.insert(own.end(), derived.begin(), derived.end());
    for (const std::string& text : recorded(report)) {
      for (const std::string& number : decimals_in(text)) {
        INFO(experiment.name, ": ", number, " in: ", text);
        CHECK(is_among(number, own));
        ++checked;
      }
    }
  }
  CHECK(checked > 300);
}

TEST_CASE("a number that is not the run's is noticed") {
  CHECK(is_among("0.24", {0.2351, 0.3}));
  CHECK(is_among("23.5", {0.2351, 0.3}));
  CHECK_FALSE(is_among("0.25", {0.2351, 0.3}));
  CHECK(is_among("4.4e-06", {4.44e-6}));
}

}  // namespace attnlab
