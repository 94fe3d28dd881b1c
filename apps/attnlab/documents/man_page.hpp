// `attnlab man`: attnlab(1), made from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "attnlab/command_line/commands.hpp"
#include "core/text.hpp"

namespace attnlab {

/// The page in roff with the man macros, UTF-8.
std::string man_page(const std::vector<Command>& commands, Language language);

// --- The few pieces of roff that it is made of

/// Prose as one line of input: nothing in it is taken for roff. A minus where a word begins, as in --lang,
/// can be copied into a shell; within a word it is a hyphen.
std::string roff_prose(const std::string& text);

/// What is typed as it stands, in bold; every minus is one.
std::string roff_bold(const std::string& text);

/// What stands for something else, in italics.
std::string roff_italic(const std::string& text);

/// ".SH NAME", ".SS", with the lines that follow left to the caller.
std::string roff_section(const std::string& title);
std::string roff_subsection(const std::string& title);

/// A term and, below it and indented, what it means. Both are roff already.
std::string roff_entry(const std::string& term, const std::string& meaning);

}  // namespace attnlab
