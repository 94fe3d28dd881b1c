// Chromium without a window, led through its debugging pipe: a page that is served is moved as a reader moves
// it.
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>

namespace attnlab {

class Browser {
 public:
  /// Its files go into the folder.
  explicit Browser(const std::string& folder);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser(Browser&&) = delete;
  Browser& operator=(const Browser&) = delete;
  Browser& operator=(Browser&&) = delete;

  /// Opens the address, and waits for its scripts.
  void open(const std::string& address);

  /// What the expression, or the promise that it is, gives in the page.
  nlohmann::json value_of(const std::string& expression);

  void show_on_telephone() { show_in(390); }

  /// In a window of this width; one of a telephone is touched.
  void show_in(int width);

  /// Of a reader who wants nothing to move.
  void show_without_motion();

  /// The name and the role of what the expression gives, a list of elements, as a screen reader says them.
  nlohmann::json names_of(const std::string& expression);

  void close_page();

  /// What the page said on its console, and the errors of its scripts.
  const std::string& console() const { return console_; }

 private:
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters,
                      const std::string& session);
  std::string next_message();

  pid_t process_ = 0;
  int questions_ = -1;
  int answers_ = -1;
  int number_ = 0;
  std::string buffer_;
  std::string target_;
  std::string session_;
  std::string console_;
};

}  // namespace attnlab
