// Reads the tables of expected values, experiments/*/expected.toml, and compares them with reports.
#include "experiments/framework/expected_values.hpp"

#include <toml++/toml.h>

#include "core/embedded_file.hpp"
#include "core/named.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

struct NamedDocument {
  std::string_view id;  // in expected.toml
  const char* ja;
};
/// In the order of the enumerators; in English the id is the name.
constexpr std::array<NamedDocument, 5> documents{{{"textbook", "教科書"},
                                                  {"course", "講座"},
                                                  {"notebook", "ノートブック"},
                                                  {"article", "記事"},
                                                  {"slides", "スライド"}}};

Document document_named(const std::string& id) {
  const auto* const found = std::find_if(documents.begin(), documents.end(),
                                         [&id](const NamedDocument& one) { return one.id == id; });
  if (found == documents.end()) throw std::logic_error("expected.toml: no document " + id);
  return static_cast<Document>(found - documents.begin());
}

NumberSource origin_named(const std::string& id) {
  if (id != "printed" && id != "computed") throw std::logic_error("expected.toml: no origin " + id);
  return id == "printed" ? NumberSource::printed : NumberSource::computed;
}

using Node = toml::node_view<const toml::node>;

/// What stands there; its absence is a mistake of ours.
template <class T>
T required(const Node& node, const char* what) {
  const std::optional<T> value = node.value<T>();
  if (!value) throw std::logic_error(std::string("expected.toml: no ") + what);
  return *value;
}

template <class T>
std::vector<T> list(const Node& node) {
  std::vector<T> values;
  if (!node) return values;
  for (const toml::node& item : *node.as_array()) {
    values.push_back(static_cast<T>(item.value<double>().value()));
  }
  return values;
}

/// "As printed": equal to a number with that many decimals once rounded to them.
double half_a_unit(double decimals) { return 0.5 * std::pow(10.0, -decimals) * (1.0 + 1e-9); }

/// One row of a file. What the file itself says (document, place, origin, tolerance) holds of the rows that
/// are silent about it.
ExpectedValue expected_value(const std::string& experiment, const toml::table& row, const toml::table& file) {
  const auto reported = [&](const char* key) { return row.contains(key) ? row[key] : file[key]; };
  ExpectedValue expected;
  expected.experiment = experiment;
  if (const toml::table* flags = row["arguments"].as_table()) {
    for (const auto& [flag, value] : *flags) {
      expected.arguments[std::string(flag.str())] = value.value<std::string>().value();
    }
  }
  expected.quantity =
      required<std::string>(row.contains("array") ? row["array"] : row["scalar"], "array or scalar");
  expected.shape = list<std::size_t>(row["shape"]);
  expected.first = static_cast<std::size_t>(row["first"].value_or<std::int64_t>(0));
  expected.values = list<double>(row["values"]);
  expected.tolerance = row.contains("decimals") ? half_a_unit(required<double>(row["decimals"], "decimals"))
                                                : required<double>(reported("tolerance"), "tolerance");
  expected.document = document_named(required<std::string>(reported("document"), "document"));
  const Node place = reported("place");
  expected.place = {required<std::string>(place["ja"], "place"), required<std::string>(place["en"], "place")};
  expected.origin = origin_named(required<std::string>(reported("origin"), "origin"));
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
      values.push_back(expected_value(experiment, *row.as_table(), root));
    }
  }
}

std::vector<ExpectedValue> in_book_order() {
  std::vector<ExpectedValue> values;
  for (const Experiment& experiment : experiments()) add_rows(experiment.name, values);
  return values;
}

double largest_error(const ExpectedValue& expected, const Report& report) {
  if (expected.shape.empty()) {
    return difference(scalar_of(report, expected.quantity), expected.values.at(0));
  }
  const Array& array = stage(report, expected.quantity).array;
  if (array.shape != expected.shape) return infinity;
  return worst_of(expected.values.size(), [&](std::size_t i) {
    return difference(array.data.at(expected.first + i), expected.values[i]);
  });
}

}  // namespace

std::string name_of(NumberSource origin) { return origin == NumberSource::printed ? "printed" : "computed"; }

Text name_of(Document document) {
  const NamedDocument& named = documents.at(static_cast<std::size_t>(document));
  return {named.ja, std::string(named.id)};
}

const std::vector<ExpectedValue>& expected_values() {
  static const std::vector<ExpectedValue> rows = in_book_order();
  return rows;
}

double scalar_of(const Report& report, const std::string& name) {
  const Scalar* found = find_named(report.scalars, name);
  if (found == nullptr) throw std::out_of_range("no scalar " + name);
  return found->value;
}

Deviation compare(const ExpectedValue& expected, const Report& report) {
  const double error = largest_error(expected, report);
  const double relative = error == 0.0 ? 0.0 : error / largest_magnitude(expected.values);
  return {error, relative, expected.tolerance, error <= expected.tolerance};
}

}  // namespace attnlab
