// Files that were made, whose pages show themselves anew when they have changed.
#pragma once

#include <mutex>

#include "live/page_server.hpp"

namespace attnlab {

class ServedFiles {
 public:
  /// From now on these: the page is "/", and what was made below its folder lies where its links look for it.
  /// Nothing else of the folder is served.
  void hold(const std::filesystem::path& page, const std::vector<std::filesystem::path>& made);

  /// A page gets a script that loads it again when the server tells news.
  std::optional<ServedAnswer> serve(const HttpRequest& request, const std::string& path);

 private:
  std::mutex mutex_;  // asked by the server while more is made
  std::map<std::string, std::filesystem::path> files_;
};

}  // namespace attnlab
