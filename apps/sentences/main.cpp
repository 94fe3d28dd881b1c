// attnlab_sentences OUTPUT FUNCTION FOLDER FILE...: at build time, from tables of sentences in TOML a C++
// source whose FUNCTION returns them as core/sentences.hpp reads them. A start of the program parses no TOML.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace {

/// A string as it stands, a number as "1e-12".
std::string word(const toml::node& node) {
  if (const auto text = node.value<std::string>()) return *text;
  if (const auto number = node.value<double>()) return fmt::format("{}", *number);
  throw std::runtime_error(fmt::format("line {}: neither a string nor a number", node.source().begin.line));
}

const toml::node& member(const toml::table& table, const std::string& key) {
  const toml::node* node = table.get(key);
  if (node == nullptr)
    throw std::runtime_error(fmt::format("line {}: no \"{}\"", table.source().begin.line, key));
  return *node;
}

/// A string of the result, ended by a zero: its length comes from there.
std::string quoted(const std::string& text) {
  std::string literal = "\n     \"";
  for (const char character : text) {
    if (character == '"' || character == '\\') literal += '\\';
    literal += character == '\n' ? "\\n" : std::string(1, character);
  }
  return literal + "\\0\"";
}

/// Its name, its sentences (key, Japanese, English), and an empty key.
std::string compiled(const std::string& name, const toml::table& table) {
  std::string source = quoted(name);
  for (const auto& [toml_key, node] : table) {
    const std::string key(toml_key.str());
    if (node.is_array()) continue;
    source += quoted(key);
    if (const toml::table* both = node.as_table()) {
      source += quoted(word(member(*both, "ja"))) + quoted(word(member(*both, "en")));
    } else {
      const toml::node* english = table.get(key + "_en");
      source += quoted(word(node)) + quoted(word(english == nullptr ? node : *english));
    }
  }
  return source + quoted("");
}

/// The table that the file itself is, then those of its arrays.
std::string compiled(const std::string& path) {
  const toml::table file = toml::parse_file(path);
  std::string source = compiled("", file);
  for (const auto& [name, node] : file) {
    if (!node.is_array_of_tables()) continue;
    for (const toml::node& row : *node.as_array())
      source += compiled(std::string(name.str()), *row.as_table());
  }
  return source;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  std::string source = fmt::format(
      "// Made by attnlab_sentences.\n#include \"core/embedded_file.hpp\"\n\nnamespace attnlab {{\n\n"
      "const std::vector<EmbeddedFile>& {}() {{\n  using namespace std::string_view_literals;\n"
      "  static const std::vector<EmbeddedFile> files{{\n",
      arguments.at(1));
  for (auto file = arguments.begin() + 3; file != arguments.end(); ++file) {
    try {
      const std::string path = std::filesystem::relative(*file, arguments[2]).string();
      source += fmt::format("    {{\"{}\",{}sv}},\n", path, compiled(*file));
    } catch (const toml::parse_error& error) {
      std::cerr << error << '\n';  // with file and line
      return 1;
    } catch (const std::exception& error) {
      std::cerr << *file << ": " << error.what() << '\n';
      return 1;
    }
  }
  source += "  };\n  return files;\n}\n\n}  // namespace attnlab\n";
  std::ofstream(arguments[0]) << source;
}
