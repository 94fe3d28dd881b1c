// A socket whose other end is closed ends nothing: to write there is an error, no signal.
#pragma once

#include <sys/socket.h>

#include <string_view>

namespace attnlab {

/// Where a system knows this of a socket, not of a call (macOS).
inline void make_quiet([[maybe_unused]] int socket) {
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
}

/// As send().
inline ssize_t send_some(int socket, std::string_view bytes) {
#ifdef MSG_NOSIGNAL
  return ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
#else
  return ::send(socket, bytes.data(), bytes.size(), 0);
#endif
}

}  // namespace attnlab
