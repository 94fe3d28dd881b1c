// Compares an array that someone else computed with the stages of a report, and says what went wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "results/named_array.hpp"
#include "results/report.hpp"

namespace attnlab {

/// How closely two arrays agree: as float64, float32 or float16 results of one computation do, or up to the
/// rounding of the digits that were written.
enum class Closeness { float64, float32, float16, decimals };

struct Comparison {
  bool agrees = false;
  Closeness closeness = Closeness::float64;  // of the agreement; else of what was asked
  int decimals = 0;                          // Closeness::decimals
  double largest_error = 0.0;                // infinite where only one of the two is NaN or infinite
  double allowed = 0.0;
  std::size_t worst = 0;  // the flat place of the largest error
  std::size_t wrong = 0;  // how many values are off by more than is allowed
};

/// Why a wrong result is wrong.
struct Diagnosis {
  std::string name;   // "not-scaled"
  std::string stage;  // where it went wrong
  Text what;
};

/// One array of a file against one stage.
struct Check {
  enum class Matching { by_name, by_shape };

  std::string file;
  std::string array;  // its name in the file; may be empty
  Stage stage;        // what it was compared with
  Matching matching = Matching::by_name;
  std::vector<std::size_t> given_shape;
  bool shape_fits = true;  // else nothing was compared
  Array given;             // in the stage's shape, when it fits
  Comparison comparison;
  std::optional<Diagnosis> diagnosis;  // of a result that does not agree
};

bool agrees(const Check& check);

/// The given array in another shape: axes of length 1 do not count, and a table of text may have its leading
/// axes flattened to rows. Nothing when it does not fit.
std::optional<Array> in_shape(const NamedArray& given, const std::vector<std::size_t>& shape);

/// The rule of agreement, EXPERIMENTS.md: NaN and infinities in the same places, and every other difference
/// at most a tolerance of the coarser type times the largest value. A float64 array may turn out to agree as
/// float32, and one that was rounded (to 3 decimals or more) up to that rounding: `closeness` says so.
/// `given` has the shape of `expected`; `largest_score` is the largest |score| that went into it.
Comparison compare(const NamedArray& given, const Array& expected, double largest_score);

/// Against the stage of that name, which must exist.
Check check_stage(const std::vector<Stage>& trace, const std::string& stage, const NamedArray& given);

/// Against the stage of that shape which it agrees with or is explained by, or else the nearest; of equals
/// the last, which is the experiment's result. Nothing when no stage has its shape.
std::optional<Check> check_by_shape(const std::vector<Stage>& trace, const NamedArray& given);

}  // namespace attnlab
