// Where a file name leads: through symbolic links to a file, a file yet to be, or a device.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "core/error.hpp"

namespace attnlab {

struct Target {
  std::filesystem::path path;         // symbolic links followed
  std::optional<struct stat> status;  // nothing when it does not exist yet
  std::optional<int> descriptor;      // /dev/stdout, /dev/fd/N: a file that this process already has open
};

/// Throws Error (failed) when the system cannot tell: too many links, a name that is too long, a forbidden
/// folder.
Target find_target(const std::filesystem::path& path);

/// Neither a regular file nor a folder: there is nothing to rename, so bytes go straight in.
bool is_device(const Target& target);

/// The folder that holds the target; "." when the path names none.
std::filesystem::path folder_of(const Target& target);

/// "cannot write 'a.png': No space left on device; free some space or choose another disk".
Error cannot_write(const std::filesystem::path& path, int error_number);

/// Of a folder that exists and in which the system creates no file, as /proc.
Error cannot_create(const std::filesystem::path& path);

}  // namespace attnlab
