// Runs a command line in /bin/sh, for programs that a test may find or not.
#pragma once

#include <string>
#include <vector>

namespace attnlab {

/// Says so when it is missing: the test then passes without having looked, or CTest counts it as skipped.
bool is_installed(const std::string& program);

/// What it prints; with 2>&1 in the command its complaints, too.
std::string printed_by(const std::string& command);

/// In single quotes.
std::string shell_quoted(const std::string& word);

}  // namespace attnlab
