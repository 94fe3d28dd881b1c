// The rule of agreement, and in which shapes an array may come.
#include "results/check/comparison.hpp"

#include "core/agreement.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

using Storage = NamedArray::Storage;
using Shape = std::vector<std::size_t>;

constexpr int fewest_decimals = 3;
constexpr int most_decimals = 8;

/// The rule of tolerance32 for half precision, whose epsilon is 2^-10.
double tolerance16(double largest_score) {
  return std::max(1e-3, std::ldexp(4.0 + largest_score, -10));
}

double tolerance(Closeness closeness, double largest_score) {
  if (closeness == Closeness::float16) return tolerance16(largest_score);
  return closeness == Closeness::float32 ? tolerance32(largest_score) : tolerance64(largest_score);
}

/// What the coarser of the two types allows.
Closeness asked(const NamedArray& given, const Array& expected) {
  if (given.storage == Storage::float16) return Closeness::float16;
  const bool single = given.storage == Storage::float32 || expected.dtype == DType::float32;
  return single ? Closeness::float32 : Closeness::float64;
}

/// `allowed(i)` for the value at place i.
Comparison measured(const std::vector<double>& given, const Array& expected,
                    const std::function<double(std::size_t)>& allowed) {
  Comparison result;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const double error = difference(given[i], expected.data[i]);
    if (!(error <= allowed(i))) ++result.wrong;
    if (error > result.largest_error) {
      result.largest_error = error;
      result.worst = i;
    }
  }
  result.allowed = given.empty() ? 0.0 : allowed(result.worst);
  result.agrees = result.wrong == 0;
  return result;
}

Comparison compared_as(Closeness closeness, const std::vector<double>& given, const Array& expected,
                       double largest_score) {
  const double allowed = tolerance(closeness, largest_score) * largest_magnitude(expected.data);
  Comparison result = measured(given, expected, [allowed](std::size_t) { return allowed; });
  result.closeness = closeness;
  return result;
}

bool is_rounded_to(double value, int decimals, Storage storage) {
  if (!std::isfinite(value)) return true;
  const double unit = std::pow(10.0, decimals);
  const double rounded = std::nearbyint(value * unit) / unit;
  if (storage == Storage::float32) return static_cast<float>(value) == static_cast<float>(rounded);
  return value == rounded;
}

/// A way in which the values may have been rounded before they were stored.
struct Rounding {
  int decimals = 0;
  std::vector<double> half_units;  // per value, half a unit of its last decimal
};

/// By the digits that were written.
std::optional<Rounding> rounding_as_written(const NamedArray& given) {
  if (given.half_units.empty()) return std::nullopt;
  const double coarsest = *std::max_element(given.half_units.begin(), given.half_units.end());
  if (coarsest <= 0.0) return std::nullopt;
  return Rounding{static_cast<int>(std::lround(-std::log10(2.0 * coarsest))), given.half_units};
}

/// By the values, however they are written: NumPy writes 0.23 in full as 2.300000000000000100e-01, Python a
/// rounded 0.2300 as 0.23.
std::optional<Rounding> rounding_by_value(const NamedArray& given) {
  if (given.storage == Storage::integers || given.storage == Storage::float16) return std::nullopt;
  const std::vector<double>& values = given.array.data;
  if (std::none_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
    return std::nullopt;
  }
  for (int decimals = 1; decimals <= most_decimals; ++decimals) {
    if (std::all_of(values.begin(), values.end(),
                    [&](double value) { return is_rounded_to(value, decimals, given.storage); })) {
      return Rounding{decimals, std::vector<double>(values.size(), 0.5 * std::pow(10.0, -decimals))};
    }
  }
  return std::nullopt;
}

/// What an agreement to so many decimals says: that the array is right, that it may be, or nothing.
enum class Telling { enough, little, nothing };

