// Where the sources lie: in one object file, so that the others compile alike in every checkout (ccache).
#pragma once

#include <filesystem>

namespace attnlab {

std::filesystem::path source_dir();

}  // namespace attnlab
