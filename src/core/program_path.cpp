#include "core/program_path.hpp"

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <cstdint>
#include <string>
#endif

namespace attnlab {

std::filesystem::path program_path() {
  std::error_code problem;
#ifdef __APPLE__
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string name(size, '\0');
  if (_NSGetExecutablePath(name.data(), &size) != 0) return {};
  std::filesystem::path found = std::filesystem::canonical(name.c_str(), problem);
#else
  std::filesystem::path found = std::filesystem::read_symlink("/proc/self/exe", problem);
#endif
  return problem ? std::filesystem::path() : found;
}

}  // namespace attnlab
