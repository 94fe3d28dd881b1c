// Where this program lies.
#pragma once

#include <filesystem>

namespace attnlab {

/// The file that runs, without symbolic links; empty where the system does not tell.
std::filesystem::path program_path();

}  // namespace attnlab
