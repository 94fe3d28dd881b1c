// A text that `train` learns from: lines of pairs, characters.
#include "catalogue/input_files.hpp"
#include "core/error.hpp"
#include "tasks/tasks.hpp"
#include "written_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attnlab;
  const std::string file = fuzz::written_file("text.txt", bytes, size);
  for (const Experiment& task : tasks()) {
    if (task.task != "text" && task.task != "pairs") continue;
    try {
      Arguments arguments(task.parameters);
      arguments.set(task.task == "pairs" ? "pairs" : "text", file);
      arguments.set("steps", "1");
      for (const char* name : {"layers", "heads", "width"}) arguments.set(name, "2");
      if (task.task == "text") arguments.set("length", "4");
      read_contents(arguments, task);
      run(task, arguments);
    } catch (const Error&) {  // refused
    }
  }
  return 0;
}
