// Tables as text, as spreadsheets, pandas, R and NumPy write them: lines of cells (RFC 4180, and what is met
// beside it).
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// With everything in it that stands between two ends of lines: a quoted cell may hold such an end.
struct TextLine {
  std::size_t number = 0;  // from 1, as an editor counts
  std::string_view text;
};

struct DelimitedText {
  std::vector<TextLine> lines;  // with something on them
  char separator = ',';
  std::size_t unclosed = 0;  // the line of a quotation mark that nothing closes, or 0
};

/// Lines end in LF, CRLF or CR. Those that begin with `comment` are left out. The separator is what Excel's
/// line "sep=;" says, which is left out, else what the first line has: a semicolon, a tab, a comma, or
/// nothing but spaces. No more than `most` lines are looked at.
DelimitedText delimited(std::string_view text, std::size_t most, std::string_view comment = {});

/// The cells, at most `most` and one, without blanks around them; one that is quoted keeps its quotation
/// marks.
std::vector<std::string_view> cells_in(std::string_view line, char separator, std::size_t most);

/// What a cell says: without its quotation marks, "" in it being one.
std::string unquoted(std::string_view cell);

}  // namespace attnlab
