// Reads the tables of expected values, experiments/*/expected.toml, and compares them with reports.
#include "experiments/framework/expected_values.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/agreement.hpp"
#include "core/embedded_file.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {
namespace {

constexpr std::array<std::pair<std::string_view, Document>, 5> documents{{{"textbook", Document::textbook},
                                                                          {"course", Document::course},
                                                                          {"notebook", Document::notebook},
                                                                          {"article", Document::article},
                                                                          {"slides", Document::slides}}};

Document document_named(const std::string& name) {
  for (const auto& [known, document] : documents) {
    if (known == name) return document;
  }
  throw std::logic_error("expected.toml: no document " + name);
}

/// What stands under `key`; a table without it is a mistake of ours.
template <class T>
T required(const toml::table& row, std::string_view key) {
  const std::optional<T> value = row[key].value<T>();
  if (!value) throw std::logic_error("expected.toml: no " + std::string(key));
  return *value;
}

template <class T>
std::vector<T> list(const toml::table& row, std::string_view key) {
  std::vector<T> values;
  if (const toml::array* items = row[key].as_array()) {
    for (const toml::node& item : *items) values.push_back(static_cast<T>(item.value<double>().value()));
  }
  return values;
}

/// "As printed": equal to a number with that many decimals once rounded to them.
double half_a_unit(double decimals) {
  return 0.5 * std::pow(10.0, -decimals) * (1.0 + 1e-9);
}

ExpectedValue expected_value(const std::string& experiment, const toml::table& row) {
  ExpectedValue expected;
  expected.experiment = experiment;
  if (const toml::table* flags = row["arguments"].as_table()) {
    for (const auto& [flag, value] : *flags) {
      expected.arguments[std::string(flag.str())] = value.value<std::string>().value();
    }
  }
  const bool is_array = row.contains("array");
  expected.quantity = required<std::string>(row, is_array ? "array" : "scalar");
  expected.shape = list<std::size_t>(row, "shape");
  expected.first = static_cast<std::size_t>(row["first"].value_or<std::int64_t>(0));
  expected.values = list<double>(row, "values");
  expected.tolerance = row.contains("decimals") ? half_a_unit(required<double>(row, "decimals"))
                                                : required<double>(row, "tolerance");
  expected.document = document_named(required<std::string>(row, "document"));
  const toml::table& place = *row["place"].as_table();
  expected.place = {required<std::string>(place, "ja"), required<std::string>(place, "en")};
  return expected;
}

/// The rows of one experiment; none where its folder has no expected.toml.
void add_rows(const std::string& experiment, std::vector<ExpectedValue>& values) {
  std::string path = experiment + "/expected.toml";
  std::replace(path.begin(), path.end(), '-', '_');
  for (const EmbeddedFile& file : expected_files()) {
    if (file.path != path) continue;
    const toml::table root = toml::parse(file.text, file.path);
    for (const toml::node& row : *root["expected"].as_array()) {
      values.push_back(expected_value(experiment, *row.as_table()));
    }
  }
}

std::vector<ExpectedValue> in_book_order() {
  std::vector<ExpectedValue> values;
  for (const Experiment& experiment : experiments()) add_rows(experiment.name, values);
  return values;
}

ExpectedComparison judge(double largest_error, double tolerance) {
  return {largest_error <= tolerance, largest_error};
}

ExpectedComparison compare_scalar(const ExpectedValue& expected, const Report& report) {
  const auto found =
      std::find_if(report.scalars.begin(), report.scalars.end(),
                   [&expected](const Scalar& scalar) { return scalar.name == expected.quantity; });
  if (found == report.scalars.end()) throw std::out_of_range("no scalar " + expected.quantity);
  return judge(difference(found->value, expected.values.at(0)), expected.tolerance);
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
  static const std::vector<ExpectedValue> rows = in_book_order();
  return rows;
}

ExpectedComparison compare(const ExpectedValue& expected, const Report& report) {
  if (expected.shape.empty()) return compare_scalar(expected, report);
  const Array& array = stage(report, expected.quantity).array;
  if (array.shape != expected.shape) return {false, std::numeric_limits<double>::infinity()};
  double largest = 0.0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    largest = std::max(largest, difference(array.data.at(expected.first + i), expected.values[i]));
  }
  return judge(largest, expected.tolerance);
}

}  // namespace attnlab
