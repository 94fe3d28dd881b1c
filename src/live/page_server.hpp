// Serves pages on the loopback address, to whoever knows its address.
#pragma once

#include <memory>
#include <optional>

#include "live/http_request.hpp"

namespace attnlab {

/// The work on one answer, which is done on a thread of its own.
struct ServedAnswer {
  std::function<std::string()> answer;  // head and body
  std::function<void()> give_up = {};   // nobody waits for it any more
};

/// `path` begins with "/", without the word that only the reader knows; nothing for one that leads nowhere.
using Serve = std::function<std::optional<ServedAnswer>(const HttpRequest& request, const std::string& path)>;

class PageServer {
 public:
  /// Serves from now on; port 0 is any that is free. Throws Error (failed) for one that is taken.
  PageServer(Serve answers, int port);
  ~PageServer();  // gives up the answers, and closes every connection
  PageServer(const PageServer&) = delete;
  PageServer(PageServer&&) = delete;
  PageServer& operator=(const PageServer&) = delete;
  PageServer& operator=(PageServer&&) = delete;

  /// "http://127.0.0.1:40123/6f0c.../"; the word at its end is drawn at random, and nothing answers without
  /// it.
  std::string address() const;

  /// Every page that is open hears that there is something new.
  void announce() const;

  /// Who has the page open, and when (steady_seconds) the last one of those closed it.
  struct Visits {
    int open = 0;
    std::optional<double> last_left;
  };
  Visits visits() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace attnlab
