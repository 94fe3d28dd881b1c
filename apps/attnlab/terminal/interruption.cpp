// What Ctrl-C leaves behind: nothing unfinished.
#include <csignal>

#include "attnlab/terminal/console.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

/// Only calls that are safe in a handler. SA_RESETHAND has put the default back, so raising ends the program.
void remove_and_end(int number) {
  remove_unfinished_file();
  raise(number);
}

}  // namespace

void clean_up_on_interruption() {
  signal(SIGPIPE, SIG_DFL);  // a closed pipe ends the program, even where the parent ignored the signal
  signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error of write(), with its message
  struct sigaction cleaning {};
  cleaning.sa_handler = remove_and_end;
  cleaning.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &cleaning, nullptr);
  }
}

}  // namespace attnlab
