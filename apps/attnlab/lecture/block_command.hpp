// A block's command, read as the command line reads it.
#pragma once

#include "products/lecture/block_run.hpp"

namespace attnlab {

/// The lecture's look stands behind the block's own; names of files count from the lecture's folder. Throws
/// Error (usage) as the command line does, and for flags that have no place in a document: the lecture says
/// where files go.
BlockRun read_block(const CommandBlock& block, const Lecture& lecture);

/// Of the lecture's own look. Throws Error (failed) naming its line, where that cannot be read.
Theme theme_of_look(const Lecture& lecture);

}  // namespace attnlab
