// The rule of agreement, and in which shapes an array may come.
#include "results/check/comparison.hpp"

#include "core/agreement.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

using Storage = NamedArray::Storage;
using Shape = std::vector<std::size_t>;

constexpr int most_decimals = 8;

/// The rule of tolerance32 for half precision, whose epsilon is 2^-10.
double tolerance16(double largest_score) { return std::max(1e-3, std::ldexp(4.0 + largest_score, -10)); }

/// Scores so large that rounding may move a result by more leave no right answer to be told from a wrong one.
double tolerance(Closeness closeness, double largest_score) {
  if (closeness == Closeness::float16) return std::min(0.02, tolerance16(largest_score));
  return std::min(0.001,
                  closeness == Closeness::float32 ? tolerance32(largest_score) : tolerance64(largest_score));
}

/// `allowed(i)` for the value at place i.
Comparison measured(const std::vector<double>& submitted, const Array& expected,
                    const std::function<double(std::size_t)>& allowed) {
  Comparison result;
  for (std::size_t i = 0; i < submitted.size(); ++i) {
    const double error = difference(submitted[i], expected.data[i]);
    if (!(error <= allowed(i))) ++result.wrong;
    if (error > result.largest_error) {
      result.largest_error = error;
      result.worst = i;
    }
  }
  result.allowed = submitted.empty() ? 0.0 : allowed(result.worst);
  result.agrees = result.wrong == 0;
  return result;
}

Comparison compared_as(Closeness closeness, const std::vector<double>& submitted, const Array& expected,
                       double largest_score) {
  const double allowed = tolerance(closeness, largest_score) * largest_magnitude(expected.data);
  Comparison result = measured(submitted, expected, [allowed](std::size_t) { return allowed; });
  result.closeness = closeness;
  return result;
}

bool is_rounded_to(double value, int decimals, Storage storage) {
  if (!std::isfinite(value)) return true;
  const double unit = std::pow(10.0, decimals);
  const double rounded = std::nearbyint(value * unit) / unit;
  constexpr double least = std::numeric_limits<float>::denorm_min();
  const bool is_float = storage == Storage::float32;
  const double eps =
      is_float ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return std::abs(value - rounded) <= std::max(eps * std::abs(value), is_float ? least : 0.0);
}

struct HalfPrecision {
  Closeness rounded;
  const char* name;
  int bits;
  int least_exponent;

  /// The last bit of a value; of 0 the least there is.
  double unit(double value) const {
    int exponent = 0;
    if (!std::isfinite(value)) return 0.0;
    std::frexp(value, &exponent);
    return std::ldexp(1.0, value == 0.0 ? least_exponent : std::max(exponent - bits, least_exponent));
  }
  bool holds(const std::vector<double>& values) const {
    return std::all_of(values.begin(), values.end(), [&](double value) {
      const double last = unit(value);
      return last == 0.0 || std::fmod(value, last) == 0.0;
    });
  }
};
constexpr std::array<HalfPrecision, 2> half_precisions{
    {{Closeness::rounded_bfloat16, "bfloat16", 8, -133}, {Closeness::rounded_float16, "float16", 11, -24}}};

/// A way in which the values may have been rounded before they were stored.
struct Rounding {
  int decimals = 0;
  std::vector<double> half_units;  // per value, half a unit of its last decimal
  Closeness as = Closeness::decimals;

  double coarsest() const { return *std::max_element(half_units.begin(), half_units.end()); }
};

/// By the digits that were written, where all have as many decimals, or as many significant digits: a lone
/// 0.3 among full digits is 0.3.
std::optional<Rounding> rounding_as_written(const NamedArray& submitted) {
  std::set<double> half_units;
  std::set<long> digits;
  for (std::size_t i = 0; i < submitted.half_units.size(); ++i) {
    const double value = std::abs(submitted.array.data[i]);
    if (!std::isfinite(value)) continue;
    half_units.insert(submitted.half_units[i]);
    if (value > 0.0)
      digits.insert(std::lround(std::floor(std::log10(value)) - std::log10(2.0 * submitted.half_units[i])));
  }
  if (half_units.empty() || (half_units.size() > 1 && digits.size() > 1)) return std::nullopt;
  return Rounding{static_cast<int>(std::lround(-std::log10(2.0 * *half_units.rbegin()))),
                  submitted.half_units};
}

