#include "verification/run_checks.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>

#include "verification/stored_array.hpp"

namespace attnlab {
namespace {

/// The largest number that stands in an exponential: scores, and the magnitudes of a sweep.
double largest_score(const StoredJson& arrays) {
  double largest = 0.0;
  for (const auto& [name, array] : arrays.items()) {
    if (name.find("scores") == std::string::npos && name != "magnitude") continue;
    largest = std::max(largest, largest_magnitude(stored_array(array).data));
  }
  return largest;
}

double scalar_of(const Report& report, const std::string& name) {
  for (const Scalar& scalar : report.scalars) {
    if (scalar.name == name) return scalar.value;
  }
  throw std::out_of_range("no scalar " + name);
}

class RunChecker {
 public:
  RunChecker(const Report& report, Text detail) : report_(report), detail_(std::move(detail)) {}

  /// Each array by the type in which the experiment computed it.
  void check_arrays(const StoredJson& arrays, double largest_score) {
    for (const auto& [name, json] : arrays.items()) {
      const StoredArray expected = stored_array(json);
      const Array& got = stage(report_, name).array;
      const bool is_float = got.dtype == DType::float32;
      const double tolerance = is_float ? tolerance32(largest_score) : tolerance64(largest_score);
      Deviation found = deviation(got.data, expected.data, tolerance);
      if (got.shape != expected.shape) found = {infinity, infinity, found.allowed, false};
      checks_.push_back(check_of(Section::runs, report_.experiment, name, detail_, found));
    }
  }

  /// A scalar may be a difference of numbers near 1: allowed is the tolerance of such numbers, or its own.
  void check_scalars(const StoredJson& scalars, double tolerance) {
    for (const auto& [name, json] : scalars.items()) {
      Deviation found = deviation({scalar_of(report_, name)}, {stored_number(json)}, tolerance);
      found.allowed = std::max(found.allowed, tolerance);
      found.agrees = found.absolute <= found.allowed;
      checks_.push_back(check_of(Section::runs, report_.experiment, name, detail_, found));
    }
  }

  const std::vector<VerifyCheck>& checks() const { return checks_; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  const Report& report_;
  Text detail_;
  std::vector<VerifyCheck> checks_;
};

}  // namespace

std::vector<VerifyCheck> check_run(const std::string& experiment, const std::string& path,
                                   std::string_view json, Runs& runs) {
  try {
    const StoredJson file = StoredJson::parse(json);
    RunChecker checker(runs.report(experiment, file.at("flags").get<Flags>()), Text::same(path));
    const StoredJson& arrays = file.at("arrays");
    const double largest = largest_score(arrays);
    checker.check_arrays(arrays, largest);
    if (file.contains("float32_arrays")) checker.check_arrays(file.at("float32_arrays"), largest);
    if (file.contains("scalars")) checker.check_scalars(file.at("scalars"), tolerance64(largest));
    return checker.checks();
  } catch (const std::exception& error) {
    return {failed_check(Section::runs, experiment, "", Text::same(path + ": " + error.what()))};
  }
}

}  // namespace attnlab
