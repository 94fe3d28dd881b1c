// A report's arrays as files: JSON, NumPy's npz, and CSV in long form. Pure: bytes out, nothing written.
#pragma once

#include "results/check/check.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {

/// The --json object, schema 1: {"schema", "experiment", "version", "parameters", "arrays", "scalars",
/// "figures", "notes", and "explanation" where one is given}. Array data are flat and in full precision; NaN
/// and infinities are the strings "nan", "inf", "-inf". `notes` holds the sentence to say, the
/// misunderstanding and the notes, each {"ja", "en"}. `explanation` lists steps {"title", "lines"}; a line is
/// {"text"} or {"formula", "latex"}.
std::string report_json(const Report& report, const std::vector<std::filesystem::path>& figures,
                        const std::optional<Explanation>& explanation = std::nullopt);

/// {"schema", "experiment", "version", "parameters", "arrays"}: the same arrays alone.
std::string arrays_json(const Report& report);

/// The outcome of a check: {"schema", "experiment", "version", "parameters", "agrees", "checks": [{"file",
/// "array", "stage", "chosen_by", "shape", "agrees", "precision", "decimals", "largest_error", "allowed",
/// "index", "values_that_differ", "diagnosis": null or {"name", "stage", "text": {"ja", "en"}}}]}. What was
/// not compared because the shape differs is null.
std::string check_json(const Report& report, const std::vector<Check>& checks);

/// A zip archive of one .npy per array (float32 or float64, C order), as numpy.load reads it. Identical input
/// gives identical bytes.
std::string arrays_npz(const Report& report);

/// One array as .npy, in the type in which it was computed; and its numbers alone, little-endian.
std::string array_npy(const Array& array);
std::string numbers_of(const Array& array);

/// Columns array,indices,value; indices joined by spaces ("2 5"), numbers that round-trip.
std::string arrays_csv(const Report& report);

}  // namespace attnlab
