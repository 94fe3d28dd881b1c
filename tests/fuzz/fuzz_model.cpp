// A whole model in one file (.gguf, .pt, llama2.c's .bin), opened and asked for two tokens.
#include <unistd.h>

#include <cstdint>
#include <fstream>

#include "core/error.hpp"
#include "model/model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const std::string stem =
      (std::filesystem::temp_directory_path() / ("attnlab-fuzz-model-" + std::to_string(getpid()))).string();
  const std::string_view first(reinterpret_cast<const char*>(bytes), size);
  const std::string file = stem + (first.substr(0, 4) == "GGUF" ? ".gguf"
                                   : first.substr(0, 2) == "PK" ? ".pt"
                                                                : ".bin");
  std::ofstream(file, std::ios::binary).write(first.data(), static_cast<std::streamsize>(size));
  try {
    const attnlab::LanguageModel model = attnlab::model_of(attnlab::open_checkpoint(file));
    attnlab::Cache cache = attnlab::empty_cache(model, 2);
    attnlab::read_tokens(model, {1, 2}, cache, {}, attnlab::one_after_another);
  } catch (const attnlab::Error&) {
    return 0;
  }
  return 0;
}
