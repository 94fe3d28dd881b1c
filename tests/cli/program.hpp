// Runs the built program as a user runs it, each time in a folder of its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attnlab {

struct Outcome {
  int exit_code = 0;  // 128 + the signal's number when one ended it, as a shell says
  std::string out;
  std::string err;
};

/// What standard output is connected to.
enum class OutputKind { file, full_device, closed, closed_pipe, terminal };

struct Circumstances {
  OutputKind output = OutputKind::file;
  std::vector<std::string>
      environment;  // "LANG=ja_JP.UTF-8", added to PATH, HOME, LC_ALL=C.UTF-8 and no configuration
  std::optional<std::size_t> largest_file;  // bytes; writing beyond fails as on a full disk
  std::optional<unsigned> interrupt_after;  // microseconds until SIGINT
  std::string interrupt_at;                 // SIGINT as soon as this stands on the terminal
};

/// An empty folder that is removed with all in it at the end.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace(Workplace&&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  Workplace& operator=(Workplace&&) = delete;

  /// Runs `attnlab` with the arguments inside the folder. On a terminal both streams arrive in `out`.
  Outcome run(const std::vector<std::string>& arguments, const Circumstances& circumstances = {}) const;

  std::filesystem::path path(const std::string& name) const { return inside_ / name; }
  bool has(const std::string& name) const { return std::filesystem::exists(path(name)); }
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& bytes) const;
  /// Every file below the folder, relative to it, in order.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path root_;
  std::filesystem::path inside_;
};

/// What is said of a call that makes no sense, checked to be one line with exit code 2; nothing of it reaches
/// standard output or the folder.
std::string refused_call(const std::vector<std::string>& arguments);

Circumstances on_terminal(const std::vector<std::string>& environment = {});

std::vector<std::string> lines_of(const std::string& text);
/// The words alone: where a line breaks does not matter.
std::string on_one_line(const std::string& text);
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
bool is_png(const std::string& bytes);  // from signature to end mark
bool is_svg(const std::string& bytes);
bool is_pdf(const std::string& bytes);

}  // namespace attnlab
