// An open file of the system, closed at the end of its life.
#pragma once

#include "core/standard.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace attnlab {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

  /// Some file systems report a full disk only now. Returns false with errno set.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

/// Waits until a descriptor that was opened for others without waiting (a pipe of Node.js) takes part in
/// `events` again.
inline void wait_for(int descriptor, short events) {
  struct pollfd other {
    descriptor, events, 0
  };
  ::poll(&other, 1, -1);
}

/// Returns false with errno set where not all bytes could be written.
inline bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EAGAIN) wait_for(descriptor, POLLOUT);
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace attnlab
