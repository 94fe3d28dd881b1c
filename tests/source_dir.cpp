#include "source_dir.hpp"

namespace attnlab {

std::filesystem::path source_dir() { return ATTNLAB_SOURCE_DIR; }

}  // namespace attnlab
