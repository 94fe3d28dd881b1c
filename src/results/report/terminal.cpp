// Sets a report for a terminal of 80 columns, block by block with a blank line between.
#include "results/report/terminal.hpp"

#include <sstream>

#include "core/from_chars.hpp"
#include "core/terminal_width.hpp"

namespace attnlab {
namespace {

constexpr std::size_t text_indent = 4;   // under the label of a marked paragraph; equations
constexpr std::size_t array_indent = 2;  // NumPy's own 75 columns still fit
constexpr std::string_view column_gap = "  ";

struct Setting {
  Language language;
  Colouring colouring;
};

// --- Paragraphs, values, equations

std::string marked(const Paragraph& paragraph, const Text& label, std::string_view style, Setting setting) {
  return styled(label.in(setting.language), style, setting.colouring) + '\n' +
         indented(paragraph.text.in(setting.language), text_indent, text_indent);
}

std::string set(const Paragraph& paragraph, Setting setting) {
  const std::string& text = paragraph.text.in(setting.language);
  switch (paragraph.role) {
    case Role::heading: return bold_lines(text, setting.colouring);
    case Role::text: return indented(text, 0, 0);
    case Role::say: return marked(paragraph, {"【要点】", "[Key point]"}, ansi::bold_green, setting);
    case Role::misunderstanding:
      return marked(paragraph, {"【よくある誤解】", "[Common misunderstanding]"}, ansi::bold_red, setting);
    case Role::note: return marked(paragraph, {"【注】", "[Note]"}, ansi::dim, setting);
  }
  return {};
}

// "output (2,): [0.31564538 0.31564537]", or the numbers below the label when they need more room.
std::string set(const Values& values, Setting setting) {
  const std::string shape = values.array.shape.empty() ? "" : ' ' + shape_text(values.array.shape);
  const std::string label = values.label.in(setting.language) + shape + ':';
  const std::string numbers = numpy_text(values.array);
  const bool one_line = numbers.find('\n') == std::string::npos;
  if (one_line && display_width(label) + 1 + numbers.size() <= report_width)
    return label + ' ' + numbers + '\n';
  std::istringstream lines(numbers);
  std::string text = label + '\n';
  for (std::string line; std::getline(lines, line);)
    text += (line.empty() ? "" : std::string(array_indent, ' ')) + line + '\n';
  return text;
}

std::string set(const Equation& equation, Setting) {
  return std::string(text_indent, ' ') + to_terminal(equation.formula) + '\n';
}

// --- Tables

bool is_number(std::string_view cell) {
  if (cell.empty() || cell == "-") return true;
  if (cell.front() == '+') cell.remove_prefix(1);
  if (!cell.empty() && cell.back() == '%') cell.remove_suffix(1);
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  const std::from_chars_result result = from_chars(cell.data(), end, value);
  return result.ptr == end && result.ec != std::errc::invalid_argument;
}

// A column as it will stand: its header first, its cells below.
struct Column {
  std::vector<std::string> cells;
  std::size_t width = 0;
  bool numeric = true;
};

std::vector<Column> columns_of(const Table& table, Language language) {
  std::vector<Column> columns(table.header.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Column& column = columns[c];
    column.cells.push_back(table.header[c].in(language));
    for (const std::vector<ShortText>& row : table.rows) {
      column.cells.push_back(c < row.size() ? row[c].in(language) : "");
      column.numeric = column.numeric && is_number(column.cells.back());
    }
    for (const std::string& cell : column.cells) column.width = std::max(column.width, display_width(cell));
  }
  return columns;
}

std::string padded(const std::string& cell, const Column& column) {
  const std::string space(column.width - display_width(cell), ' ');
  return column.numeric ? space + cell : cell + space;
}

std::string table_line(const std::vector<Column>& columns, std::size_t row) {
  std::string line;
  for (const Column& column : columns) {
    if (!line.empty()) line += column_gap;
    line += padded(column.cells[row], column);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string set(const Table& table, Setting setting) {
  const std::vector<Column> columns = columns_of(table, setting.language);
  std::string rule;
  for (const Column& column : columns) {
    if (!rule.empty()) rule += column_gap;
    rule += std::string(column.width, '-');
  }
  std::string text = styled(table_line(columns, 0), ansi::bold, setting.colouring) + '\n' + rule + '\n';
  for (std::size_t row = 1; row <= table.rows.size(); ++row) text += table_line(columns, row) + '\n';
  return text;
}

// Arrays of one line each follow one another closely, as they would in a Python session.
bool stand_together(const Block& upper, const std::string& upper_text, const Block& lower,
                    const std::string& lower_text) {
  const auto one_line = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n') == 1;
  };
  return std::holds_alternative<Values>(upper) && std::holds_alternative<Values>(lower) &&
         one_line(upper_text) && one_line(lower_text);
}

}  // namespace

std::string bold_lines(const std::string& text, Colouring colouring) {
  std::string lines;
  for (const std::string& line : wrapped(text, report_width))
    lines += styled(line, ansi::bold, colouring) + '\n';
  return lines;
}

std::string styled(const std::string& text, std::string_view style, Colouring colouring) {
  return colouring == Colouring::plain ? text : std::string(style) + text + "\x1b[0m";
}

std::string indented(const std::string& text, std::size_t indent, std::size_t hanging) {
  std::string lines;
  for (const std::string& line : wrapped(text, report_width - hanging)) {
    if (!line.empty()) lines += std::string(lines.empty() ? indent : hanging, ' ') + line;
    lines += '\n';
  }
  return lines;
}

std::string to_terminal(const std::vector<Block>& body, Language language, Colouring colouring) {
  std::string page;
  std::string above;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Block& block = body[i];
    std::string text = std::visit(
        [&](const auto& content) {
          return set(content, {language, colouring});
        },
        block);
    if (i > 0 && !stand_together(body[i - 1], above, block, text)) page += '\n';
    page += text;
    above = std::move(text);
  }
  return page;
}

}  // namespace attnlab