Telling telling_of(int decimals, Storage storage, double largest) {
  const double coarsest = 0.5 * std::pow(10.0, -decimals);
  const bool are_many = decimals >= fewest_decimals;
  if ((are_many || storage == Storage::text) && coarsest <= (are_many ? 0.02 : 0.0005) * largest)
    return Telling::enough;
  return coarsest <= 0.1 * largest ? Telling::little : Telling::nothing;
}

/// Up to half a unit of the last digit.
Comparison compared_as_rounded(const Rounding& rounding, const NamedArray& given, const Array& expected,
                               double largest_score) {
  const double largest = largest_magnitude(expected.data);
  const double base = tolerance64(largest_score) * largest;
  // the rounded decimal is itself rounded to a float
  const double stored = given.storage == Storage::float32 ? tolerance32() * largest : 0.0;
  Comparison result = measured(given.array.data, expected,
                               [&](std::size_t i) { return base + stored + rounding.half_units[i]; });
  result.closeness = Closeness::decimals;
  result.decimals = rounding.decimals;
  return result;
}

/// A number that float16 holds: 11 bits, fewer below 2^-14.
bool is_half(double value) {
  if (value == 0.0 || !std::isfinite(value)) return true;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);  // 0.5 to 1
  constexpr int smallest_normal = -13;
  const double bits = std::ldexp(mantissa, 11 + std::min(0, exponent - smallest_normal));
  return exponent <= 16 && bits == std::floor(bits);
}

/// Whole numbers, which no precision would round.
bool are_counts(const Array& array) {
  return std::all_of(array.data.begin(), array.data.end(),
                     [](double value) { return value == std::floor(value); });
}

Shape without_ones(const Shape& shape) {
  Shape result;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(result),
               [](std::size_t length) { return length != 1; });
  return result;
}

}  // namespace

std::optional<Array> in_shape(const NamedArray& given, const Shape& shape) {
  const bool same = without_ones(given.array.shape) == without_ones(shape);
  const bool table = given.storage == Storage::text && !shape.empty() && given.array.shape.size() == 2 &&
                     given.array.shape.back() == shape.back() && given.array.data.size() == size_of(shape);
  if (!same && !table) return std::nullopt;
  Array result = given.array;
  result.shape = shape;
  return result;
}

Comparison compare(const NamedArray& given, const Array& expected, double largest_score) {
  const Closeness first = asked(given, expected);
  const Comparison strict = compared_as(first, given.array.data, expected, largest_score);
  if (strict.agrees) return strict;
  Comparison failed = strict;
  const std::vector<double>& values = given.array.data;
  const bool may_be_half = given.storage != Storage::integers && !are_counts(expected);
  if (may_be_half && std::all_of(values.begin(), values.end(), is_half)) {
    const Comparison half = compared_as(Closeness::float16, values, expected, largest_score);
    if (half.agrees) return half;
  }
  for (const std::optional<Rounding>& rounding : {rounding_as_written(given), rounding_by_value(given)}) {
    if (!rounding) continue;
    const Telling telling = telling_of(rounding->decimals, given.storage, largest_magnitude(expected.data));
    const Comparison rounded = compared_as_rounded(*rounding, given, expected, largest_score);
    if (telling == Telling::enough) {
      if (rounded.agrees) return rounded;
      failed = rounded;  // of digits that were rounded only what is beyond their rounding counts as wrong
    } else if (telling == Telling::little && rounded.agrees) {
      failed.agrees_rounded = true;
      failed.decimals = rounding->decimals;
    }
  }
  if (first != Closeness::float64 || given.storage == Storage::integers || are_counts(expected))
    return failed;
  const Comparison single = compared_as(Closeness::float32, given.array.data, expected, largest_score);
  return single.agrees ? single : failed;
}

std::optional<Comparison> compare_in_shape(const NamedArray& given, const Array& expected,
                                           double largest_score) {
  const std::optional<Array> fitted = in_shape(given, expected.shape);
  if (!fitted) return std::nullopt;
  NamedArray reshaped = given;
  reshaped.array = *fitted;
  return compare(reshaped, expected, largest_score);
}

}  // namespace attnlab
