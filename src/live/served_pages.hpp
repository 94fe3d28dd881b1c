// What a server on the loopback address answers with.
#pragma once

#include "live/http_request.hpp"

namespace attnlab {

/// The work on one answer, which is done on a thread of its own.
struct ServedAnswer {
  std::function<std::string()> answer;  // head and body
  std::function<void()> give_up = {};   // nobody waits for it any more
};

class ServedPages {
 public:
  ServedPages() = default;
  virtual ~ServedPages() = default;
  ServedPages(const ServedPages&) = delete;
  ServedPages(ServedPages&&) = delete;
  ServedPages& operator=(const ServedPages&) = delete;
  ServedPages& operator=(ServedPages&&) = delete;

  /// `path` begins with "/", without the word that only the reader knows; nothing for one that leads nowhere.
  virtual std::optional<ServedAnswer> serve(const HttpRequest& request, const std::string& path) = 0;

  /// Ends all work for good.
  virtual void end() {}
};

}  // namespace attnlab
