// Standard output and standard error: what goes where, in colour or not, and what a failure means.
#pragma once

#include "io/interruption.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {

/// Where standard input, output or error is closed, the next file opened would take its number and receive
/// what we print. Occupies the free numbers with something that cannot be written to.
void occupy_closed_streams();

/// From now on SIGINT, SIGTERM and SIGHUP remove the file that is being written, then end the program as they
/// always do. What was ignored before (nohup) stays ignored. SIGPIPE ends the program quietly, whatever was
/// inherited. SIGBUS, which comes of a file that another program cuts short while it is read, is told in the
/// language and ends with exit code 1.
void clean_up_on_interruption(Language language);

/// Throws Error (failed) with the system's reason when not all of it can be written.
void write_output(std::string_view text);

/// Into the file, or to standard output where it is "-". Throws Error (failed) with the system's reason.
void write_target(const std::filesystem::path& file, const std::string& bytes);

/// "attnlab: MESSAGE" as one line on standard error, printable. Failures are ignored: nowhere to
/// report them.
void write_error(std::string_view message);

/// "warning: TEXT" / "警告: TEXT", a line each.
void write_warnings(const std::vector<Text>& warnings, Language language);

/// "note: TEXT" / "注: TEXT".
void write_note(const Text& note, Language language);

/// The paths of what was written, one a line.
std::string lines_of(const std::vector<std::filesystem::path>& paths);

/// ANSI where standard output is a terminal that can, and NO_COLOR is unset or empty.
Colouring output_colouring();

/// One line on standard error, rewritten as the work goes on and gone at the end; silent unless that is a
/// terminal, and until there is something to show.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar(ProgressBar&&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ProgressBar& operator=(ProgressBar&&) = delete;

  /// The work has come so far, 0 to 1; `name` says what it does.
  void show(double fraction, const std::string& name);
  /// Wipes the line out, for other lines to take its place.
  void clear();

 private:
  bool visible_;
  bool drawn_ = false;
};

}  // namespace attnlab
