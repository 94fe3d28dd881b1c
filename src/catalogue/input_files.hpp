// The files that arguments name, read before a run.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// The files that the experiment itself reads: those of `attend`. Words that name none do no harm there.
std::vector<std::filesystem::path> inputs_of(const Arguments& arguments);

/// Reads the files of --input and gives their arrays to the arguments. Throws Error for a name that the
/// experiment has not, a file that cannot be read, and arrays that do not fit.
void read_inputs(Arguments& arguments, const Experiment& experiment);

/// Reads the texts, the words and the trained models that parameters name. Throws Error naming a file that
/// cannot be read.
void read_contents(Arguments& arguments, const Experiment& experiment);

}  // namespace attnlab
