#include "shell.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace attnlab {

bool is_installed(const std::string& program) {
  const bool found = std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
  if (!found) MESSAGE(program, " is not installed");
  return found;
}

std::string printed_by(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> buffer = {};
  for (std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe); got > 0;
       got = fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), got);
  }
  pclose(pipe);
  return text;
}

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace attnlab
