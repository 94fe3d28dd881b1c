// Words for labels in a file of any kind.
#include <array>

#include "core/error.hpp"
#include "io/words_file.hpp"
#include "written_file.hpp"

// The first byte says which kind of file the others are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::array names{"words.txt", "words.npy", "words.npz", "words.json", "words.safetensors"};
  if (size == 0) return 0;
  try {
    attnlab::words_of_file(
        attnlab::fuzz::written_file(names.at(bytes[0] % names.size()), bytes + 1, size - 1));
  } catch (const attnlab::Error&) {  // refused
  }
  return 0;
}
