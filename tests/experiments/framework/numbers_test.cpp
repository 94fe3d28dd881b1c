// Every number with decimals that a report or a figure tells is one of the run's own: of a stage, a scalar,
// an invariant or a parameter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

/// Told, and made of the run's numbers by a step that no stage holds: each with what it is.
const std::map<std::string, std::set<std::string>>& derived_numbers() {
  static const std::map<std::string, std::set<std::string>> numbers{
      {"softmax", {"12.3", "1.6094"}},     // a constant that is added, ln 5
      {"dot-product", {"4.26", "0.955"}},  // a·b of a vector twice as long, cos θ
      {"vectors",
       {"0.0373", "0.788", "0.215", "0.42"}},      // the other vector made long; the rest of the weights
      {"scaling", {"2.9957"}},                     // ln 20
      {"filters", {"32.7", "84.2"}},               // shares
      {"cost", {"16.8", "2.18", "33.6", "4.00"}},  // bytes in MB and GB, growth by doubling
      {"heads", {"1.7833", "1.7806", "1.7845", "1.7882"}},  // mean entropy of each head
      {"permutation", {"0.0661", "0.00952", "0.0324"}},     // differences with positions
      {"positional", {"5.6569"}},                           // √32
      {"encoder",
       {"0.4041", "1.4183", "4.0099", "0.4186", "1.4134", "0.9002", "0.0333", "0.0728", "3.9974", "0.9390",
        "1.0930", "3.9984"}},  // lengths, means and deviations of the tokens
      {"decoder",
       {"4.7137", "3.1406", "5.7082", "2.2491", "5.9308", "3.3974", "6.4502", "2.4052",
        "6.8447"}},  // mean lengths in the residual stream
  };
  return numbers;
}

std::vector<double> own_numbers(const Report& report) {
  std::vector<double> numbers;
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
std::vector<std::string> told(const Report& report) {
  std::vector<std::string> texts;
  for (const Block& block : report.body) {
    if (const auto* paragraph = std::get_if<Paragraph>(&block)) texts.push_back(paragraph->text.en());
    if (const auto* table = std::get_if<Table>(&block)) {
      for (const std::vector<ShortText>& row : table->rows)
        for (const ShortText& cell : row) texts.push_back(cell.in(Language::en));
    }
  }
  for (const Figure& figure : report.figures) {
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
    const std::vector<double> own = own_numbers(report);
    const auto derived = derived_numbers().find(experiment.name);
    for (const std::string& text : told(report)) {
      for (const std::string& number : decimals_in(text)) {
        if (derived != derived_numbers().end() && derived->second.count(number) > 0) continue;
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
