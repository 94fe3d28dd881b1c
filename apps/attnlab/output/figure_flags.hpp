// Which figures go where, as it is typed: -o, --output-dir, --format, --figure.
#pragma once

#include "attnlab/command_line/parser.hpp"
#include "products/figure_files.hpp"

namespace attnlab {

/// What -o names, by its endings.
struct TypedFiles {
  std::vector<std::filesystem::path> figures;       // and what has no other place: standard output
  std::vector<std::filesystem::path> pages;         // .html
  std::vector<std::filesystem::path> explanations;  // .md, .tex
  std::vector<std::filesystem::path> programs;      // .py
};
TypedFiles typed_files(const ParsedCommand& parsed);

bool names_standard_output(const ParsedCommand& parsed);

/// Throws Error (usage) where standard output is a terminal that cannot show the format.
void check_standard_output(const OutputOptions& options);

/// The hint where it would take more.
Text alone_on_standard_output();

/// The flag as -o of figures, with what it excludes.
Flag figure_output(Flag output);

/// --output-dir and --format.
std::vector<Flag> folder_flags();

/// Of these files of -o. Throws Error (usage) for unknown extensions and formats, and for several formats on
/// standard output.
OutputOptions read_output(const ParsedCommand& parsed, const std::vector<std::filesystem::path>& files);

/// Throws Error (usage) for --svg-text where no figure is asked for in that format.
void check_format_flags(const ParsedCommand& parsed, const OutputOptions& output);

}  // namespace attnlab
