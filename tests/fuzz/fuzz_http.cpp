// What a stranger sends to a live page: the head, before the page knows who it is, and what its body asks
// for.
#include <cstdint>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/named.hpp"
#include "live/http_request.hpp"
#include "live/live_request.hpp"

namespace attnlab {
namespace {

/// The head; where it ends, 0 for one that does not.
std::size_t end_of_read_head(const std::string& sent) {
  const std::optional<HttpHead> head = http_head(sent);
  if (!head) return 0;
  if (head->end > sent.size()) __builtin_trap();
  length_of_body(head->request);
  for (const char* name : {"host", "origin", "sec-fetch-site"}) head->request.field(name);
  return head->end;
}

void read_body(const std::string& body) {
  const Experiment* const experiment = find_named(experiments(), "self-attention");
  try {
    live_request(body, {{experiment, Arguments(experiment->parameters)}, {}, {}});
  } catch (const Error&) {            // refused
  } catch (const Json::exception&) {  // likewise
  }
}

}  // namespace
}  // namespace attnlab

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string sent(bytes, bytes + size);
  const std::size_t end = attnlab::end_of_read_head(sent);
  if (end != 0) attnlab::read_body(sent.substr(end));
  return 0;
}
