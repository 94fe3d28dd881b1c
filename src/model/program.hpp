// What a program of a model's run begins with, and whether one can be written.
#pragma once

#include "model/run.hpp"

namespace attnlab {

/// Nothing where a program can: it opens safetensors, or holds the tensors of a small model of another
/// format.
std::optional<Text> why_no_program(const ModelRun& run, bool keeps_layers);

/// These tensors, out of their files where these are safetensors, else by value; the mask and the angles.
std::vector<Origin> program_origins(const ModelRun& run, const std::set<std::string>& tensors);

}  // namespace attnlab
