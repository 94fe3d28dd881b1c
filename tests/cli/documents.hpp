// The repository's Markdown, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attnlab::test {

/// Every Markdown file of the repository but those in data and in the fuzz targets' corpus.
std::vector<std::string> documents();

/// Those that stand there in both languages, without the ends of their names: "docs/figures".
std::vector<std::string> documents_in_both_languages();

struct DocumentLine {
  std::string text;
  bool is_fenced = false;  // inside of a block of code
  std::string language;    // of that block: "sh"
};

/// Of a file below the sources, without the fences themselves.
std::vector<DocumentLine> document_lines(const std::string& document);

struct Span {
  std::string text;
  bool is_code = false;  // it stood in backticks
};

/// The parts of a line, in order.
std::vector<Span> spans_of(const std::string& line);

inline bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

}  // namespace attnlab::test
