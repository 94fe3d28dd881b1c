// What the program writes about itself from the table of commands: help pages, the manual page, and
// `attnlab about`.
#pragma once

#include "attnlab/command_line/commands.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

// --- Help (help_text.cpp)

/// What `attnlab` and `attnlab --help` print: the commands by what someone wants to do with them.
std::string main_help(Language language);

/// Flags that many commands share are only named, or explained as well.
enum class HelpExtent { own, all };

/// What `attnlab NAME --help` or --help-all prints: flags with their forms and defaults, and what --figure
/// and
/// --check of an experiment can name.
std::string command_help(const Command& command, Language language, HelpExtent extent = HelpExtent::all);

/// The help of a flag with its default.
std::string flag_help(const Flag& flag, Language language);

/// What `attnlab list` prints: a line per experiment with its name, what it shows and where it comes from.
std::string experiment_list(const std::vector<Experiment>& experiments, Language language);

// --- `attnlab list --cheat-sheet` (cheat_sheet.cpp)

Page cheat_sheet_page(Language language);

// --- `attnlab man`: attnlab(1) (man_page.cpp)

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

/// A term and, below it and indented, what it means. Both are roff already.
std::string roff_entry(const std::string& term, const std::string& meaning);

// --- `attnlab about` (about.cpp)

std::string about_text(Language language);

/// {"schema", "name", "version", "licence", "copyright", "fonts", "palettes", "notices", "libraries",
/// "documents", "citation"}; texts are {"ja", "en"}.
std::string about_json();

// --- Whose work goes into the program and into its pictures, and on what terms (credits.cpp)

struct Credit {
  std::string name;
  Text author;
  Text licence;  // by its SPDX name where it has one
};

/// The fonts whose letters stand in every picture.
std::vector<Credit> font_credits();

/// The palettes by their --palette names, those of one author together.
std::vector<Credit> palette_credits();

/// A library that the program is linked with or compiled from.
struct LibraryCredit {
  std::string name;
  std::vector<std::string> files;  // how its shared objects' names begin; none when it is inside the program
  std::string licence;
};
const std::vector<LibraryCredit>& library_credits();

}  // namespace attnlab
