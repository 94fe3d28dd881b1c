#include "exercise/students.hpp"

#include <cctype>

#include "core/delimited_text.hpp"
#include "core/utf16.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_students = 10000;
constexpr std::size_t longest_id = 64;
constexpr std::size_t longest_name = 200;
constexpr std::size_t most_columns = 1000;

/// A record of the table and the line on which it begins.
struct Row {
  std::size_t line = 0;
  std::vector<std::string> cells;
};

struct Place {
  const std::string& file;
  std::size_t line = 0;
};

[[noreturn]] void refuse(const Place& place, const Text& problem, const Text& hint) {
  throw Error(ErrorKind::failed, problem, hint).at(fmt::format("{}:{}", printable(place.file), place.line));
}

/// Whether the bytes are letters of Shift_JIS, as Excel in Japanese writes them.
bool may_be_shift_jis(std::string_view bytes) {
  const auto in = [](char letter, unsigned low, unsigned high) {
    const auto code = static_cast<unsigned char>(letter);
    return low <= code && code <= high;
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (in(bytes[i], 0x00, 0x7F) || in(bytes[i], 0xA1, 0xDF)) continue;
    const bool is_pair = (in(bytes[i], 0x81, 0x9F) || in(bytes[i], 0xE0, 0xFC)) && i + 1 < bytes.size() &&
                         (in(bytes[i + 1], 0x40, 0x7E) || in(bytes[i + 1], 0x80, 0xFC));
    if (!is_pair) return false;
    ++i;
  }
  return true;
}

void check_is_utf8(std::string_view csv, const std::string& file) {
  for (std::size_t line = 1, begin = 0; begin <= csv.size(); ++line) {
    const std::size_t end = std::min(csv.find('\n', begin), csv.size());
    if (!decode_utf8(csv.substr(begin, end - begin))) {
      refuse({file, line},
             may_be_shift_jis(csv) ? Text{"UTF-8 ではありません（Shift_JIS のようです）",
                                          "it is no UTF-8, but seems to be Shift_JIS"}
                                   : Text{"UTF-8 ではありません", "it is no UTF-8"},
             {"UTF-8 で保存し直してください（Excel では「CSV UTF-8（コンマ区切り）」）",
              "save it as UTF-8 (in Excel as \"CSV UTF-8 (Comma delimited)\")"});
    }
    begin = end + 1;
  }
}

std::vector<Row> rows_of(std::string_view csv, const std::string& file) {
  const DelimitedText table = delimited(csv, most_students + 3);
  if (table.unclosed != 0) {
    refuse({file, table.unclosed}, {"引用符 \" が閉じていません", "a quotation mark \" is not closed"},
           {"\" を 2 つずつ書いてください", "write them in pairs"});
  }
  std::vector<Row> rows;
  for (const TextLine& line : table.lines) {
    rows.push_back({line.number, {}});
    for (const std::string_view cell : cells_in(line.text, table.separator, most_columns))
      rows.back().cells.push_back(unquoted(cell));
  }
  if (rows.size() > most_students + 1) {
    refuse({file, rows.back().line},
           text("学生が {} 人を超えます", "there are more than {} students", most_students),
           {"名簿を分けてください", "divide the list"});
  }
  return rows;
}

std::size_t column_of(const Row& header, const std::string& name, const std::string& file) {
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    if (lower_case(std::string(trimmed(header.cells[i]))) == name) return i;
  }
  refuse({file, header.line},
         text("見出しの行に {} の列がありません（{}）", "the line of headings has no column {}: {}", name,
              quotation(joined(header.cells, ","))),
         {"最初の行を id,name としてください", "let the first line be id,name"});
}

bool is_plain(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

/// It becomes the name of files: no folder, no hidden file, no flag.
bool is_safe(const std::string& id) {
  const auto may_stand = [](char letter) {
    return is_plain(letter) || letter == '-' || letter == '_' || letter == '.';
  };
  return id.size() <= longest_id && std::all_of(id.begin(), id.end(), may_stand) && is_plain(id.front()) &&
         is_plain(id.back());
}

void check_id(const std::string& id, const Place& place) {
  if (id.empty()) {
    refuse(place, {"id が空です", "the id is empty"},
           {"学生ごとに違う id を書いてください", "give every student an id"});
  }
  if (is_safe(id)) return;
  refuse(place, text("id {} はファイル名に使えません", "the id {} cannot name a file", quotation(id)),
         text("英数字と、その間の - _ . だけで、{} 文字までにしてください",
              "use letters and digits, and - _ . between them, at most {}", longest_id));
}

void check_name(const std::string& name, const Place& place) {
  const std::optional<std::u32string> letters = decode_utf8(name);
  const bool is_text = letters && letters->size() <= longest_name &&
                       std::none_of(letters->begin(), letters->end(), is_control);
  if (is_text) return;
  refuse(place,
         text("名前 {} に使えない文字があるか、長すぎます",
              "the name {} has control characters, or is too long", quotation(name)),
         text("1 行、{} 文字までにしてください", "use one line of at most {} letters", longest_name));
}

[[noreturn]] void refuse_empty(const Place& place) {
  refuse(place, {"学生が一人もいません", "there are no students"},
         {"見出し id,name の下に、一人ずつ書いてください", "write a line for each below id,name"});
}

}  // namespace

StudentList students_in(std::string_view bytes, const std::string& file) {
  StudentList list;
  const std::optional<std::string> converted = utf8_of_utf16(bytes);
  const std::string_view csv = without_byte_order_mark(converted ? *converted : bytes);
  list.has_mark = converted || csv.size() < bytes.size();
  check_is_utf8(csv, file);
  const std::vector<Row> rows = rows_of(csv, file);
  if (rows.empty()) refuse_empty({file, 1});
  const std::size_t id_column = column_of(rows.front(), "id", file);
  const std::size_t name_column = column_of(rows.front(), "name", file);
  if (rows.size() == 1) refuse_empty({file, 1});
  std::map<std::string, std::size_t> seen;
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    const Place place{file, row->line};
    if (row->cells.size() <= std::max(id_column, name_column)) {
      refuse(place, text("列の数が {} しかありません", "the line ends after column {}", row->cells.size()),
             {"id と name を書いてください", "write both id and name"});
    }
    Student student{std::string(trimmed(row->cells[id_column])),
                    std::string(trimmed(row->cells[name_column]))};
    check_id(student.id, place);
    check_name(student.name, place);
    const auto [first, is_new] = seen.emplace(lower_case(student.id), row->line);
    if (!is_new) {
      refuse(place,
             text("id {} は {} 行目にもあります", "the id {} stands at line {}, too", quotation(student.id),
                  first->second),
             {"学生ごとに違う id にしてください（大文字と小文字は区別しません）",
              "give every student another one; upper and lower case are one"});
    }
    list.students.push_back(std::move(student));
  }
  return list;
}

}  // namespace attnlab
