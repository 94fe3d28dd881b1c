#include "read_tokenizer.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "model/tokenizer/tokenizer.hpp"

namespace attnlab::fuzz {
namespace {

const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    const auto made = std::filesystem::temp_directory_path() / ("attnlab-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(made);
    return made;
  }();
  return path;
}

}  // namespace

int read_tokenizer(const std::string& name, const std::uint8_t* bytes, std::size_t size) {
  const std::filesystem::path file = folder() / name;
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  try {
    Checkpoint checkpoint;
    checkpoint.config = {{"vocab_size", 1U << 22U}};
    std::vector<std::string> files;
    const auto tokenizer = tokenizer_of(checkpoint, file.string(), files);
    for (const char* text : {"the cat's  12 名前 e\u0301\uFB01 \u2167", "a<mask> b</s>",
                             "aaaaaaaaaaaaaaaaaaaaaaaa", "\r\n\t \u3000x", ""}) {
      const Tokens tokens = tokenizer->encode(text);
      tokenizer->decode(tokens);
      for (const std::size_t token : tokens) tokenizer->label(token);
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}

}  // namespace attnlab::fuzz
