// Bytes where a reader of files finds them.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace attnlab::fuzz {

inline void write(const std::filesystem::path& file, const std::uint8_t* bytes, std::size_t size) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
}

/// The same file for every input, of this process alone.
inline std::string written_file(const std::string& name, const std::uint8_t* bytes, std::size_t size) {
  const std::string file =
      std::filesystem::temp_directory_path() / ("attnlab-fuzz-" + std::to_string(getpid()) + "-" + name);
  write(file, bytes, size);
  return file;
}

}  // namespace attnlab::fuzz
