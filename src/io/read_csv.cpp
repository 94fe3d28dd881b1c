// Numbers as text: a table with one row per line, or attnlab's own long form.
#include "core/counted.hpp"
#include "core/delimited_text.hpp"
#include "core/utf16.hpp"
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr std::string_view long_form = "array,indices,value";

const Text write_as_data{"attnlab --data x.csv と同じ形にしてください",
                         "write it as attnlab --data x.csv does"};

Text at_cell(std::size_t line, std::size_t column) {
  return attnlab::text("{} 行 {} 列", "at line {}, column {}", line, column);
}

Text at_line(std::size_t line) { return attnlab::text("{} 行目", "at line {}", line); }

[[noreturn]] void refuse_too_many(const std::string& file, std::size_t line) {
  refuse_file(file, at_line(line),
              attnlab::text("値が {} 個を超えます", "there are more than {} values", largest_array_size),
              {"npy か safetensors のファイルに保存してください", "save it to an npy or safetensors file"});
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

/// The number of a cell, in quotation marks or not. Where no comma parts the cells, one may stand for the
/// point.
std::optional<Number> number_in(std::string_view cell, char separator) {
  const std::string says = unquoted(cell);
  std::string digits = says.substr(!says.empty() && says.front() == '+' ? 1 : 0);
  const std::size_t comma = digits.find(',');
  if (comma != std::string::npos && separator != ',' && digits.find('.') == std::string::npos)
    digits[comma] = '.';
  const std::optional<double> value = number_from<double>(digits);
  if (!value) return std::nullopt;
  return Number{*value, std::isfinite(*value) ? half_unit_of(digits) : 0.0};
}

// --- A table

using Cells = std::vector<std::string_view>;

/// What stands around the numbers: pandas and R write a line of column names and a column of row names.
struct Frame {
  std::size_t lines = 0;
  std::size_t columns = 0;
};

/// R's write.table leaves out the name of the column of names.
Frame frame_of(const Cells& first, const Cells& second, char separator) {
  if (first.size() > 1 && unquoted(first.front()).empty()) return {1, 1};
  const bool names = std::none_of(first.begin(), first.end(), [&](std::string_view cell) {
    return number_in(cell, separator).has_value();
  });
  return {names ? 1U : 0U, names && second.size() == first.size() + 1 ? 1U : 0U};
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

/// A point in one number and a comma in another: nobody knows which of them parts the decimals.
void check_points(const Cells& cells, bool& has_point, bool& has_comma, const Text& place,
                  const std::string& file) {
  for (const std::string_view cell : cells) {
    has_point = has_point || cell.find('.') != std::string_view::npos;
    has_comma = has_comma || cell.find(',') != std::string_view::npos;
  }
  if (!has_point || !has_comma) return;
  refuse_file(file, place,
              {"小数点に . と , の両方が使われています", "it has decimal points and decimal commas"},
              {"どちらかにそろえてください", "use one of them"});
}

/// Of two columns 0, 1 is a likely row, of one column 0.
FirstLine first_line_of(const Numbers& table, std::size_t columns) {
  const std::size_t size = table.values.size();
  if (columns < 2 || size <= columns) return FirstLine::row;
  for (std::size_t i = 0; i < columns; ++i)
    if (table.values[i] != static_cast<double>(i) || table.half_units[i] != 0.5) return FirstLine::row;
  const bool decimals =
      std::all_of(table.half_units.begin() + static_cast<std::ptrdiff_t>(columns), table.half_units.end(),
                  [](double half_unit) { return half_unit != 0.5; });
  if (columns == 2) return decimals ? FirstLine::may_number_columns : FirstLine::row;
  return decimals ? FirstLine::numbers_columns : FirstLine::may_number_columns;
}

StoredTensor read_table(const DelimitedText& text, const std::string& file) {
  const std::vector<TextLine>& lines = text.lines;
  const auto cells_at = [&](std::size_t line) {
    return line < lines.size() ? cells_in(lines[line].text, text.separator, largest_array_size) : Cells{};
  };
  const Frame frame = frame_of(cells_at(0), cells_at(1), text.separator);
  Numbers table;
  std::size_t width = 0;
  bool has_point = false;
  bool has_comma = false;
  for (std::size_t i = frame.lines; i < lines.size(); ++i) {
    Cells cells = cells_at(i);
    if (width == 0) width = cells.size();
    if (cells.size() != width) {
      refuse_file(file, at_line(lines[i].number),
                  attnlab::text("{} 列あります。上の行と同じ {} 列が必要です",
                                "it has {}; {} are needed, as in the lines above",
                                counted(cells.size(), "column"), width),
                  {"どの行も同じ個数にしてください", "give every line the same number of values"});
    }
    cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(frame.columns));
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const std::optional<Number> number = number_in(cells[column], text.separator);
      if (!number) refuse_cell(file, at_cell(lines[i].number, frame.columns + column + 1), cells[column]);
      if (table.values.size() >= largest_array_size) refuse_too_many(file, lines[i].number);
      table.values.push_back(number->value);
      table.half_units.push_back(number->half_unit);
    }
    check_points(cells, has_point, has_comma, at_line(lines[i].number), file);
  }
  if (table.values.empty()) {
    refuse_file(file, at_line(1), {"数値がありません", "there are no numbers"},
                {"1 行に 1 行分の数値を書いてください", "write one row of numbers per line"});
  }
  const std::size_t columns = width - frame.columns;
  const FirstLine first_line = frame.lines == 0 ? first_line_of(table, columns) : FirstLine::row;
  StoredTensor tensor = tensor_of("", {lines.size() - frame.lines, columns}, std::move(table));
  tensor.first_line = first_line;
  return tensor;
}

