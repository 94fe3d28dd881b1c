#include "exercise/students.hpp"

#include <cctype>

#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_students = 10000;
constexpr std::size_t longest_id = 64;
constexpr std::size_t longest_name = 200;

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

/// RFC 4180: cells parted by commas; in double quotes a cell may hold commas, and "" for a quotation mark.
std::vector<Row> rows_of(std::string_view csv, const std::string& file) {
  std::vector<Row> rows;
  std::size_t line = 1;
  Row row{line, {""}};
  bool is_quoted = false;
  const auto end_row = [&] {
    const bool is_empty = row.cells.size() == 1 && trimmed(row.cells.front()).empty();
    if (!is_empty) rows.push_back(row);
    row = {line, {""}};
  };
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char letter = csv[i];
    const bool doubled = letter == '"' && i + 1 < csv.size() && csv[i + 1] == '"';
    if (letter == '\n') ++line;
    if (is_quoted) {
      if (letter != '"' || doubled) row.cells.back() += letter;
      if (doubled) ++i;
      if (letter == '"' && !doubled) is_quoted = false;
    } else if (letter == '"' && row.cells.back().empty()) {
      is_quoted = true;
    } else if (letter == ',') {
      row.cells.emplace_back();
    } else if (letter == '\n') {
      end_row();
    } else if (letter != '\r' || (i + 1 < csv.size() && csv[i + 1] != '\n')) {
      row.cells.back() += letter;
    }
    if (rows.size() > most_students + 1) {
      refuse({file, line}, text("学生が {} 人を超えます", "there are more than {} students", most_students),
             {"名簿を分けてください", "divide the list"});
    }
  }
  if (is_quoted) {
    refuse({file, row.line}, {"引用符 \" が閉じていません", "a quotation mark \" is not closed"},
           {"\" を 2 つずつ書いてください", "write them in pairs"});
  }
  end_row();
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

StudentList students_in(std::string_view csv, const std::string& file) {
  StudentList list;
  const std::size_t size = csv.size();
  csv = without_byte_order_mark(csv);
  list.has_mark = csv.size() < size;
  for (std::size_t line = 1, begin = 0; begin <= csv.size(); ++line) {
    const std::size_t end = std::min(csv.find('\n', begin), csv.size());
    if (decode_utf8(csv.substr(begin, end - begin))) {
      begin = end + 1;
      continue;
    }
    refuse({file, line}, {"UTF-8 ではありません", "it is no UTF-8"},
           {"文字コードを UTF-8 にして保存し直してください", "save it as UTF-8"});
  }
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
