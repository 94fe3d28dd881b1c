// config.json, to the record that drives the block.
#include <unistd.h>

#include <cstdint>
#include <fstream>

#include "core/error.hpp"
#include "model/families.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const std::string file =
      (std::filesystem::temp_directory_path() / ("attnlab-fuzz-config-" + std::to_string(getpid()))).string();
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  try {
    attnlab::Checkpoint checkpoint;
    checkpoint.place = file;
    checkpoint.config = attnlab::json_of_file(file);
    attnlab::family_of(checkpoint);
  } catch (const attnlab::Error&) {
    return 0;
  }
  return 0;
}
