// The bytes of what the user named.
#pragma once

#include <string>

#include "io/shared_bytes.hpp"

namespace attnlab {

/// Whether `path` is standard input (-) or a pipe, whose name says nothing of the format.
bool is_stream(const std::string& path);

/// A file is mapped; standard input (-) and pipes are read to their end. Throws Error (failed) for folders,
/// devices, what cannot be opened, and a stream of more than largest_text_file bytes.
SharedBytes bytes_of(const std::string& path);

}  // namespace attnlab
