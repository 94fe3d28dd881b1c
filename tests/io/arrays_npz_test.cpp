// npz archives: read with libzip they hold the arrays bit for bit; written twice they are the same bytes.
#include <doctest/doctest.h>
#include <zip.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <optional>

#include "io/report_files.hpp"
#include "io/sample_report.hpp"
#include "results/report/array.hpp"

using attnlab::Array;
using attnlab::arrays_npz;
using attnlab::DType;
using attnlab::Report;

namespace {

// name -> contents, in the order of the archive's directory.
std::vector<std::pair<std::string, std::string>> unzip(const std::string& bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  REQUIRE(source != nullptr);
  zip_t* archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
  REQUIRE(archive != nullptr);
  std::vector<std::pair<std::string, std::string>> files;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
    zip_stat_t status;
    REQUIRE(zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &status) == 0);
    std::string contents(status.size, '\0');
    zip_file_t* file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
    REQUIRE(zip_fread(file, contents.data(), contents.size()) == static_cast<zip_int64_t>(contents.size()));
    CHECK(zip_fclose(file) == 0);  // checks the CRC
    files.emplace_back(status.name, contents);
  }
  zip_discard(archive);
  return files;
}

template <class T>
std::vector<T> numbers_of(const std::string& bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// Splits an .npy file after the header that numpy/lib/format.py describes.
std::pair<std::string, std::string> split_npy(const std::string& file) {
  REQUIRE(file.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(file[8])) +
                      256 * static_cast<std::size_t>(static_cast<unsigned char>(file[9]));
  CHECK((10 + length) % 64 == 0);
  CHECK(file[10 + length - 1] == '\n');
  return {file.substr(10, length), file.substr(10 + length)};
}

bool same(double left, double right) { return left == right || (std::isnan(left) && std::isnan(right)); }

}  // namespace

TEST_CASE("the archive holds every array under its name in the order of the computation") {
  const Report report = attnlab::test::sample_report();
  const auto files = unzip(arrays_npz(report));
  REQUIRE(files.size() == report.stages.size());
  for (std::size_t i = 0; i < files.size(); ++i) CHECK(files[i].first == report.stages[i].name + ".npy");
}

TEST_CASE("the numbers are the arrays' own bits in their type and shape") {
  const Report report = attnlab::test::sample_report();
  const auto files = unzip(arrays_npz(report));
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Array& array = report.stages[i].array;
    const auto [header, bytes] = split_npy(files[i].second);
    const bool narrow = array.dtype == DType::float32;
    CHECK(header.find(narrow ? "'descr': '<f4'" : "'descr': '<f8'") != std::string::npos);
    CHECK(header.find("'fortran_order': False") != std::string::npos);
    CHECK(header.find("'shape': " + attnlab::shape_text(array.shape) + ",") != std::string::npos);
    REQUIRE(bytes.size() == array.data.size() * (narrow ? 4 : 8));
    const std::vector<float> floats = numbers_of<float>(narrow ? bytes : "");
    const std::vector<double> doubles = numbers_of<double>(narrow ? "" : bytes);
    for (std::size_t k = 0; k < array.data.size(); ++k)
      CHECK(same(narrow ? static_cast<double>(floats[k]) : doubles[k], array.data[k]));
  }
}

TEST_CASE("the same arrays give the same bytes in every time zone") {
  const Report report = attnlab::test::sample_report();
  const char* zone = std::getenv("TZ");
  const std::optional<std::string> old = zone == nullptr ? std::nullopt : std::optional<std::string>(zone);
  setenv("TZ", "Asia/Tokyo", 1);
  tzset();
  const std::string tokyo = arrays_npz(report);
  setenv("TZ", "America/New_York", 1);
  tzset();
  const std::string new_york = arrays_npz(report);
  if (old) {
    setenv("TZ", old->c_str(), 1);
  } else {
    unsetenv("TZ");
  }
  tzset();
  CHECK(tokyo == new_york);
  CHECK(tokyo == arrays_npz(report));
}

TEST_CASE("a report without arrays gives an empty archive") { CHECK(unzip(arrays_npz(Report{})).empty()); }
