#include "core/memory.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

namespace attnlab {

double available_memory() {
  std::ifstream lines("/proc/meminfo");  // "MemAvailable:    8123456 kB"
  for (std::string name, unit; lines >> name;) {
    double kibibytes = 0.0;
    if (name == "MemAvailable:" && lines >> kibibytes) return 1024.0 * kibibytes;
    std::getline(lines, unit);
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace attnlab
