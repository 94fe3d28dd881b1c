#include <cstdint>

#include "live/http_request.hpp"

// What a stranger sends to a live page, before the page knows who it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string sent(bytes, bytes + size);
  const std::optional<attnlab::HttpHead> head = attnlab::http_head(sent);
  if (!head) return 0;
  if (head->end > sent.size()) __builtin_trap();
  if (head->request.method.empty()) return 0;
  attnlab::length_of_body(head->request);
  for (const char* name : {"host", "origin", "sec-fetch-site"}) head->request.field(name);
  return 0;
}
