// Compares an array that someone else computed with the stages of a report, and says what went wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/check/comparison.hpp"
#include "results/check/diagnosis.hpp"
#include "results/report/report.hpp"

namespace attnlab {

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

/// Read off a clock: another run gives other numbers, and there is nothing to compare with.
bool is_measured(const Stage& stage);

/// Against the stage of that name, which must exist.
Check check_stage(const std::vector<Stage>& trace, const std::string& stage, const NamedArray& given);

/// Against the stage of that shape which it agrees with or is explained by, or else the nearest; of equals
/// the last, which is the experiment's result. Nothing when no stage but a measured one has its shape.
std::optional<Check> check_by_shape(const std::vector<Stage>& trace, const NamedArray& given);

}  // namespace attnlab
