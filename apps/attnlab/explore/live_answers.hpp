// What a live page is answered: texts in, texts out, each computed in a process of its own.
#pragma once

#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/explore/worker.hpp"

namespace attnlab {

struct Answer {
  int status = 200;  // of HTTP
  std::string body;
};

class LiveAnswers {
 public:
  /// `request`: what the page begins with. The files that it names have been read.
  explicit LiveAnswers(const ExperimentRequest& request);

  /// Throws Error (usage) where the page cannot begin with these values.
  void check(const Text& hint);

  /// The page as it begins; its script may run under the nonce.
  Answer page(const std::string& nonce);

  /// `body` is {"figure": NAME, "parameters": {NAME: TEXT}} as JSON. Answers a picture, or with status 422
  /// what is wrong in both languages. A newer call ends an older one, which then has status 409.
  Answer frame(const std::string& body);

  /// Likewise, the page that `-o page.html` would write.
  Answer saved(const std::string& body);

  /// "vectors.html"
  std::string file_name() const;

 private:
  const ExperimentRequest& request_;
  Worker frames_;
  Worker pages_;
};

}  // namespace attnlab
