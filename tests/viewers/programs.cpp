#include "programs.hpp"

#include <algorithm>
#include <cstdlib>

namespace attnlab {

namespace fs = std::filesystem;

int run_program(const std::string& command) {
  return std::system(("timeout 600 " + command + " >/dev/null 2>&1 </dev/null").c_str());
}

std::string shell_path(const fs::path& path) { return "'" + path.string() + "'"; }

std::vector<fs::path> files_with(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace attnlab
