// The weights that --projections names: found in their file, accounted for, and told of in the report.
#pragma once

#include "attend/attend.hpp"
#include "attend/attend_files.hpp"

namespace attnlab {

/// For the report's table.
InputFile input_file(const Text& role, const std::string& file, const StoredTensor& stored);

/// Reads the layer into the inputs, with what there is to say of it: whose names the weights have,
/// how they are stored, how many heads there are, whether queries and keys turn (--rope auto becomes a
/// setting), what was not read. Throws Error (failed) for a tensor that would change the result and is not
/// computed with; (usage) for shapes that do not fit the inputs.
template <class T>
void read_saved_layer(const OpenedLayer& opened, AttendSettings& settings, AttendInputs<T>& inputs);

}  // namespace attnlab
