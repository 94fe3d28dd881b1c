// What `build` and `site` have made, on the disk.
#pragma once

#include "products/lecture/lecture_building.hpp"
#include "products/targets.hpp"

namespace attnlab {

/// Checks all files together with the other targets, tells the warnings, and writes. Throws Error before
/// anything is written where a file cannot be.
void write_folder(const BuiltFolder& built, const std::filesystem::path& folder, Targets targets,
                  Language language);

}  // namespace attnlab
