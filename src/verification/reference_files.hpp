// The files of data/reference, inside the program: an installed attnlab verifies itself in any folder.
#pragma once

#include <string_view>
#include <vector>

namespace attnlab {

struct ReferenceFile {
  std::string_view path;  // below data/reference: "layers/linear.json"
  std::string_view text;
};

/// Every data/reference/*/*.json, in the order of their paths. Written by cmake/EmbedReference.cmake.
const std::vector<ReferenceFile>& reference_files();

}  // namespace attnlab
