#include "core/pattern.hpp"

#include <glib.h>

namespace attnlab {

// Bytes, not characters: a label may be anything.
Pattern::Pattern(const char* expression)
    : compiled_(
          g_regex_new(expression,
                      static_cast<GRegexCompileFlags>(G_REGEX_RAW | G_REGEX_ANCHORED | G_REGEX_OPTIMIZE),
                      GRegexMatchFlags{}, nullptr),
          g_regex_unref) {}

std::vector<std::string> Pattern::match_at(const std::string& text, std::size_t begin) const {
  std::vector<std::string> found;
  GMatchInfo* info = nullptr;
  if (g_regex_match_full(compiled_.get(), text.data(), static_cast<gssize>(text.size()),
                         static_cast<gint>(begin), GRegexMatchFlags{}, &info, nullptr) != FALSE) {
    for (int group = 0; group <= g_regex_get_capture_count(compiled_.get()); ++group) {
      char* const part = g_match_info_fetch(info, group);
      found.emplace_back(part == nullptr ? "" : part);
      g_free(part);
    }
  }
  g_match_info_free(info);
  return found;
}

}  // namespace attnlab
