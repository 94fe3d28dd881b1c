// What a live page is answered: texts in, texts out, each computed in a process of its own.
#pragma once

#include "live/served_pages.hpp"
#include "live/worker.hpp"
#include "products/page_request.hpp"

namespace attnlab {

struct Answer {
  int status = 200;  // of HTTP
  std::string body;
};

class LiveAnswers : public ServedPages {
 public:
  /// `request`: what the page begins with. The files that it names have been read.
  explicit LiveAnswers(const PageRun& request);

  /// Throws Error (usage) where the page cannot begin with these values.
  void check(const Text& hint);

  /// The order in which answers are asked for: a newer turn ends the work for an older one.
  struct Turn {
    Worker* worker = nullptr;
    unsigned number = 0;
  };
  Turn frame_turn() { return {&frames_, frames_.next_turn()}; }
  Turn saved_turn() { return {&pages_, pages_.next_turn()}; }

  /// Nobody waits for that answer.
  static void give_up(const Turn& turn) { turn.worker->give_up(turn.number); }

  std::optional<ServedAnswer> serve(const HttpRequest& request, const std::string& path) override;

  void end() override {
    frames_.finish();
    pages_.finish();
  }

  /// The page as it begins; its script may run under the nonce.
  static Answer page(const Turn& turn, const std::string& nonce);

  /// `body` is {"figure": NAME, "parameters": {NAME: TEXT}} as JSON. Answers a picture, or with status 422
  /// what is wrong in both languages; 409 where a newer turn came.
  static Answer frame(const Turn& turn, const std::string& body);

  /// Likewise, the page that `-o page.html` would write.
  static Answer saved(const Turn& turn, const std::string& body);

  /// "vectors.html"
  std::string file_name() const;

 private:
  const PageRun& request_;
  Worker frames_;
  Worker pages_;
};

}  // namespace attnlab
