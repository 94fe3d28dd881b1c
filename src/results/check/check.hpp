// Compares an array that someone else computed with the stages of a report, and says why a wrong result is
// wrong: the mistakes of the catalogue (mistake.hpp), made on purpose in a trace, and the one that gives the
// same wrong result.
#pragma once

#include "results/check/comparison.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {

/// The place of the stage of that name. Throws std::logic_error where there is none.
std::size_t index_of(const std::vector<Stage>& trace, const std::string& name);

/// The steps that a stage sums up, with inputs that its trace leaves out, such as a model's weights; the last
/// has its name. None of a stage that has no more to show.
using StepsInside = std::function<std::vector<Stage>(const std::string& stage)>;

/// Which stages the target was made of, itself included.
std::vector<bool> made_of(const std::vector<Stage>& trace, std::size_t target);

/// The largest |score| whose exponential went into the stage. What is far below the greatest of its row
/// becomes 0, however it was rounded: -1e9 in place of a mask's infinity.
double largest_score_of(const std::vector<Stage>& trace, std::size_t target);

struct Diagnosis {
  std::string name;   // "not-scaled": an interface (--check with --json); "not-scaled+mask-forgotten"
  std::string stage;  // where it went wrong
  Text what;
};

/// The mistake nearest above `trace[target]` that makes it what was given, nothing when none does.
/// `largest_score` is that of compare.
std::optional<Diagnosis> diagnosis_of(const std::vector<Stage>& trace, std::size_t target,
                                      const NamedArray& submitted, double largest_score,
                                      const std::vector<Origin>& origins = {});

/// The two mistakes that together do; few numbers tell too little for that.
std::optional<Diagnosis> diagnosis_of_two(const std::vector<Stage>& trace, std::size_t target,
                                          const NamedArray& submitted, double largest_score);

/// A stage's array as one mistake makes it.
struct MistakenResult {
  Text what;
  Array array;
};

/// What the mistakes that are often made, each alone, make of `trace[target]`; those made nearest to it stand
/// first.
std::vector<MistakenResult> mistaken_results(const std::vector<Stage>& trace, std::size_t target);

/// One array of a file against one stage.
struct Check {
  enum class Matching { by_name, by_shape };

  std::string file;
  std::string array;  // its name in the file; may be empty
  Stage stage;        // what it was compared with
  Matching matching = Matching::by_name;
  std::vector<std::size_t> submitted_shape;
  bool shape_fits = true;  // else nothing was compared
  Array submitted;         // in the stage's shape, when it fits
  Comparison comparison;
  std::optional<Diagnosis> diagnosis;  // of a result that does not agree
};

bool agrees(const Check& check);

/// Read off a clock or learned: another run, or another machine, gives other numbers, and there is nothing to
/// compare with.
bool differs_by_run(const Stage& stage);

/// Against the stage of that name, which must exist. The origins tell how inputs were drawn.
Check check_stage(const std::vector<Stage>& trace, const std::string& stage, const NamedArray& submitted,
                  const std::vector<Origin>& origins = {}, const StepsInside& inside = {});

/// Against the stage of that shape which it agrees with or is explained by, or else the nearest; of equals
/// the last, which is the experiment's result. Nothing when no stage but a measured one has its shape.
std::optional<Check> check_by_shape(const std::vector<Stage>& trace, const NamedArray& submitted,
                                    const std::vector<Origin>& origins = {}, const StepsInside& inside = {});

// --- The outcome of a check as terminal text (check_text.cpp)

/// A verdict per array with its evidence, and a line that counts them when there are several. Ends with a
/// newline.
std::string check_text(const std::vector<Check>& checks, Language language, Colouring colouring);

/// Why a check does not agree, in a line: the mistake, the shape, or how many values differ.
Text reason_of(const Check& check);

}  // namespace attnlab
