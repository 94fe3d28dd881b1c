// The files of a folder, whose pages show themselves anew when they have changed.
#pragma once

#include "live/served_pages.hpp"

namespace attnlab {

class ServedFolder : public ServedPages {
 public:
  /// "/" is `first`, a page of the folder.
  ServedFolder(std::filesystem::path folder, std::string first)
      : folder_(std::move(folder)), first_(std::move(first)) {}

  /// Files below the folder alone. A page gets a script that loads it again when the server tells news.
  std::optional<ServedAnswer> serve(const HttpRequest& request, const std::string& path) override;

 private:
  std::filesystem::path folder_;
  std::string first_;
};

}  // namespace attnlab
