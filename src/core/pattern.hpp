// Regular expressions of Perl's kind. GLib's: std::regex takes the compiler three seconds a source.
#pragma once

#include "core/standard.hpp"

struct _GRegex;  // NOLINT(bugprone-reserved-identifier): GLib's name

namespace attnlab {

class Pattern {
 public:
  explicit Pattern(const char* expression);

  /// What it matches right at byte `begin`: the whole, then each group, "" where that took no part; nothing
  /// where it does not match there.
  std::vector<std::string> match_at(const std::string& text, std::size_t begin) const;

 private:
  std::shared_ptr<_GRegex> compiled_;
};

/// Cuts texts as tokenizers do, character by character: letters, numbers and white space are Unicode's.
class CuttingPattern {
 public:
  explicit CuttingPattern(const std::string& expression);

  /// Every match, and every stretch between two of them, in order; `text` is UTF-8. Throws
  /// std::runtime_error where a match would take too much memory.
  std::vector<std::string_view> pieces(std::string_view text) const;

 private:
  std::shared_ptr<_GRegex> compiled_;
};

}  // namespace attnlab
