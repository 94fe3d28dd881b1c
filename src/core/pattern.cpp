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

namespace {

/// GLib's \s also holds U+180E, which has not been white space since Unicode 6.3.
std::string with_unicode_space(const std::string& expression) {
  std::string result;
  bool in_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const std::string_view pair = std::string_view(expression).substr(i, 2);
    if (pair == "\\s" || pair == "\\S") {
      const std::string space = R"(\t-\r\x{85}\p{Z})";
      result += in_class ? space : (pair == "\\s" ? "[" : "[^") + space + "]";
      ++i;
    } else if (pair.front() == '\\') {
      result += pair;
      ++i;
    } else {
      in_class = pair.front() == '[' || (in_class && pair.front() != ']');
      result += pair.front();
    }
  }
  return result;
}

}  // namespace

CuttingPattern::CuttingPattern(const std::string& expression)
    : compiled_(
          g_regex_new(with_unicode_space(expression).c_str(), G_REGEX_OPTIMIZE, GRegexMatchFlags{}, nullptr),
          g_regex_unref) {
  if (!compiled_) throw std::runtime_error("not a pattern: " + expression);
}

std::vector<std::string_view> CuttingPattern::pieces(std::string_view text) const {
  std::vector<std::string_view> found;
  GMatchInfo* info = nullptr;
  GError* error = nullptr;
  g_regex_match_full(compiled_.get(), text.data(), static_cast<gssize>(text.size()), 0, GRegexMatchFlags{},
                     &info, &error);
  std::size_t done = 0;
  while (error == nullptr && g_match_info_matches(info) != FALSE) {
    int begin = 0;
    int end = 0;
    g_match_info_fetch_pos(info, 0, &begin, &end);
    const auto from = static_cast<std::size_t>(begin);
    if (from > done) found.push_back(text.substr(done, from - done));
    found.push_back(text.substr(from, static_cast<std::size_t>(end) - from));
    done = static_cast<std::size_t>(end);
    g_match_info_next(info, &error);
  }
  g_match_info_free(info);
  if (error != nullptr) {
    const std::string reason = error->message;
    g_error_free(error);
    throw std::runtime_error(reason);
  }
  if (done < text.size()) found.push_back(text.substr(done));
  return found;
}

}  // namespace attnlab
