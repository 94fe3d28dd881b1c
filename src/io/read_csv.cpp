// Numbers as text: a table with one row per line, or attnlab's own long form.
#include "core/counted.hpp"
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr std::string_view long_form = "array,indices,value";
constexpr std::string_view blanks = " \t\r";

struct Line {
  std::size_t number = 0;  // from 1
  std::string_view text;
};

Text at_cell(std::size_t line, std::size_t column) {
  return attnlab::text("{} 行 {} 列", "at line {}, column {}", line, column);
}

Text at_line(std::size_t line) { return attnlab::text("{} 行目", "at line {}", line); }

[[noreturn]] void refuse_too_many(const std::string& file, std::size_t line) {
  refuse_file(file, at_line(line),
              attnlab::text("値が {} 個を超えます", "there are more than {} values", largest_array_size),
              {"npy か safetensors のファイルに保存してください", "save it to an npy or safetensors file"});
}

/// The lines with something on them that is no comment.
std::vector<Line> lines_of(std::string_view text, const std::string& file) {
  std::vector<Line> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    ++number;
    const std::string_view visible = trimmed(content, blanks);
    if (!visible.empty() && visible.front() != '#') lines.push_back({number, content});
    if (lines.size() > largest_array_size + 1) refuse_too_many(file, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// --- One number

struct Number {
  double value = 0.0;
  double half_unit = 0.0;  // of the last digit that was written
};

/// "2.350e-01" has the last digit at 10^(-1 - 3).
double half_unit_of(std::string_view digits) {
  const std::size_t mark = digits.find_first_of("eE");
  int exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view power = digits.substr(mark + 1);
    if (!power.empty() && power.front() == '+') power.remove_prefix(1);
    std::from_chars(power.data(), power.data() + power.size(), exponent);
  }
  const std::string_view mantissa = digits.substr(0, mark);
  const std::size_t point = mantissa.find('.');
  const auto decimals = point == std::string_view::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  return 0.5 * std::pow(10.0, exponent - decimals);
}

std::optional<Number> number_in(std::string_view cell) {
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  const std::optional<double> value = number_from<double>(cell);
  if (!value) return std::nullopt;
  return Number{*value, std::isfinite(*value) ? half_unit_of(cell) : 0.0};
}

// --- A table

char separator_of(std::string_view line) {
  for (const char mark : {',', ';', '\t'}) {
    if (line.find(mark) != std::string_view::npos) return mark;
  }
  return ' ';
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  if (separator == ' ') line = trimmed(line, blanks);
  while (true) {
    const std::size_t end = std::min(line.find(separator), line.size());
    cells.push_back(trimmed(line.substr(0, end), blanks));
    if (end == line.size() || cells.size() > largest_array_size) return cells;
    line.remove_prefix(end + 1);
    if (separator == ' ') line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
}

/// What stands around the numbers: pandas writes a line of column names and a column of row names.
struct Frame {
  std::size_t lines = 0;
  std::size_t columns = 0;
};

Frame frame_of(const std::vector<std::string_view>& first) {
  if (first.size() > 1 && first.front().empty()) return {1, 1};
  const bool names = std::none_of(first.begin(), first.end(),
                                  [](std::string_view cell) { return number_in(cell).has_value(); });
  return {names ? 1U : 0U, 0};
}

[[noreturn]] void refuse_cell(const std::string& file, const Text& place, std::string_view cell) {
  refuse_file(
      file, place,
      attnlab::text("{} があります。数値が必要です", "there is {} where a number is needed", quotation(cell)),
      {"np.savetxt(ファイル名, 配列, delimiter=',') で保存してください",
       "save it with np.savetxt(file, array, delimiter=',')"});
}

/// The numbers of a table or an array, with half a unit of their last digits.
struct Numbers {
  std::vector<double> values;
  std::vector<double> half_units;
};

StoredTensor tensor_of(const std::string& name, const std::vector<std::size_t>& shape, Numbers numbers) {
  StoredTensor tensor = spelt_out(name, shape, std::move(numbers.values));
  tensor.half_units = std::move(numbers.half_units);
  return tensor;
}

StoredTensor read_table(const std::vector<Line>& lines, const std::string& file) {
  const char separator = separator_of(lines.front().text);
  const Frame frame = frame_of(cells_of(lines.front().text, separator));
  Numbers table;
  std::size_t width = 0;
  for (std::size_t i = frame.lines; i < lines.size(); ++i) {
    const std::vector<std::string_view> cells = cells_of(lines[i].text, separator);
    if (width == 0) width = cells.size();
    if (cells.size() != width) {
      refuse_file(file, at_line(lines[i].number),
                  attnlab::text("{} 列あります。上の行と同じ {} 列が必要です",
                                "it has {}; {} are needed, as in the lines above",
                                counted(cells.size(), "column"), width),
                  {"どの行も同じ個数にしてください", "give every line the same number of values"});
    }
    for (std::size_t column = frame.columns; column < cells.size(); ++column) {
      const std::optional<Number> number = number_in(cells[column]);
      if (!number) refuse_cell(file, at_cell(lines[i].number, column + 1), cells[column]);
      if (table.values.size() >= largest_array_size) refuse_too_many(file, lines[i].number);
      table.values.push_back(number->value);
      table.half_units.push_back(number->half_unit);
    }
  }
  if (table.values.empty()) {
    refuse_file(file, at_line(1), {"数値がありません", "there are no numbers"},
                {"1 行に 1 行分の数値を書いてください", "write one row of numbers per line"});
  }
  return tensor_of("", {lines.size() - frame.lines, width - frame.columns}, std::move(table));
}

// --- The long form

struct Entry {
  std::vector<std::size_t> index;
  Number number;
};

std::vector<std::size_t> index_in(std::string_view cell, const std::string& file, std::size_t line) {
  std::vector<std::size_t> index;
  if (cell.empty()) return index;
  for (const std::string_view part : cells_of(cell, ' ')) {
    if (index.size() == most_axes) {
      refuse_file(file, at_cell(line, 2),
                  attnlab::text("添字が {} 個を超えます", "there are more than {} indices", most_axes),
                  {"attnlab --data x.csv と同じ形にしてください", "write it as attnlab --data x.csv does"});
    }
    const std::optional<std::size_t> value = number_from<std::size_t>(part);
    if (!value) refuse_cell(file, at_cell(line, 2), cell);
    index.push_back(*value);
  }
  return index;
}

[[noreturn]] void refuse_entries(const std::string& file, const std::string& name, const Text& problem) {
  refuse_file(file, in_array(name), problem,
              {"attnlab --data x.csv と同じ形にしてください", "write it as attnlab --data x.csv does"});
}

StoredTensor assembled(const std::string& name, const std::vector<Entry>& entries, const std::string& file) {
  std::vector<std::size_t> shape(entries.front().index.size(), 0);
  for (const Entry& entry : entries) {
    if (entry.index.size() != shape.size()) {
      refuse_entries(file, name, {"添字の個数が揃っていません", "its indices differ in number"});
    }
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (entry.index[axis] >= largest_array_size) {
        refuse_entries(file, name, {"添字が大きすぎます", "an index is too large"});
      }
      shape[axis] = std::max(shape[axis], entry.index[axis] + 1);
    }
  }
  const std::size_t size = checked_size(shape, largest_array_size, file, in_array(name));
  if (size != entries.size()) {
    refuse_entries(file, name,
                   attnlab::text("値が {} 個ありますが、添字からは {} 個必要です",
                                 "it has {}; its indices need {}", counted(entries.size(), "value"), size));
  }
  Numbers result{std::vector<double>(size), std::vector<double>(size, -1.0)};
  for (const Entry& entry : entries) {
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) flat = flat * shape[axis] + entry.index[axis];
    if (result.half_units[flat] >= 0.0) {
      refuse_entries(file, name, {"同じ添字が二度あります", "an index occurs twice"});
    }
    result.values[flat] = entry.number.value;
    result.half_units[flat] = entry.number.half_unit;
  }
  return tensor_of(name, shape, std::move(result));
}

