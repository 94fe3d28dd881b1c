// The arrays of a report in long form, one value per line.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "io/report_files.hpp"

namespace attnlab {
namespace {

// The place of a value in its array: "2 5" for row 2, column 5.
std::string indices_of(std::size_t flat, const std::vector<std::size_t>& shape) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    text.insert(0, fmt::format(text.empty() ? "{}" : "{} ", flat % shape[axis]));
    flat /= shape[axis];
  }
  return text;
}

// libstdc++ and fmt keep the sign of a NaN: "-nan".
double without_sign_of_nan(double value) {
  return std::isnan(value) ? std::abs(value) : value;
}

}  // namespace

std::string arrays_csv(const Report& report) {
  std::string text = "array,indices,value\n";
  for (const Stage& stage : report.stages) {
    for (std::size_t i = 0; i < stage.array.data.size(); ++i) {
      fmt::format_to(std::back_inserter(text), "{},{},{}\n", stage.name, indices_of(i, stage.array.shape),
                     without_sign_of_nan(stage.array.data[i]));
    }
  }
  return text;
}

}  // namespace attnlab
