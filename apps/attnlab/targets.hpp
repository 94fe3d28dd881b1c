// Folders and files that a run will write to: whether that can work, before any work is done.
#pragma once

#include <filesystem>

namespace attnlab {

/// Throws Error (failed) when the folder is a file, or is missing and cannot be created. Creates nothing.
void check_folder(const std::filesystem::path& folder);

/// Creates the folder and those above it. Throws Error (failed) with the system's reason.
void create_folder(const std::filesystem::path& folder);

/// check_target, but a folder that is yet to be created is taken as there.
void check_target_below(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace attnlab
