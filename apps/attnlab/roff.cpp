#include "attnlab/documents/man_page.hpp"

#include <cctype>

namespace attnlab {
namespace {

enum class Minus { everywhere, before_words };

/// Inside a line: the backslash begins an escape, and a bare - may be set as a hyphen.
std::string escaped(const std::string& text, Minus minus) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const bool in_word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    if (letter == '\\') {
      safe += "\\e";
    } else if (letter == '-' && (minus == Minus::everywhere || !in_word)) {
      safe += "\\-";
    } else if (letter == '`') {
      safe += "\\(ga";
    } else if (letter == '^') {
      safe += "\\(ha";
    } else if (letter == '~') {
      safe += "\\(ti";
    } else {
      safe += letter;
    }
  }
  return safe;
}

/// A line that begins with . or ' would be a request.
std::string as_line(const std::string& text) {
  const bool is_request = !text.empty() && (text.front() == '.' || text.front() == '\'');
  return is_request ? "\\&" + text : text;
}

}  // namespace

std::string roff_prose(const std::string& text) {
  return as_line(escaped(text, Minus::before_words));
}

std::string roff_bold(const std::string& text) {
  return "\\fB" + escaped(text, Minus::everywhere) + "\\fR";
}

std::string roff_italic(const std::string& text) {
  std::string breakable;  // a long list of choices may go on in the next line, without a hyphen
  for (const char letter : escaped(text, Minus::everywhere)) {
    breakable += letter;
    if (letter == '|' || letter == ',') breakable += "\\:";
  }
  return "\\fI" + breakable + "\\fR";
}

std::string roff_section(const std::string& title) {
  return ".SH " + title + "\n";
}

std::string roff_subsection(const std::string& title) {
  return ".SS " + title + "\n";
}

std::string roff_entry(const std::string& term, const std::string& meaning) {
  return ".TP\n" + term + "\n" + meaning + "\n";
}

}  // namespace attnlab