/// By the values, however they are written: NumPy writes 0.23 in full as 2.300000000000000100e-01, Python a
/// rounded 0.2300 as 0.23.
std::optional<Rounding> rounding_by_value(const NamedArray& submitted) {
  if (submitted.storage == Storage::integers || submitted.storage == Storage::float16) return std::nullopt;
  const std::vector<double>& values = submitted.array.data;
  if (std::none_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
    return std::nullopt;
  }
  for (int decimals = 1; decimals <= most_decimals; ++decimals) {
    if (std::all_of(values.begin(), values.end(),
                    [&](double value) { return is_rounded_to(value, decimals, submitted.storage); })) {
      return Rounding{decimals, std::vector<double>(values.size(), 0.5 * std::pow(10.0, -decimals))};
    }
  }
  return std::nullopt;
}

/// To 3 to 6 significant digits, as "%.4g" writes them; to half precision.
std::vector<Rounding> relative_roundings(const NamedArray& submitted) {
  std::vector<Rounding> roundings;
  if (submitted.storage == Storage::integers || submitted.storage == Storage::float16) return roundings;
  const std::vector<double>& values = submitted.array.data;
  const auto by_units = [&](Closeness as, int digits, const std::function<double(double)>& unit) {
    roundings.push_back({digits, {}, as});
    for (const double value : values) roundings.back().half_units.push_back(0.5 * unit(value));
  };
  const auto last_decimal = [](double value, int digits) {
    return static_cast<int>(digits - 1 - std::floor(std::log10(std::abs(value))));
  };
  for (int digits = 3; digits <= 6 && roundings.empty(); ++digits) {
    const bool are_such = std::all_of(values.begin(), values.end(), [&](double value) {
      return value == 0.0 || !std::isfinite(value) ||
             is_rounded_to(value, last_decimal(value, digits), submitted.storage);
    });
    if (!are_such) continue;
    by_units(Closeness::digits, digits, [&](double value) {
      return value == 0.0 || !std::isfinite(value) ? 0.0 : std::pow(10.0, -last_decimal(value, digits));
    });
  }
  for (const HalfPrecision& half : half_precisions) {
    if (half.holds(values)) by_units(half.rounded, 0, [&](double value) { return half.unit(value); });
  }
  return roundings;
}

/// Whether those agree as well, up to this rounding, who computed nothing: with one number everywhere, with 0
/// and 1 alone, or with even shares of what is not 0 in a row. Not where that is the right answer.
bool agrees_with_a_guess(const Array& expected, double half_unit) {
  const std::vector<double>& right = expected.data;
  const std::size_t row = expected.shape.empty() ? 1 : expected.shape.back();
  double least = infinity;
  double most = -infinity;
  double shares = 0.0;
  std::array<double, 3> off{};
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (i % row == 0)
      shares = static_cast<double>(row) - static_cast<double>(std::count(&right[i], &right[i] + row, 0.0));
    if (!std::isfinite(right[i])) continue;
    least = std::min(least, right[i]);
    most = std::max(most, right[i]);
    off[0] = (most - least) / 2.0;
    off[1] = std::max(off[1], std::min(std::abs(right[i]), std::abs(right[i] - 1.0)));
    if (right[i] != 0.0) off[2] = std::max(off[2], std::abs(right[i] - 1.0 / shares));
  }
  const double exact = tolerance32() * largest_magnitude(right);
  return std::any_of(off.begin(), off.end(),
                     [&](double error) { return exact < error && error <= half_unit; });
}

/// Whether an agreement up to half a unit says that the array is right: the largest value has two significant
/// digits, and no guess agrees as well.
bool tells(double half_unit, const Array& expected) {
  return half_unit <= 0.05 * largest_magnitude(expected.data) * (1.0 + tolerance64()) &&
         !agrees_with_a_guess(expected, half_unit);
}

/// Up to half a unit of the last digit.
Comparison compared_as_rounded(const Rounding& rounding, const NamedArray& submitted, const Array& expected,
                               double largest_score) {
  const double largest = largest_magnitude(expected.data);
  const double base = tolerance64(largest_score) * largest;
  // the rounded decimal is itself rounded to a float
  const double stored = submitted.storage == Storage::float32 ? tolerance32() * largest : 0.0;
  Comparison result = measured(submitted.array.data, expected,
                               [&](std::size_t i) { return base + stored + rounding.half_units[i]; });
  result.closeness = rounding.as;
  result.decimals = rounding.decimals;
  return result;
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

/// A table of text without a first line 0, 1, 2, ...
std::optional<NamedArray> without_column_numbers(NamedArray table) {
  const Shape shape = table.array.shape;
  const bool is_table = table.storage == Storage::text && shape.size() == 2 && shape[0] > 1 &&
                        table.half_units.size() == table.array.data.size();
  if (!is_table) return std::nullopt;
  for (std::size_t i = 0; i < shape[1]; ++i)
    if (table.array.data[i] != static_cast<double>(i) || table.half_units[i] != 0.5) return std::nullopt;
  const auto columns = static_cast<std::ptrdiff_t>(shape[1]);
  --table.array.shape[0];
  table.array.data.erase(table.array.data.begin(), table.array.data.begin() + columns);
  table.half_units.erase(table.half_units.begin(), table.half_units.begin() + columns);
  return table;
}

std::optional<NamedArray> fitted_to(const NamedArray& submitted, const Shape& shape) {
  const Shape own = without_ones(submitted.array.shape);
  const bool same = own == without_ones(shape);
  const bool is_flat = own.size() == 1 || (own.size() == 2 && !shape.empty() && own.back() == shape.back());
  const bool flattened =
      own.size() < shape.size() && is_flat && submitted.array.data.size() == size_of(shape);
  if (!same && !flattened) {
    const std::optional<NamedArray> rows = without_column_numbers(submitted);
    return rows ? fitted_to(*rows, shape) : std::nullopt;
  }
  NamedArray result = submitted;
  result.array.shape = shape;
  return result;
}

}  // namespace

