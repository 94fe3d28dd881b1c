// Other people's programs, where they are installed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attnlab {

/// Its exit code; what it says is lost. Ended after ten minutes.
int run_program(const std::string& command);

/// In single quotes, for a shell.
std::string shell_path(const std::filesystem::path& path);

/// The files with that extension in the folder, in order.
std::vector<std::filesystem::path> files_with(const std::filesystem::path& folder,
                                              const std::string& extension);

}  // namespace attnlab
