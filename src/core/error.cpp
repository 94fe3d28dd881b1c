#include "core/error.hpp"

namespace attnlab {

Error::Error(ErrorKind kind, const Text& problem, const Text& hint)
    : kind_(kind), message_(problem.ja() + "。" + hint.ja(), problem.en() + "; " + hint.en()) {}

Error Error::at(const std::string& place) const {
  Error placed = *this;
  placed.kind_ = ErrorKind::failed;
  placed.message_ = {place + ": " + message_.ja(), place + ": " + message_.en()};
  return placed;
}

void refuse_usage(const Text& problem, const Text& hint) {
  throw Error(ErrorKind::usage, problem, hint);
}

void refuse_failed(const Text& problem, const Text& hint) {
  throw Error(ErrorKind::failed, problem, hint);
}

}  // namespace attnlab