Closeness requested(const NamedArray& submitted, const Array& expected) {
  if (submitted.storage == Storage::float16) return Closeness::float16;
  const bool single = submitted.storage == Storage::float32 || expected.dtype == DType::float32;
  return single ? Closeness::float32 : Closeness::float64;
}

Closeness strictest(const NamedArray& submitted, const Array& expected) {
  const Closeness first = requested(submitted, expected);
  const std::vector<double>& values = submitted.array.data;
  const bool are_single = std::all_of(values.begin(), values.end(), [](double value) {
    return !std::isfinite(value) || value == static_cast<double>(static_cast<float>(value));
  });
  return first == Closeness::float64 && are_single ? Closeness::float32 : first;
}

double in_half_precision(double value, std::string_view type) {
  for (const HalfPrecision& half : half_precisions) {
    if (const double last = half.unit(value); type == half.name && last > 0.0)
      return std::nearbyint(value / last) * last;
  }
  return value;
}

std::string half_precision_of(const std::vector<double>& values) {
  const auto* const found = std::find_if(half_precisions.begin(), half_precisions.end(),
                                         [&](const HalfPrecision& half) { return half.holds(values); });
  return found == half_precisions.end() ? "" : found->name;
}

std::optional<Array> in_shape(const NamedArray& submitted, const Shape& shape) {
  std::optional<NamedArray> fitted = fitted_to(submitted, shape);
  return fitted ? std::optional(std::move(fitted->array)) : std::nullopt;
}

Comparison compare_as_stored(const NamedArray& submitted, const Array& expected, double largest_score) {
  Comparison failed =
      compared_as(requested(submitted, expected), submitted.array.data, expected, largest_score);
  if (failed.agrees) return failed;
  for (const std::optional<Rounding>& rounding :
       {rounding_as_written(submitted), rounding_by_value(submitted)}) {
    if (!rounding) continue;
    const Comparison rounded = compared_as_rounded(*rounding, submitted, expected, largest_score);
    if (tells(rounding->coarsest(), expected)) {
      if (rounded.agrees) return rounded;
      failed = rounded;  // of digits that were rounded only what is beyond their rounding counts as wrong
    } else if (rounded.agrees && rounding->coarsest() <= 0.5 * largest_magnitude(expected.data)) {
      constexpr int most = 300;
      failed.decimals_needed = rounding->decimals + 1;
      while (failed.decimals_needed < most && !tells(0.5 * std::pow(10.0, -failed.decimals_needed), expected))
        ++failed.decimals_needed;
    }
  }
  if (!submitted.array.data.empty() && !are_counts(expected)) {
    for (const Rounding& rounding : relative_roundings(submitted)) {
      const Comparison rounded = compared_as_rounded(rounding, submitted, expected, largest_score);
      if (rounded.agrees && tells(rounding.coarsest(), expected)) return rounded;
    }
  }
  return failed;
}

Comparison compare(const NamedArray& submitted, const Array& expected, double largest_score) {
  Comparison stored = compare_as_stored(submitted, expected, largest_score);
  const bool may_be_single = requested(submitted, expected) == Closeness::float64 &&
                             submitted.storage != Storage::integers && !are_counts(expected);
  if (stored.agrees || !may_be_single) return stored;
  const Comparison single = compared_as(Closeness::float32, submitted.array.data, expected, largest_score);
  return single.agrees ? single : stored;
}

std::optional<Comparison> compare_in_shape(const NamedArray& submitted, const Array& expected,
                                           double largest_score) {
  const std::optional<NamedArray> fitted = fitted_to(submitted, expected.shape);
  if (!fitted) return std::nullopt;
  return compare(*fitted, expected, largest_score);
}

}  // namespace attnlab
