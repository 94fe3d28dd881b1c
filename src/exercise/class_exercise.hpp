// An exercise for a class: what was asked, kept beside the sheets so that handed-in files can be graded, and
// each student's own run of it.
#pragma once

#include "exercise/exercise.hpp"

namespace attnlab {

/// What is given has from one decimal to so many.
constexpr int most_given_decimals = 8;

struct ClassExercise {
  const Experiment* experiment = nullptr;
  std::map<std::string, std::string> parameters;  // as typed, --seed excepted
  long long seed = 0;                             // of the class; each student has another
  std::vector<std::string> requested;
  int decimals = 3;  // of what is given
};

/// The file beside the sheets.
constexpr const char* class_record = "exercise.json";

/// {"schema", "experiment", "parameters", "seed", "asked", "decimals"}.
std::string record_of(const ClassExercise& exercise);

/// Throws Error (failed) naming the file for what is no such record, and for one of another experiment.
ClassExercise read_record(const std::filesystem::path& file);

/// From the class's seed and the id alone: who else is on the list changes nothing.
std::uint32_t seed_of(long long class_seed, const std::string& id);

/// The exercise as the student has it; throws Error as a run does.
Report run_of(const ClassExercise& exercise, const std::string& id);

}  // namespace attnlab
