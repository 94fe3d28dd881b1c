#include "live/http_request.hpp"

#include <random>

#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr const char* line_end = "\r\n";

/// "GET /word/ HTTP/1.1"; false for anything else.
bool read_first_line(const std::string& line, HttpRequest& request) {
  const std::size_t path = line.find(' ') + 1;
  const std::size_t version = line.rfind(' ') + 1;
  if (path == 0 || version <= path + 1 || line.compare(version, 7, "HTTP/1.") != 0) return false;
  request.path = line.substr(path, version - 1 - path);
  request.path = request.path.substr(0, request.path.find('?'));
  request.method = line.substr(0, path - 1);
  return true;
}

}  // namespace

std::optional<std::string> HttpRequest::field(const std::string& name) const {
  const auto found = fields.find(name);
  if (found == fields.end()) return "";
  return found->second.size() == 1 ? std::optional(found->second.front()) : std::nullopt;
}

std::optional<HttpHead> http_head(const std::string& bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  HttpHead head{{}, end + 4};
  std::size_t next = bytes.find(line_end) + 2;
  if (!read_first_line(bytes.substr(0, next - 2), head.request)) return head;
  while (next < end + 2) {
    const std::size_t stop = bytes.find(line_end, next);
    const std::string line = bytes.substr(next, stop - next);
    next = stop + 2;
    const std::size_t colon = line.find(':');
    const std::string name = lower_case(line.substr(0, colon));
    if (colon == std::string::npos || name.empty() || name.find_first_of(" \t") != std::string::npos) {
      head.request.method.clear();
      return head;
    }
    head.request.fields[name].emplace_back(trimmed(std::string_view(line).substr(colon + 1), " \t"));
  }
  return head;
}

std::optional<std::size_t> length_of_body(const HttpRequest& request) {
  const std::optional<std::string> length = request.field("content-length");
  if (!length || request.fields.count("transfer-encoding") != 0) return std::nullopt;
  if (length->empty()) return 0;
  constexpr std::size_t most_digits = 9;
  if (length->size() > most_digits) return most_of_body + 1;
  if (length->find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoul(*length);
}

std::string answer_head(int status, const std::string& type, std::optional<std::size_t> length,
                        const std::string& more) {
  return fmt::format(
      "HTTP/1.1 {} \r\nContent-Type: {}\r\n{}Connection: close\r\nCache-Control: no-store\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n{}\r\n",
      status, type, length ? fmt::format("Content-Length: {}\r\n", *length) : "", more);
}

std::string whole_answer(int status, const std::string& type, const std::string& body,
                         const std::string& more) {
  return answer_head(status, type, body.size(), more) + body;
}

std::string random_word() {
  std::random_device device;
  std::string word;
  for (int i = 0; i < 4; ++i) word += fmt::format("{:08x}", static_cast<std::uint32_t>(device()));
  return word;
}

}  // namespace attnlab
