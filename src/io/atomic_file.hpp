// Every file is written beside its target and renamed: an existing file survives a failed write.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Throws Error (failed) when `path` cannot become a file: its folder is missing or not writable, or it names
/// a folder or a read-only file. Called before any work is done, so that bad input costs nothing.
void check_target(const std::filesystem::path& path);

/// Writes the bytes under a temporary name in the same folder and renames it. Follows a symbolic link to its
/// target; writes straight into what is no regular file (/dev/stdout, a pipe). Throws Error (failed) with the
/// system's reason; then the file that stood there is as it was. Does not wait for the disk (fsync takes
/// longer than drawing, and a figure can be drawn again). Concurrent calls wait for one another.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Removes the temporary file of a write that is under way, if any. Async-signal-safe: for the handler of
/// Ctrl-C.
void remove_unfinished_file() noexcept;

}  // namespace attnlab
