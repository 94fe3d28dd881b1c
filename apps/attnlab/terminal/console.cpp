// Writes to the standard streams and reports what could not be written.
#include "attnlab/terminal/console.hpp"

#include <fcntl.h>

#include <csignal>
#include <cstdlib>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "io/descriptor.hpp"

namespace attnlab {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// --- What Ctrl-C leaves behind: nothing unfinished

const char* words_on_a_cut_file = "";

void report_cut_file(int /*number*/) {
  remove_unfinished_file();
  write_all(STDERR_FILENO, words_on_a_cut_file);
  _exit(1);
}

}  // namespace

void occupy_closed_streams() {
  int stream = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (stream >= 0 && stream <= STDERR_FILENO) stream = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (stream > STDERR_FILENO) ::close(stream);
}

void clean_up_on_interruption(Language language) {
  words_on_a_cut_file =
      language == Language::ja
          ? "attnlab: 読んでいるファイルが、ほかのプログラムに切り詰められました。書き終わってから実行してください\n"
          : "attnlab: a file was cut short by another program while it was read; run again when that is done\n";
  signal(SIGBUS, report_cut_file);
  signal(SIGPIPE, SIG_DFL);  // a closed pipe ends the program, even where the parent ignored the signal
  signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error of write(), with its message
  struct sigaction cleaning {};
  cleaning.sa_handler = remove_and_end;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &cleaning, nullptr);
  }
}

void write_output(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  const Text reason = system_reason(errno);
  refuse_failed(
      attnlab::text("標準出力に書き込めません（{}）", "cannot write to standard output: {}", reason),
      {"出力先の空き容量を確かめるか、別の出力先にしてください",
       "free some space there, or send the output elsewhere"});
}

void write_target(const std::filesystem::path& file, const std::string& bytes) {
  if (file == "-") {
    write_output(bytes);
  } else {
    write_file(file, bytes);
  }
}

void write_error(std::string_view message) {
  write_all(STDERR_FILENO, printable(fmt::format("attnlab: {}", message)) + "\n");
}

void write_warnings(const std::vector<Text>& warnings, Language language) {
  for (const Text& warning : warnings) {
    write_all(STDERR_FILENO, printable(text("警告: {}", "warning: {}", warning).in(language)) + "\n");
  }
}

void write_note(const Text& note, Language language) {
  write_all(STDERR_FILENO, printable(text("注: {}", "note: {}", note).in(language)) + "\n");
}

std::string lines_of(const std::vector<std::filesystem::path>& paths) {
  std::string lines;
  for (const std::filesystem::path& path : paths) lines += path.string() + "\n";
  return lines;
}

Colouring output_colouring() {
  const bool wanted = environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return wanted && ::isatty(STDOUT_FILENO) == 1 ? Colouring::ansi : Colouring::plain;
}

ProgressBar::ProgressBar() : visible_(::isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb") {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_) write_all(STDERR_FILENO, "\r\x1b[K");
  drawn_ = false;
}

void ProgressBar::show(double fraction, const std::string& name) {
  constexpr double width = 24.0;
  if (!visible_) return;
  drawn_ = true;
  const auto filled = static_cast<std::size_t>(width * std::clamp(fraction, 0.0, 1.0));
  write_all(STDERR_FILENO,
            fmt::format("\r\x1b[K[{}{}] {:.0f}% {}", std::string(filled, '#'),
                        std::string(static_cast<std::size_t>(width) - filled, '-'), 100.0 * fraction, name));
}

}  // namespace attnlab
