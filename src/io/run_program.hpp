// Other programs that make files for us (pandoc, ffmpeg), and a folder where they find and leave them.
#pragma once

#include <filesystem>

#include "io/interruption.hpp"

namespace attnlab {

/// A folder of our own, which goes with all that is in it: while it stands, signals ask.
class PassingFolder {
 public:
  /// Throws Error (failed) where none can be made.
  PassingFolder();
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder(PassingFolder&&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  PassingFolder& operator=(PassingFolder&&) = delete;
  ~PassingFolder();

  void write(const std::filesystem::path& file, std::string_view bytes) const;
  std::string read(const std::filesystem::path& file) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  InterruptionRequest interruption_{{SIGINT, SIGTERM, SIGHUP}, AgainSignalled::requests};
  std::filesystem::path path_;
};

/// The program and its words, in the folder; what it says goes into the file "said" there. Its exit code, or
/// none where there is no such program on the path. It is told a date that does not change.
std::optional<int> run_program(std::vector<std::string> words, const std::filesystem::path& folder);

/// Throws Error (failed) where a signal has asked to end.
void refuse_if_interrupted();

}  // namespace attnlab
