// What an entry of a lecture's manifest asks for, in the tool's own terms: read as the command line reads it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "attnlab/look.hpp"
#include "experiments/framework/experiment.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {

/// All throw Error for a name that does not exist (with the nearest one), and for a value out of its range.

const Experiment& experiment_of(const LectureFigure& entry);

/// Names of files count from `folder`.
Arguments arguments_of(const LectureFigure& entry, const Experiment& experiment,
                       const std::filesystem::path& folder);

/// A switch is "on" or "off".
Look look_of(const FlagTexts& texts, Language language);

/// The lecture's look with the entry's own over it.
FlagTexts look_texts(const Lecture& lecture, const LectureFigure& entry);

/// The figure of that name, or all of them for "".
std::vector<const Figure*> chosen_figures(const Report& report, const std::string& name);

}  // namespace attnlab
