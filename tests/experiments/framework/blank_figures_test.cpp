// Exercise sheets of all experiments: no text gives away what is to be computed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "plotting/figure/numbers.hpp"
#include "reports.hpp"

namespace attnlab {
namespace {

/// Every text of a figure, in one language.
class FigureWords {
 public:
  explicit FigureWords(Language language) : language_(language) {}

  std::vector<std::string> of(const Figure& figure) {
    add(figure.title);
    add(figure.description);
    add(figure.caption);
    for (const Panel& panel : figure.panels) {
      add(panel.title);
      std::visit([this](const auto& content) { add(content); }, panel.content);
    }
    return std::move(words_);
  }

 private:
  void add(const Text& text) { words_.push_back(text.in(language_)); }
  void add(const std::vector<ShortText>& texts) {
    for (const ShortText& text : texts) words_.push_back(text.in(language_));
  }
  void add(const HeatMap& map) {
    add(map.row_labels);
    add(map.column_labels);
    add(map.row_title);
    add(map.column_title);
  }
  void add(const Points& points) { add(points.name); }
  void add(const Curve& curve) { add(curve.name); }
  void add(const Bars&) {}
  void add(const Arrows& arrows) {
    for (const Arrow& arrow : arrows.arrows) add(arrow.label);
  }
  void add(const Rule& rule) { add(rule.label); }
  void add(const Circle&) {}
  void add(const Callout& callout) { add(callout.text); }
  void add(const Chart& chart) {
    for (const Axis* axis : {&chart.x, &chart.y}) {
      add(axis->label);
      add(axis->categories);
    }
    for (const Layer& layer : chart.layers) std::visit([this](const auto& content) { add(content); }, layer);
  }
  void add(const MatrixEquation& equation) {
    for (const auto& term : equation.terms) {
      const auto* matrix = std::get_if<MatrixTerm>(&term);
      if (matrix == nullptr) continue;
      words_.push_back(matrix->shape);
      words_.push_back(to_terminal(matrix->name));
      add(matrix->map.row_labels);
      add(matrix->map.column_labels);
    }
  }
  void add(const Arcs& arcs) {
    add(arcs.queries);
    add(arcs.keys);
    for (const ArcsOfHead& head : arcs.heads) add(head.name);
  }
  void add(const Diagram& diagram) {
    for (const Node& node : diagram.nodes) add(node.text);
    for (const Edge& edge : diagram.edges) add(edge.label);
  }

  Language language_;
  std::vector<std::string> words_;
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The numbers in a text as they are written: "0.25", "16448"; numbers of sections (2.2.6) are left out.
std::vector<std::string> numbers_in(const std::string& text) {
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() &&
           (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    const std::string number = text.substr(at, end - at);
    if (std::count(number.begin(), number.end(), '.') <= 1) numbers.push_back(number);
    at = end;
  }
  return numbers;
}

/// Typed as a parameter, or one of the inputs.
bool was_set(const std::string& number, const Report& report) {
  const double value = std::strtod(number.c_str(), nullptr);
  for (const Stage& one : report.stages) {
    const std::vector<double>& data = one.array.data;
    const bool input = one.derivation.operation == Derivation::Operation::input;
    if (input && std::find(data.begin(), data.end(), value) != data.end()) return true;
  }
  return std::any_of(report.parameters.begin(), report.parameters.end(), [&](const UsedParameter& parameter) {
    const std::vector<std::string> provided = numbers_in(parameter.text);
    return std::find(provided.begin(), provided.end(), number) != provided.end();
  });
}

std::vector<double> computed_numbers(const Report& report) {
  std::vector<double> numbers;
  for (const Scalar& scalar : report.scalars) numbers.push_back(std::abs(scalar.value));
  for (const Stage& one : report.stages) {
    if (one.derivation.operation == Derivation::Operation::input) continue;
    for (const double value : one.array.data) numbers.push_back(std::abs(value));
  }
  return numbers;
}

/// Whether the number is one of the results, rounded to its digits. Small whole numbers count things.
bool gives_away(const std::string& number, const std::vector<double>& results) {
  const std::size_t point = number.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : number.size() - point - 1;
  if (decimals == 0 && number.size() < 4) return false;
  const double value = std::strtod(number.c_str(), nullptr);
  const double half = 0.5 * std::pow(10.0, -static_cast<double>(decimals));
  return std::any_of(results.begin(), results.end(),
                     [&](double result) { return std::abs(result - value) <= (decimals == 0 ? 0.0 : half); });
}

}  // namespace

TEST_CASE("no text of an exercise sheet holds a number that was computed") {
  std::size_t sheets = 0;
  for (const Experiment& experiment : experiments()) {
    const Report report = run_with(experiment, {});
    const std::vector<double> results = computed_numbers(report);
    std::vector<std::string> provided;
    for (const UsedParameter& parameter : report.parameters) provided.push_back(parameter.text);
    for (const Figure& figure : report.figures) {
      const Figure sheet = blank(figure, experiment.shows, provided);
      ++sheets;
      for (const Language language : {Language::ja, Language::en}) {
        for (const std::string& text : FigureWords(language).of(sheet)) {
          for (const std::string& number : numbers_in(text)) {
            INFO(experiment.name, " ", figure.name, ": ", text);
            CHECK((was_set(number, report) || !gives_away(number, results)));
          }
        }
      }
    }
  }
  CHECK(sheets >= experiments().size());
}

TEST_CASE("without being blanked the figures hold many such numbers") {
  std::size_t found = 0;
  for (const Experiment& experiment : experiments()) {
    const Report report = run_with(experiment, {});
    const std::vector<double> results = computed_numbers(report);
    for (const Figure& figure : report.figures) {
      for (const std::string& text : FigureWords(Language::en).of(figure)) {
        for (const std::string& number : numbers_in(text)) found += gives_away(number, results) ? 1U : 0U;
      }
    }
  }
  CHECK(found > 50);
}

}  // namespace attnlab
