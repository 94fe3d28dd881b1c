// Arrays as text: what NumPy prints, character by character, and what a reader may rely on.
#include "core/constants.hpp"
#include "results/report/array.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "source_dir.hpp"

using attnlab::Array;
using attnlab::DType;
using attnlab::infinity;
using attnlab::not_a_number;
using attnlab::numpy_text;
using attnlab::python_repr;
using attnlab::shape_text;

namespace {

Array vector_of(std::vector<double> data, DType dtype = DType::float64) {
  return {{data.size()}, {"n"}, std::move(data), dtype};
}

struct Case {
  std::string description;
  Array array;
  std::string expected;
};

std::size_t size_of(const Array& array) {
  std::size_t size = 1;
  for (const std::size_t length : array.shape) size *= length;
  return size;
}

// Hexadecimal floats, or "i/7" for 0/7, 1/7, 2/7, ...
std::vector<double> read_values(const std::string& line, std::size_t size) {
  std::vector<double> values;
  if (line == "i/7") {
    for (std::size_t i = 0; i < size; ++i) values.push_back(static_cast<double>(i) / 7.0);
    return values;
  }
  std::istringstream words(line);
  for (std::string word; words >> word;) values.push_back(std::strtod(word.c_str(), nullptr));
  return values;
}

Case read_case(const std::string& header, std::istream& file) {
  Case result;
  result.description = header;
  std::istringstream words(header);
  std::string word;
  words >> word >> word;
  result.array.dtype = word == "float32" ? DType::float32 : DType::float64;
  for (std::size_t length = 0; words >> length;) result.array.shape.push_back(length);
  std::string line;
  std::getline(file, line);
  result.array.data = read_values(line, size_of(result.array));
  while (std::getline(file, line) && line != "end") {
    result.expected += (result.expected.empty() ? "" : "\n") + line;
  }
  return result;
}

}  // namespace

// Recipe: data/reference/make_numpy_text_reference.py, NumPy 1.24.
TEST_CASE("arrays and numbers read as NumPy and Python print them") {
  std::ifstream file(attnlab::source_dir() / "data/reference/numpy_text/reference.txt");
  REQUIRE(file.is_open());
  int arrays = 0;
  int numbers = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("repr ", 0) == 0) {
      std::istringstream words(line.substr(5));
      std::string value;
      std::string expected;
      words >> value >> expected;
      CHECK(python_repr(std::strtod(value.c_str(), nullptr)) == expected);
      ++numbers;
      continue;
    }
    const Case reference = read_case(line, file);
    REQUIRE(reference.array.data.size() == size_of(reference.array));
    INFO(reference.description);
    CHECK(numpy_text(reference.array) == reference.expected);
    ++arrays;
  }
  CHECK(arrays == 123);
  CHECK(numbers == 52);
}

TEST_CASE("the textbook's output is printed as the book prints it") {
  CHECK(numpy_text(vector_of({0.31564537501415324, 0.3156453688639892})) == "[0.31564538 0.31564537]");
  CHECK(shape_text({10}) == "(10,)");
}

TEST_CASE("shapes read as Python tuples") {
  CHECK(shape_text({}) == "()");
  CHECK(shape_text({3, 2}) == "(3, 2)");
  CHECK(shape_text({2, 4, 6, 6}) == "(2, 4, 6, 6)");
}

TEST_CASE("a float32 shows the digits of its own type") {
  const auto tenth = static_cast<double>(0.1F);
  CHECK(numpy_text(vector_of({tenth}, DType::float32)) == "[0.1]");
  CHECK(python_repr(tenth) == "0.10000000149011612");
}

TEST_CASE("no number carries the sign of a NaN") {
  CHECK(numpy_text(vector_of({-not_a_number, 1.5})) == "[nan 1.5]");
  CHECK(python_repr(-not_a_number) == "nan");
  CHECK(python_repr(-infinity) == "-inf");
}

TEST_CASE("rounding is to even on the exact value") {
  CHECK(numpy_text(vector_of({std::ldexp(1.0, -9)})) == "[0.00195312]");        // 0.001953125
  CHECK(numpy_text(vector_of({3.0 * std::ldexp(1.0, -9)})) == "[0.00585938]");  // 0.005859375
}

TEST_CASE("no line is wider than 75 characters") {
  for (std::size_t columns = 1; columns < 60; ++columns) {
    Array array{{2, columns}, {"row", "column"}, {}, DType::float64};
    for (std::size_t i = 0; i < 2 * columns; ++i)
      array.data.push_back(std::sin(static_cast<double>(i)) * 1e4);
    std::istringstream text(numpy_text(array));
    for (std::string line; std::getline(text, line);) CHECK(line.size() <= 75);
  }
}

TEST_CASE("reading a printed array gives its numbers back to 8 decimals") {
  std::vector<double> values(200);
  for (int i = 0; i < 200; ++i) values[static_cast<std::size_t>(i)] = std::cos(i) * std::pow(10.0, i % 7);
  std::string text = numpy_text(vector_of(values));
  REQUIRE(text.front() == '[');
  REQUIRE(text.back() == ']');
  std::istringstream numbers(text.substr(1, text.size() - 2));
  for (const double value : values) {
    double read = not_a_number;
    numbers >> read;
    CHECK(std::abs(read - value) <= 0.5e-8 + 1e-15 * std::abs(value));
  }
}
