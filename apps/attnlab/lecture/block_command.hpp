// A block's command, read as the command line reads it.
#pragma once

#include "products/lecture/block_run.hpp"

namespace attnlab {

/// The lecture's look stands behind the block's own; names of files count from the lecture's folder. Throws
/// Error (usage) as the command line does, and for flags that have no place in a document: the lecture says
/// where files go.
BlockRun read_block(const CommandBlock& block, const Lecture& lecture);

/// Throws Error (failed) naming the line of the lecture's own look, where that cannot be read.
void check_look(const Lecture& lecture);

}  // namespace attnlab
