// The program: reads the command line, carries it out, and turns every failure into one line and an exit
// code.
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "attnlab/terminal/console.hpp"
#include "attnlab/interruption.hpp"
#include "attnlab/command_line/language.hpp"
#include "attnlab/request.hpp"
#include "attnlab/run.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"

namespace {

constexpr int failed = 1;

int run_program(const std::vector<std::string>& arguments, attnlab::Language language) {
  try {
    return static_cast<int>(attnlab::carry_out(attnlab::read_request(arguments, language)));
  } catch (const attnlab::Error& error) {
    attnlab::write_error(error.message(language));
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    attnlab::write_error(language == attnlab::Language::ja ? "メモリが足りません。大きさを減らしてください"
                                                           : "out of memory; choose smaller sizes");
    return failed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    attnlab::keep_freed_memory();
    attnlab::clean_up_on_interruption();
    attnlab::occupy_closed_streams();
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    return run_program(arguments, attnlab::chosen_language(arguments, attnlab::language_of_environment()));
  } catch (const std::exception& error) {
    attnlab::write_error(error.what());
    return failed;
  }
}
