// A picture: PNG, JPEG, or an npy of pixels.
#include <string>

#include "core/error.hpp"
#include "io/image_file.hpp"
#include "io/tensor_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attnlab;
  const SharedBytes file = shared(std::string(bytes, bytes + size));
  try {
    if (file.view.substr(0, 6) == "\x93NUMPY") {
      image_in(only_tensor(tensors_in(file, TensorFormat::npy, "fuzz"), "", ""), "fuzz");
    } else {
      image_in(file, "fuzz");
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
