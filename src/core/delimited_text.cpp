#include "core/delimited_text.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view separators = ";\t,";

/// Where the cell's closing quotation mark stands, "" being none; npos without one.
std::size_t closing_mark(std::string_view text, std::size_t opening) {
  std::size_t at = text.find('"', opening + 1);
  while (at != std::string_view::npos && at + 1 < text.size() && text[at + 1] == '"')
    at = text.find('"', at + 2);
  return at;
}

/// Where the line that begins at `begin` ends; npos where a quotation mark is not closed.
std::size_t end_of_line(std::string_view text, std::size_t begin) {
  bool begins_cell = true;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '\n' || letter == '\r') return at;
    if (letter == '"' && begins_cell) {
      at = closing_mark(text, at);
      if (at == std::string_view::npos) return at;
    }
    if (letter != ' ') begins_cell = separators.find(letter) != std::string_view::npos;
  }
  return text.size();
}

/// How many lines end in this stretch.
std::size_t line_ends(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n' || (text[at] == '\r' && text.substr(at + 1, 1) != "\n")) ++count;
  return count;
}

/// Tabs between numbers with decimal commas, or commas with tabs around them.
bool tabs_part(std::string_view line) {
  const std::vector<std::string_view> cells = cells_in(line, '\t', line.size());
  return std::none_of(cells.begin(), cells.end(), [](std::string_view cell) {
    return !cell.empty() && (cell.front() == ',' || cell.back() == ',');
  });
}

char separator_of(std::string_view line) {
  std::string outside;  // of quotation marks
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"') at = std::min(closing_mark(line, at), line.size());
    if (at < line.size()) outside += line[at];
  }
  const auto has = [&](char mark) { return outside.find(mark) != std::string::npos; };
  if (has(';')) return ';';
  if (has('\t') && (!has(',') || tabs_part(line))) return '\t';
  return has(',') ? ',' : ' ';
}

}  // namespace

DelimitedText delimited(std::string_view text, std::size_t most, std::string_view comment) {
  DelimitedText table;
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size() && table.lines.size() < most;) {
    const std::string_view rest =
        trimmed(text.substr(begin, text.find_first_of("\r\n", begin) - begin), blanks);
    const bool is_comment = !comment.empty() && rest.substr(0, comment.size()) == comment;
    const std::size_t end =
        is_comment ? std::min(text.find_first_of("\r\n", begin), text.size()) : end_of_line(text, begin);
    if (end == std::string_view::npos) {
      table.unclosed = number;
      break;
    }
    const std::string_view line = text.substr(begin, end - begin);
    if (!is_comment && !trimmed(line, blanks).empty()) table.lines.push_back({number, line});
    begin = std::min(end + (text.substr(end, 2) == "\r\n" ? 2 : 1), text.size());
    number += line_ends(line) + 1;
  }
  if (table.lines.empty()) return table;
  const std::string first = unquoted(trimmed(table.lines.front().text, blanks));
  if (first.size() == 5 && lower_case(first).rfind("sep=", 0) == 0) {
    table.separator = first.back();
    table.lines.erase(table.lines.begin());
  } else {
    table.separator = separator_of(table.lines.front().text);
  }
  return table;
}

std::vector<std::string_view> cells_in(std::string_view line, char separator, std::size_t most) {
  std::vector<std::string_view> cells;
  const std::string_view around = separator == '\t' ? " " : blanks;
  if (separator == ' ') line = trimmed(line, blanks);
  while (true) {
    const std::size_t first = line.find_first_not_of(around);
    const bool is_quoted = first < line.size() && line[first] == '"';
    const std::size_t from = is_quoted ? std::min(closing_mark(line, first), line.size()) : 0;
    const std::size_t end = std::min(line.find(separator, from), line.size());
    cells.push_back(trimmed(line.substr(0, end), around));
    if (end == line.size() || cells.size() > most) return cells;
    line.remove_prefix(end + 1);
    if (separator == ' ') line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
}

std::string unquoted(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || closing_mark(cell, 0) != cell.size() - 1)
    return std::string(cell);
  std::string says;
  for (std::size_t at = 1; at + 1 < cell.size(); ++at) {
    says += cell[at];
    if (cell[at] == '"') ++at;
  }
  return says;
}

}  // namespace attnlab
