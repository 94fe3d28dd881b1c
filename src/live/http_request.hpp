// The little of HTTP/1.1 that a live page needs: one request on a connection, one answer, and an end.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

struct HttpRequest {
  std::string method;
  std::string path;                                        // without what stands behind a question mark
  std::map<std::string, std::vector<std::string>> fields;  // of the head, by their names in small letters
  std::string body;

  /// The value of a field that is there once, "" for one that is not, nothing for one that is there twice.
  std::optional<std::string> field(const std::string& name) const;
};

/// No head and no body may be longer, in bytes.
constexpr std::size_t most_of_head = 16'384;
constexpr std::size_t most_of_body = 65'536;

namespace http_status {
constexpr int understood = 200;
constexpr int elsewhere = 302;
constexpr int unreadable = 400;
constexpr int forbidden = 403;
constexpr int unknown = 404;
constexpr int without_length = 411;
constexpr int too_long = 413;
constexpr int long_head = 431;
constexpr int mistaken = 500;
constexpr int crowded = 503;
}  // namespace http_status

/// The head that these bytes begin with, once its empty line is there: its fields, and where its body begins;
/// an empty method where it is no head of HTTP.
struct HttpHead {
  HttpRequest request;
  std::size_t end = 0;
};
std::optional<HttpHead> http_head(const std::string& bytes);

/// How long the body will be; nothing where the head says something else than one whole number, or that it
/// comes in chunks.
std::optional<std::size_t> length_of_body(const HttpRequest& request);

/// The head of an answer. `more`: lines of further fields, each with its end.
std::string answer_head(int status, const std::string& type, std::optional<std::size_t> length,
                        const std::string& more);

/// The whole of it, with the length of its body.
std::string whole_answer(int status, const std::string& type, const std::string& body,
                         const std::string& more = "");

/// 128 bits from the system, as hexadecimal digits.
std::string random_word();

}  // namespace attnlab
