// CSV in long form: every value finds its place again, and no digit is lost.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "io/report_files.hpp"
#include "io/sample_report.hpp"

using attnlab::arrays_csv;
using attnlab::Report;
using attnlab::Stage;

namespace {

struct Row {
  std::string array;
  std::string indices;
  std::string value;
};

std::vector<Row> rows_of(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  CHECK(line == "array,indices,value");
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.array, ',');
    std::getline(cells, row.indices, ',');
    std::getline(cells, row.value);
    rows.push_back(row);
  }
  return rows;
}

// The row-major place that "2 5" names.
std::size_t flat_of(const std::string& indices, const std::vector<std::size_t>& shape) {
  std::istringstream words(indices);
  std::size_t flat = 0;
  std::size_t axis = 0;
  for (std::size_t index = 0; words >> index; ++axis) flat = flat * shape.at(axis) + index;
  CHECK(axis == shape.size());
  return flat;
}

}  // namespace

TEST_CASE("every value of every array has one line with its indices and all its digits") {
  const Report report = attnlab::test::sample_report();
  std::size_t values = 0;
  for (const Stage& stage : report.stages) values += stage.array.data.size();
  const std::vector<Row> rows = rows_of(arrays_csv(report));
  REQUIRE(rows.size() == values);
  for (const Row& row : rows) {
    const attnlab::Array& array = attnlab::stage(report, row.array).array;
    const double expected = array.data.at(flat_of(row.indices, array.shape));
    const double read = std::strtod(row.value.c_str(), nullptr);
    CHECK((read == expected || (std::isnan(read) && std::isnan(expected))));
    CHECK(std::signbit(read) == (std::signbit(expected) && !std::isnan(expected)));
  }
}

TEST_CASE("a matrix element reads as array and indices and value") {
  Report report;
  report.stages = {{"weights", {}, {{2, 2}, {"queries", "keys"}, {0.5, 0.25, 0.125, 1.0}}}};
  CHECK(arrays_csv(report) ==
        "array,indices,value\nweights,0 0,0.5\nweights,0 1,0.25\nweights,1 0,0.125\nweights,1 1,1\n");
}

TEST_CASE("NaN and infinities read nan and inf and -inf") {
  const std::string text = arrays_csv(attnlab::test::sample_report());
  CHECK(text.find("naive,0,nan\nnaive,1,inf\nnaive,2,-inf\n") != std::string::npos);
}
