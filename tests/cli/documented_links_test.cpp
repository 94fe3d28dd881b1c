// What the READMEs, docs/ and their kin point at: files, headings, pictures; and the same in both languages.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "core/utf8.hpp"
#include "core/version.hpp"
#include "documents.hpp"
#include "source_dir.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;
using test::begins_with;
using test::document_lines;
using test::DocumentLine;
using test::documents;

/// Without what stands in backticks.
std::string without_code(const std::string& line) {
  std::string text;
  for (const test::Span& span : test::spans_of(line))
    if (!span.is_code) text += span.text;
  return text;
}

/// The targets of every [text](target) that is no address on the web.
std::vector<std::string> link_targets(const std::string& document) {
  const std::string opening = "](";
  std::vector<std::string> targets;
  for (const DocumentLine& line : document_lines(document)) {
    if (line.is_fenced) continue;
    const std::string text = without_code(line.text);
    for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at + 1)) {
      const std::size_t begin = at + opening.size();
      const std::string target = text.substr(begin, text.find(')', begin) - begin);
      if (target.find(':') == std::string::npos) targets.push_back(target);
    }
  }
  return targets;
}

bool is_japanese_punctuation(char32_t letter) {
  const auto within = [&](char32_t first, char32_t last) { return first <= letter && letter <= last; };
  return within(U'\u2000', U'\u206F') || within(U'\u3000', U'\u3004') || within(U'\u3008', U'\u3020') ||
         letter == U'\u30FB' || within(U'\uFF00', U'\uFF0F') || within(U'\uFF1A', U'\uFF20');
}

/// The anchor that GitHub gives a heading: small letters, blanks as hyphens, no punctuation.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char32_t letter : decode_utf8(lower_case(heading)).value_or(U"")) {
    const bool is_sign = letter < 0x80 && !std::isalnum(static_cast<int>(letter)) && letter != '-' &&
                         letter != '_' && letter != ' ';
    if (!is_sign && !is_japanese_punctuation(letter)) anchor += letter == ' ' ? "-" : encode_utf8(letter);
  }
  return anchor;
}

/// "## Films" of every heading.
std::vector<std::string> headings(const std::string& document) {
  std::vector<std::string> found;
  for (const DocumentLine& line : document_lines(document))
    if (!line.is_fenced && begins_with(line.text, "#")) found.push_back(line.text);
  return found;
}

std::vector<std::size_t> levels(const std::string& document) {
  std::vector<std::size_t> found;
  for (const std::string& heading : headings(document)) found.push_back(heading.find(' '));
  return found;
}

bool has_anchor(const std::string& document, const std::string& anchor) {
  const std::vector<std::string> all = headings(document);
  return std::any_of(all.begin(), all.end(), [&](const std::string& heading) {
    return anchor_of(heading.substr(heading.find(' ') + 1)) == anchor;
  });
}

/// What stands behind each picture: in its cell of a table, or on the next line that is not empty.
std::vector<std::string> beneath_pictures(const std::string& document) {
  std::vector<std::string> found;
  const std::vector<DocumentLine> lines = document_lines(document);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i].text;
    for (std::size_t at = line.find("!["); !lines[i].is_fenced && at != std::string::npos;
         at = line.find("![", at + 1)) {
      if (at > 0 && line[at - 1] == '`') continue;  // shows how a picture is written
      std::string behind = line.substr(line.find(')', at) + 1);
      for (std::size_t next = i + 1; behind.empty() && next < lines.size(); ++next) behind = lines[next].text;
      found.emplace_back(trimmed(behind));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("Every link of the documents leads to a file, and to a heading that is there") {
  for (const std::string& document : documents()) {
    for (const std::string& target : link_targets(document)) {
      INFO(document, ": ", target);
      const std::size_t hash = std::min(target.find('#'), target.size());
      const fs::path file =
          hash == 0 ? fs::path(document) : (fs::path(document).parent_path() / target.substr(0, hash));
      CHECK(fs::exists(source_dir() / file));
      if (hash < target.size()) CHECK(has_anchor(file.lexically_normal(), target.substr(hash + 1)));
    }
  }
}

TEST_CASE("An anchor is found in Japanese, and one that is no heading's is not") {
  CHECK(anchor_of("1 語ずつ生成する") == "1-語ずつ生成する");
  CHECK(anchor_of("What is in this file?") == "what-is-in-this-file");
  CHECK(anchor_of("図・動画（ページ）") == "図動画ページ");
  CHECK_FALSE(has_anchor("docs/figures.md", "filmz"));
}

TEST_CASE("Each picture of the documents stands above the command that draws it") {
  for (const std::string& document : documents()) {
    for (const std::string& beneath : beneath_pictures(document)) {
      INFO(document, ": ", beneath);
      CHECK(begins_with(beneath, "`attnlab "));
    }
  }
}

TEST_CASE("Files and answers in the documents have the version that is built") {
  for (const std::string& document : documents()) {
    if (document == "CHANGELOG.md") continue;  // tells of others
    for (const DocumentLine& line : document_lines(document)) {
      for (const std::string name : {"attnlab-", "attnlab_", "\"version\": \""}) {
        for (std::size_t at = line.text.find(name); at != std::string::npos;
             at = line.text.find(name, at + 1)) {
          const std::string behind = line.text.substr(at + name.size());
          INFO(document, ": ", line.text);
          if (behind.find_first_of("0123456789") == 0) CHECK(begins_with(behind, version));
        }
      }
    }
  }
}

TEST_CASE("Both languages have the same headings") {
  for (const std::string& document : test::documents_in_both_languages())
    CHECK_MESSAGE(levels(document + ".md") == levels(document + ".ja.md"), document);
}

}  // namespace attnlab
