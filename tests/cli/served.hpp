// `attnlab explore`, or --watch, as it runs beside a test, and plain bytes sent to it.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace attnlab {

class Served {
 public:
  /// Starts `attnlab explore ARGUMENTS`, or another command that prints an address first, and waits for that.
  explicit Served(const std::vector<std::string>& arguments, const std::string& command = "explore");
  ~Served();
  Served(const Served&) = delete;
  Served(Served&&) = delete;
  Served& operator=(const Served&) = delete;
  Served& operator=(Served&&) = delete;

  const std::string& address() const { return address_; }  // "http://127.0.0.1:40123/6f0c.../"
  std::string host() const;                                // "127.0.0.1:40123"
  std::string path() const;                                // "/6f0c.../"

  /// A connection to it; closed by the caller.
  int connection() const;

  /// What it answers to these bytes, until it closes the connection.
  std::string answer(const std::string& bytes) const;

  /// "POST PATH" with the usual headers and this body.
  std::string post(const std::string& name, const std::string& body) const;

  /// Its exit code once it ends by itself, within so many seconds.
  std::optional<int> exit_code(double seconds);
  void interrupt() const { signal(SIGINT); }
  void signal(int number) const;

  /// The processes that compute for it, as Linux tells them; empty elsewhere.
  std::vector<pid_t> workers() const;

 private:
  pid_t process_ = 0;
  std::string address_;
};

}  // namespace attnlab
