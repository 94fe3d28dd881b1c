// Values of a manifest, read from the nodes of toml++; whatever is wrong with one is told with its line.
#pragma once

#include <toml++/toml.h>

#include "core/error.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {

using ManifestKeys = std::vector<std::string_view>;

/// Knows the file's name, for messages; what refuses throws Error (failed).
class ManifestNodes {
 public:
  explicit ManifestNodes(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void refuse(const toml::node& node, const Text& problem, const Text& hint) const;
  [[noreturn]] void refuse(std::size_t number, const Text& problem, const Text& hint) const;
  [[noreturn]] void refuse_syntax(const toml::parse_error& error) const;

  /// "lecture.toml:5"
  std::string place(const toml::node& node) const;

  /// toml++ follows a key of ten thousand dots until the stack ends.
  void check_depth(std::string_view toml) const;

  void check_keys(const toml::table& table, const ManifestKeys& known) const;
  const toml::node& required(const toml::table& table, std::string_view key) const;

  std::string word(const toml::node& node, std::string_view key) const;
  std::string optional_word(const toml::table& table, std::string_view key) const;
  std::vector<std::string> words(const toml::table& table, std::string_view key) const;

  /// Titles and captions stand in one line, however they are written in the manifest.
  Text text(const toml::node& node, std::string_view key) const;
  Text text(const toml::table& table, std::string_view key) const { return text(required(table, key), key); }

  /// Both languages with their line breaks, as Markdown needs them.
  Text paragraphs(const toml::node& node, std::string_view key) const;

  /// Part of the names of files, of ids in pages and of paths in TeX.
  std::string file_stem(const toml::table& table, std::string_view key) const;

  /// A list of known names, each once; empty where there is none.
  std::vector<std::string> choices(const toml::table& table, std::string_view key,
                                   const ManifestKeys& known) const;
  /// One known name, or the first where there is none.
  std::string choice(const toml::table& table, std::string_view key, const ManifestKeys& known) const;

  FlagTexts flags(const toml::table& table, std::string_view key) const;
  std::vector<const toml::table*> tables(const toml::table& table, std::string_view key) const;

 private:
  enum class Lines { one, several };
  std::string letters(const toml::node& node, std::string_view key, Lines lines) const;
  Text both(const toml::node& node, std::string_view key, Lines lines) const;
  std::string flag_text(const toml::node& node) const;

  std::string file_;
};

/// One [[section]] with its blocks in the order of their lines (manifest_section.cpp).
LectureSection read_section(const ManifestNodes& nodes, const toml::table& table);

}  // namespace attnlab
