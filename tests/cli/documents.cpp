#include "documents.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "source_dir.hpp"

namespace attnlab::test {
namespace {

namespace fs = std::filesystem;

/// Where the run of backticks that begins at `begin` ends.
std::size_t end_of_marks(const std::string& line, std::size_t begin) {
  return std::min(line.find_first_not_of('`', begin), line.size());
}

/// Where the next run of just so many begins.
std::size_t closing_marks(const std::string& line, std::size_t from, std::size_t count) {
  for (std::size_t at = line.find('`', from); at != std::string::npos;) {
    const std::size_t end = end_of_marks(line, at);
    if (end - at == count) return at;
    at = line.find('`', end);
  }
  return std::string::npos;
}

}  // namespace

std::vector<std::string> documents() {
  std::vector<std::string> found;
  for (const char* folder : {"", "docs", "bench", "tests/fuzz"})
    for (const auto& entry : fs::directory_iterator(source_dir() / folder))
      if (entry.path().extension() == ".md") found.push_back(fs::path(folder) / entry.path().filename());
  return found;
}

std::vector<std::string> documents_in_both_languages() {
  std::vector<std::string> names;
  for (const std::string& document : documents()) {
    const std::string name = fs::path(document).replace_extension();
    if (fs::exists(source_dir() / (name + ".ja.md"))) names.push_back(name);
  }
  return names;
}

std::vector<Span> spans_of(const std::string& line) {
  std::vector<Span> spans;
  std::size_t begin = 0;  // of what is not code
  for (std::size_t at = line.find('`'); at != std::string::npos; at = line.find('`', at)) {
    const std::size_t inside = end_of_marks(line, at);
    const std::size_t end = closing_marks(line, inside, inside - at);
    if (end == std::string::npos) {
      at = inside;  // these marks are themselves
      continue;
    }
    spans.push_back({line.substr(begin, at - begin)});
    spans.push_back({line.substr(inside, end - inside), true});
    begin = at = end + (inside - at);
  }
  spans.push_back({line.substr(begin)});
  return spans;
}

std::vector<DocumentLine> document_lines(const std::string& document) {
  std::ifstream file(source_dir() / document);
  REQUIRE_MESSAGE(file, document);
  std::vector<DocumentLine> lines;
  std::string fence;  // "```" while its block is open
  std::string language;
  for (std::string line; std::getline(file, line);) {
    const std::string marks = line.substr(0, end_of_marks(line, 0));
    if (fence.empty() && marks.size() >= 3) {
      fence = marks;
      language = line.substr(marks.size());
    } else if (!fence.empty() && marks == line && marks.size() >= fence.size()) {
      fence.clear();
    } else {
      lines.push_back({line, !fence.empty(), fence.empty() ? "" : language});
    }
  }
  return lines;
}

}  // namespace attnlab::test
