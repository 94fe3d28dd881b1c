// The files and folders that a run is about to write: whether that can work is known before anything is
// written.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

class Targets {
 public:
  using Path = std::filesystem::path;

  /// A file in a folder that exists.
  void add(const Path& file) { add(file, file); }
  void add(const std::vector<Path>& files);
  /// A file whose name is yet to be completed: `sample` is one that it may become.
  void add(const Path& file, const Path& sample) { files_.push_back({file, sample, {}}); }
  /// A file in a folder that the run creates.
  void add_below(const Path& folder, const Path& file) { files_.push_back({file, file, folder}); }
  /// A folder that is there or can be created.
  void add_folder(const Path& folder) { folders_.push_back(folder); }
  /// A file that the run reads.
  void spare(const std::vector<Path>& files);

  /// Throws Error: usage when a file would be written twice or is read, failed when one cannot be written or
  /// a folder cannot be created. Creates nothing.
  void check() const;

 private:
  struct File {
    Path path;
    Path sample;
    Path folder;  // "" where it must exist
  };
  std::vector<File> files_;
  std::vector<Path> folders_;
  std::vector<Path> spared_;
};

/// Throws Error (usage) when two of the paths are one file.
void check_distinct(const std::vector<std::filesystem::path>& paths);

/// Creates the folder and those above it. Throws Error (failed) with the system's reason.
void create_folder(const std::filesystem::path& folder);

}  // namespace attnlab
