// What a live page is answered: texts in, texts out, each computed in a process of its own.
#pragma once

#include "live/page_server.hpp"
#include "live/worker.hpp"
#include "products/page_request.hpp"

namespace attnlab {

class LiveAnswers {
 public:
  /// `request`: what the page begins with. The files that it names have been read.
  explicit LiveAnswers(const PageRun& request);

  /// Throws Error (usage) where the page cannot begin with these values.
  void check(const Text& hint);

  /// At "/" the page as it begins; at "/frame" a picture, and at "/page" what `-o page.html` would write,
  /// both of {"figure": NAME, "parameters": {NAME: TEXT}} as JSON. With status 422 what is wrong in both
  /// languages; a newer request ends the work on an older one, which gets 409.
  std::optional<ServedAnswer> serve(const HttpRequest& request, const std::string& path);

 private:
  const PageRun& request_;
  Worker frames_;
  Worker pages_;
};

}  // namespace attnlab
