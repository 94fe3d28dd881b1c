// A model that `train --save-model` is said to have saved, and what a task makes of it: the words, lengths
// and settings in its metadata, and its arrays.
#include "catalogue/input_files.hpp"
#include "core/error.hpp"
#include "tasks/tasks.hpp"
#include "written_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attnlab;
  const std::string file = fuzz::written_file("model.safetensors", bytes, size);
  for (const Experiment& task : tasks()) {
    if (task.task != "text" && task.task != "pairs" && task.task != "reverse") continue;
    try {
      Arguments arguments(task.parameters);
      arguments.set("model", file);
      arguments.set("input", "a");
      read_contents(arguments, task);
      run(task, arguments);
    } catch (const Error&) {  // refused
    }
  }
  return 0;
}
