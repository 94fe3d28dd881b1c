// The files of a folder, whose pages show themselves anew when they have changed.
#pragma once

#include "live/served_pages.hpp"

namespace attnlab {

class ServedFolder : public ServedPages {
 public:
  /// The folder of a page, which is "/".
  explicit ServedFolder(const std::filesystem::path& page)
      : folder_(page.has_parent_path() ? page.parent_path() : "."), first_(page.filename()) {}

  /// Files below the folder alone. A page gets a script that loads it again when the server tells news.
  std::optional<ServedAnswer> serve(const HttpRequest& request, const std::string& path) override;

 private:
  std::filesystem::path folder_;
  std::filesystem::path first_;
};

}  // namespace attnlab
