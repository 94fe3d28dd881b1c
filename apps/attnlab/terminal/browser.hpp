// The reader's browser.
#pragma once

#include <filesystem>
#include <string>

namespace attnlab {

/// Where someone sees a browser: on a terminal, with a screen.
bool has_screen();

/// Opens an address that is a secret: every user sees the words of a command, so the system's opener gets a
/// file that this user alone can read, and that leads there. Its life ends with this one's. The opener says
/// nothing here; where there is none the address is on the screen.
class OpenedBrowser {
 public:
  explicit OpenedBrowser(const std::string& address);
  ~OpenedBrowser();
  OpenedBrowser(const OpenedBrowser&) = delete;
  OpenedBrowser(OpenedBrowser&&) = delete;
  OpenedBrowser& operator=(const OpenedBrowser&) = delete;
  OpenedBrowser& operator=(OpenedBrowser&&) = delete;

 private:
  std::filesystem::path folder_;  // of that file; "" where there could be none
};

}  // namespace attnlab
