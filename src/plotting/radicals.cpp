#include "plotting/radicals.hpp"

#include <cctype>

namespace attnlab {
namespace {

const std::string sign = "√";
const std::string opening = "<span overline=\"single\">";
const std::string closing = "</span>";

bool starts_with(const std::string& text, std::size_t at, const std::string& beginning) {
  return text.compare(at, beginning.size(), beginning) == 0;
}

/// The end of the UTF-8 character at `at`.
std::size_t after_character(const std::string& text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return end;
}

/// The end of a script's span that begins at `at`, or `at`.
std::size_t after_script(const std::string& markup, std::size_t at) {
  if (!starts_with(markup, at, "<span size=")) return at;
  const std::size_t end = markup.find(closing, at);
  return end == std::string::npos ? at : end + closing.size();
}

std::size_t after_number(const std::string& markup, std::size_t at) {
  std::size_t end = at;
  while (end < markup.size() && (std::isdigit(static_cast<unsigned char>(markup[end])) != 0 ||
                                 (markup[end] == '.' && end + 1 < markup.size() &&
                                  std::isdigit(static_cast<unsigned char>(markup[end + 1])) != 0))) {
    ++end;
  }
  return end;
}

/// The end of a letter of Latin or Greek and its scripts, or `at`.
std::size_t after_letter(const std::string& markup, std::size_t at) {
  if (at >= markup.size()) return at;
  const auto byte = static_cast<unsigned char>(markup[at]);
  const bool greek = byte == 0xCEU || byte == 0xCFU;
  if (std::isalpha(byte) == 0 && !greek) return at;
  std::size_t end = after_character(markup, at);
  for (std::size_t next = after_script(markup, end); next != end; next = after_script(markup, end))
    end = next;
  return end;
}

/// The closing parenthesis that belongs to the opening one at `at`, or npos.
std::size_t matching(const std::string& markup, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < markup.size(); ++i) {
    if (markup[i] == '(') ++depth;
    if (markup[i] == ')' && --depth == 0) return i;
  }
  return std::string::npos;
}

}  // namespace

std::string mark_radicands(const std::string& markup) {
  std::string marked;
  std::size_t done = 0;
  for (std::size_t at = markup.find(sign); at != std::string::npos; at = markup.find(sign, done)) {
    const std::size_t begin = at + sign.size();
    marked += markup.substr(done, begin - done);
    done = begin;
    if (begin < markup.size() && markup[begin] == '(') {
      const std::size_t end = matching(markup, begin);
      if (end == std::string::npos) continue;
      marked.append(opening)
          .append(mark_radicands(markup.substr(begin + 1, end - begin - 1)))
          .append(closing);
      done = end + 1;
      continue;
    }
    std::size_t end = after_number(markup, begin);
    if (end == begin) end = after_letter(markup, begin);
    if (end == begin) continue;
    marked.append(opening).append(markup, begin, end - begin).append(closing);
    done = end;
  }
  return marked + markup.substr(done);
}

}  // namespace attnlab