std::vector<StoredTensor> read_long_form(const std::vector<Line>& lines, const std::string& file) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<Entry>> entries;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string_view> cells = cells_of(lines[i].text, ',');
    if (cells.size() != 3) {
      refuse_file(file, at_line(lines[i].number),
                  attnlab::text("{} 列あります。array,indices,value の 3 列が必要です",
                                "it has {}; array,indices,value are needed", counted(cells.size(), "column")),
                  {"attnlab --data x.csv と同じ形にしてください", "write it as attnlab --data x.csv does"});
    }
    const std::optional<Number> number = number_in(cells[2]);
    if (!number) refuse_cell(file, at_cell(lines[i].number, 3), cells[2]);
    std::vector<Entry>& of_name = entries[std::string(cells[0])];
    if (of_name.empty()) order.emplace_back(cells[0]);
    of_name.push_back({index_in(cells[1], file, lines[i].number), *number});
  }
  std::vector<StoredTensor> arrays;
  arrays.reserve(order.size());
  for (const std::string& name : order) arrays.push_back(assembled(name, entries.at(name), file));
  return arrays;
}

}  // namespace

std::vector<StoredTensor> list_csv(const SharedBytes& shared_bytes, const std::string& file) {
  check_text_size(shared_bytes.view, file);
  const std::vector<Line> lines = lines_of(without_byte_order_mark(shared_bytes.view), file);
  if (lines.empty()) {
    refuse_file(file, at_byte(0), {"中身がありません", "it is empty"},
                {"1 行に 1 行分の数値を書いてください", "write one row of numbers per line"});
  }
  if (trimmed(lines.front().text, blanks) == long_form) return read_long_form(lines, file);
  return {read_table(lines, file)};
}

}  // namespace attnlab