// --- The long form

struct Entry {
  std::vector<std::size_t> index;
  Number number;
};

std::vector<std::size_t> index_in(std::string_view cell, const std::string& file, std::size_t line) {
  std::vector<std::size_t> index;
  if (cell.empty()) return index;
  for (const std::string_view part : cells_in(cell, ' ', most_axes)) {
    if (index.size() == most_axes) {
      refuse_file(file, at_cell(line, 2),
                  attnlab::text("添字が {} 個を超えます", "there are more than {} indices", most_axes),
                  write_as_data);
    }
    const std::optional<std::size_t> value = number_from<std::size_t>(part);
    if (!value) refuse_cell(file, at_cell(line, 2), cell);
    index.push_back(*value);
  }
  return index;
}

[[noreturn]] void refuse_entries(const std::string& file, const std::string& name, const Text& problem) {
  refuse_file(file, in_array(name), problem, write_as_data);
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

/// An array with a value that is no number is foreign: where the first of them stands.
StoredTensor words_of(const std::string& name, std::size_t line, const std::string& cell,
                      const std::string& file) {
  return foreign_tensor(name, {}, {"文字列", "words"}, [=] { refuse_cell(file, at_cell(line, 3), cell); });
}

std::vector<StoredTensor> read_long_form(const DelimitedText& text, const std::string& file) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<Entry>> entries;
  std::map<std::string, StoredTensor> foreign;
  for (std::size_t i = 1; i < text.lines.size(); ++i) {
    const std::size_t line = text.lines[i].number;
    const Cells cells = cells_in(text.lines[i].text, text.separator, 3);
    if (cells.size() != 3) {
      refuse_file(file, at_line(line),
                  attnlab::text("{} 列あります。array,indices,value の 3 列が必要です",
                                "it has {}; array,indices,value are needed", counted(cells.size(), "column")),
                  write_as_data);
    }
    const std::string name = unquoted(cells[0]);
    if (entries.count(name) + foreign.count(name) == 0) order.push_back(name);
    const std::optional<Number> number = number_in(cells[2], text.separator);
    if (!number) foreign.emplace(name, words_of(name, line, unquoted(cells[2]), file));
    if (foreign.count(name) == 1) continue;
    entries[name].push_back({index_in(unquoted(cells[1]), file, line), *number});
  }
  std::vector<StoredTensor> arrays;
  for (const std::string& name : order) {
    const auto other = foreign.find(name);
    arrays.push_back(other != foreign.end() ? other->second : assembled(name, entries.at(name), file));
  }
  return arrays;
}

bool is_long_form(const DelimitedText& text) {
  std::vector<std::string> head;
  for (const std::string_view cell : cells_in(text.lines.front().text, text.separator, 3))
    head.push_back(unquoted(cell));
  return joined(head, ",") == long_form;
}

}  // namespace

ListedFile list_csv(const SharedBytes& shared_bytes, const std::string& file) {
  check_text_size(shared_bytes.view, file);
  const std::optional<std::string> converted = utf8_of_utf16(shared_bytes.view);
  const DelimitedText text = delimited(without_byte_order_mark(converted ? *converted : shared_bytes.view),
                                       largest_array_size + 2, "#");
  if (text.unclosed != 0) {
    refuse_file(file, at_line(text.unclosed),
                {"引用符 \" が閉じていません", "a quotation mark \" is not closed"},
                {"\" を 2 つずつ書いてください", "write them in pairs"});
  }
  if (text.lines.empty()) {
    refuse_file(file, at_byte(0), {"中身がありません", "it is empty"},
                {"1 行に 1 行分の数値を書いてください", "write one row of numbers per line"});
  }
  if (text.lines.size() > largest_array_size + 1) refuse_too_many(file, text.lines.back().number);
  if (is_long_form(text)) return {read_long_form(text, file)};
  return {{read_table(text, file)}};
}

}  // namespace attnlab
