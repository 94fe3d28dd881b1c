// exercise.json: what a class was asked, as `grade` finds it beside the sheets.
#include "core/error.hpp"
#include "exercise/class_exercise.hpp"
#include "written_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    attnlab::read_record(attnlab::fuzz::written_file("exercise.json", bytes, size));
  } catch (const attnlab::Error&) {  // refused
  }
  return 0;
}
