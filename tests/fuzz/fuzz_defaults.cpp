// attnlab.toml, as every command finds it in its folder.
#include <unistd.h>

#include <cstdlib>

#include "attnlab/output/defaults.hpp"
#include "written_file.hpp"

namespace {

/// This process works in a folder of its own, from which no other attnlab.toml is seen.
const std::filesystem::path& own_folder() {
  static const std::filesystem::path folder = [] {
    const auto made = std::filesystem::temp_directory_path() / ("attnlab-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(made);
    std::filesystem::current_path(made);
    setenv("HOME", made.c_str(), 1);
    unsetenv("XDG_CONFIG_HOME");
    return made;
  }();
  return folder;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  attnlab::fuzz::write(own_folder() / "attnlab.toml", bytes, size);
  const attnlab::Defaults defaults = attnlab::read_defaults();  // a fault is told, not thrown
  if (!defaults.fault && defaults.files.empty()) __builtin_trap();
  attnlab::language_of(defaults);
  return 0;
}
