// The one table of expected values: what the documents print or their code gives, and how near is near
// enough.
#pragma once

#include "core/agreement.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// The sources, as the project names them: A to E in the order of the enumerators.
enum class Document { textbook, course, notebook, article, slides };

/// Where the numbers come from: the document's pages show them, or NumPy 1.24 or PyTorch 1.13 computed them
/// from its formulas and code (data/reference). In the order of the words in expected.toml.
enum class NumberSource { printed, computed };

/// "printed" or "computed": the interface of --json.
std::string name_of(NumberSource origin);

/// "教科書" / "textbook", and so on.
Text name_of(Document document);

/// One row of an experiments/NAME/expected.toml: some neighbouring numbers of one array, or one scalar. No
/// number there comes from attnlab: a document prints it, or its code gives it with NumPy 1.24 or
/// PyTorch 1.13 (data/reference).
struct ExpectedValue {
  std::string experiment;
  std::map<std::string, std::string> arguments;  // the flags that differ from the defaults, without dashes
  std::string quantity;                          // an array of the report, or a scalar
  std::vector<std::size_t> shape;                // of the array; empty for a scalar
  std::size_t first = 0;                         // row-major index of the first of `values`
  std::vector<double> values;                    // NaN expects NaN
  double tolerance = 0.0;                        // largest |found - expected|; its rule is named in the table
  Document document = Document::textbook;
  Text place = Text::none();  // in the document, never in a script: "コード 2.2.3" / "code 2.2.3"
  NumberSource origin = NumberSource::computed;
};

const std::vector<ExpectedValue>& expected_values();

/// The report's scalar of that name. Throws std::out_of_range where it has none.
double scalar_of(const Report& report, const std::string& name);

/// Compares a row with the report of a run with the row's arguments; another shape is infinitely far away.
/// Throws std::out_of_range naming the quantity when the report has no array and no scalar of that name.
Deviation compare(const ExpectedValue& expected, const Report& report);

}  // namespace attnlab
