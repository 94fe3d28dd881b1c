// What the entries of a manifest ask for, read as the command line reads it, and their runs.
#pragma once

#include <mutex>

#include "attnlab/output/look.hpp"
#include "experiments/framework/experiment.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {

/// "there is no figure 'scater'; did you mean scatter?", as Error (usage).
[[noreturn]] void refuse_name(const Text& kind, const std::string& name,
                              const std::vector<std::string>& known);

/// "lecture.toml:10"
std::string place_of(const std::string& manifest, std::size_t line);

/// All three throw Error (usage) for names and values that cannot be read.
const Experiment& experiment_of(const LectureRun& entry);
/// Names of files count from `folder`.
Arguments arguments_of(const LectureRun& entry, const Experiment& experiment,
                       const std::filesystem::path& folder);
Look look_of(const FlagTexts& texts, Language language);

/// The lecture's look with the entry's own over it.
FlagTexts look_texts(const Lecture& lecture, const LectureFigure& entry);

/// Every run once, however many blocks show it; may be asked from several threads.
class LectureRuns {
 public:
  explicit LectureRuns(const Lecture& lecture) : folder_(lecture.folder) {}

  /// Throws Error for what the experiment refuses, and for a run whose invariants do not hold.
  const Report& report(const LectureRun& entry);

 private:
  struct Kept {
    std::once_flag once;
    Report report;
  };

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::pair<std::string, FlagTexts>, Kept> kept_;
};

}  // namespace attnlab
