// The one exception that the library throws: what happened, and what to do about it.
#pragma once

#include <exception>

#include "core/text.hpp"

namespace attnlab {

/// Decides the exit code: 1 when the work failed, 2 when the request made no sense.
enum class ErrorKind { failed = 1, usage = 2 };

/// `problem` says what was wrong, what was found and what is needed; `hint` says what to do.
/// Together they are one line: "d_model 16 cannot be split over 3 heads; choose a divisor of 16".
class Error : public std::exception {
 public:
  Error(ErrorKind kind, const Text& problem, const Text& hint);

  /// The same with its place in a file before it, as failed work: "lecture.toml:5: there is no ...".
  Error at(const std::string& place) const;

  ErrorKind kind() const { return kind_; }
  const Text& message() const { return message_; }
  const std::string& message(Language language) const { return message_.in(language); }
  const char* what() const noexcept override { return message_.en().c_str(); }

 private:
  ErrorKind kind_;
  Text message_;
};

/// Both throw an Error of that kind.
[[noreturn]] void refuse_usage(const Text& problem, const Text& hint);
[[noreturn]] void refuse_failed(const Text& problem, const Text& hint);

/// What `error_number` (errno) means, since the system's own words are English alone: the usual ones in
/// words, the others in Japanese by their number.
Text system_reason(int error_number);

}  // namespace attnlab
