// How closely an array that someone else computed agrees with the one expected.
#pragma once

#include "results/report/array.hpp"

namespace attnlab {

struct NamedArray {
  /// How the numbers were stored. `text` is decimal digits, as in a csv.
  enum class Storage { integers, float16, float32, float64, text };

  std::string name;
  Array array;
  Storage storage = Storage::float64;
  /// Storage::text: per value, half a unit of the last digit that was written.
  std::vector<double> half_units;
};

/// How closely two arrays agree: as float64, float32 or float16 results of one computation do, or up to a
/// rounding of the result: to decimals, to significant digits, to half precision that float32 keeps.
enum class Closeness { float64, float32, float16, decimals, digits, rounded_float16, rounded_bfloat16 };

inline bool is_rounded(Closeness closeness) { return closeness >= Closeness::decimals; }

struct Comparison {
  bool agrees = false;
  Closeness closeness = Closeness::float64;  // of the agreement; else of what was asked
  int decimals = 0;                          // Closeness::decimals; of Closeness::digits how many
  int decimals_needed = 0;     // it agrees as rounded, but to fewer than tell right from wrong; else 0
  double largest_error = 0.0;  // infinite where only one of the two is NaN or infinite
  double allowed = 0.0;
  std::size_t worst = 0;  // the flat place of the largest error
  std::size_t wrong = 0;  // how many values are off by more than is allowed
};

/// What the coarser of the two types allows.
Closeness requested(const NamedArray& submitted, const Array& expected);

/// The same where values that float32 holds count as float32, however they are stored.
Closeness strictest(const NamedArray& submitted, const Array& expected);

/// Half precision, if it holds every value: "float16" or "bfloat16", else "".
std::string half_precision_of(const std::vector<double>& values);

double in_half_precision(double value, std::string_view type);

/// The given array in another shape: axes of length 1 do not count, and it may be flattened to a row of
/// numbers or to rows. Nothing when it does not fit.
std::optional<Array> in_shape(const NamedArray& submitted, const std::vector<std::size_t>& shape);

/// The rule of agreement (core/agreement.hpp): NaN and infinities in the same places, and every other
/// difference at most a tolerance of the coarser type (0.02 at most for float16, else 0.001) times the
/// largest value. A float64 array may turn out to agree as float32, and one that was rounded up to that
/// rounding, where two significant digits of the largest value are left and tell it from a guess: `closeness`
/// says so. What was computed in half precision agrees where it is stored so. `given` has the shape of
/// `expected`; `largest_score` is the largest |score| whose exponential went into it.
Comparison compare(const NamedArray& submitted, const Array& expected, double largest_score);

/// The same without the leave to turn out as float32.
Comparison compare_as_stored(const NamedArray& submitted, const Array& expected, double largest_score);

/// The same after `in_shape`; nothing when the shape does not fit.
std::optional<Comparison> compare_in_shape(const NamedArray& submitted, const Array& expected,
                                           double largest_score);

}  // namespace attnlab
