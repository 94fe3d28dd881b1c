// A class list as a spreadsheet saves it, and as nobody should.
#include <doctest/doctest.h>

#include "exercise/students.hpp"

using attnlab::Error;
using attnlab::Language;
using attnlab::StudentList;
using attnlab::students_in;

namespace {

std::string refusal(const std::string& csv) {
  try {
    students_in(csv, "list.csv");
  } catch (const Error& error) {
    CHECK(!error.message(Language::ja).empty());
    return error.message(Language::en);
  }
  return "";
}

bool begins(const std::string& text, const std::string& beginning) { return text.rfind(beginning, 0) == 0; }

}  // namespace

TEST_CASE("a class list is read with a byte order mark, carriage returns, quotes and further columns") {
  const StudentList list = students_in(
      "\xEF\xBB\xBFName,ID,mail\r\n\"Mori, Hanako\",s01,a@b\r\n\r\n\"the \"\"one\"\"\",s-2.x,\r\n",
      "list.csv");
  CHECK(list.has_mark);
  REQUIRE(list.students.size() == 2);
  CHECK(list.students[0].id == "s01");
  CHECK(list.students[0].name == "Mori, Hanako");
  CHECK(list.students[1].id == "s-2.x");
  CHECK(list.students[1].name == "the \"one\"");
  CHECK(!students_in("id,name\n1,山田 太郎", "list.csv").has_mark);
}

TEST_CASE("a class list is read in UTF-16, with a mark or without, and with semicolons or tabs") {
  for (const std::string mark : {"\xFF\xFE", ""}) {
    std::string bytes = mark;
    for (const char letter : std::string("id\tname\r\ns1\tA, B\r\n")) bytes += std::string{letter, '\0'};
    const StudentList list = students_in(bytes, "list.csv");
    CHECK(list.has_mark);  // the marks are to open where the list came from
    REQUIRE(list.students.size() == 1);
    CHECK(list.students[0].id == "s1");
    CHECK(list.students[0].name == "A, B");
  }
  CHECK(students_in("sep=;\r\nid;name\r\ns1;A\r\n", "list.csv").students[0].name == "A");
  CHECK(students_in("id,name\rs1,A\rs2,B\r", "list.csv").students.size() == 2);
}

TEST_CASE("a list in Shift_JIS is refused with what to do in Excel, one in another code with what to do") {
  const std::string yamada = "\x8E\x52\x93\x63";  // 山田
  CHECK(begins(
      refusal("id,name\ns1," + yamada + "\n"),
      "list.csv:2: it is no UTF-8, but seems to be Shift_JIS; save it as UTF-8 (in Excel as \"CSV UTF-8"));
  CHECK(begins(refusal("id,name\ns1,Jos\xE9\n"), "list.csv:2: it is no UTF-8; save it as UTF-8"));  // Latin-1
}

TEST_CASE("a refused id is told with its line") {
  for (const char* id : {"../x", "a/b", ".hidden", "-o", "a b", "a\\b", "x.", "\xE5\xB1\xB1", "con:1"}) {
    CAPTURE(id);
    const std::string message = refusal("id,name\nok,A\n" + std::string(id) + ",B\n");
    CHECK(begins(message, "list.csv:3: the id "));
  }
  CHECK(begins(refusal("id,name\n,A\n"), "list.csv:2: the id is empty"));
  CHECK(begins(refusal("id,name\n" + std::string(65, 'a') + ",A\n"), "list.csv:2: the id "));
  CHECK(begins(refusal("id,name\na1,A\n\nA1,B\n"), "list.csv:4: the id 'A1' stands at line 2, too"));
}

TEST_CASE("a line is counted as an editor counts, whatever quotes hold") {
  CHECK(begins(refusal("id,name\n\"a\nb\",A\n"), "list.csv:2: the id 'a"));
  CHECK(begins(refusal("id,name\n1,\"A\n\nB\"\n"), "list.csv:2: the name "));
  CHECK(begins(refusal("id,name\n1,\"A\n"), "list.csv:2: a quotation mark"));
}

TEST_CASE("a list without students, headings, columns or UTF-8 is refused") {
  CHECK(begins(refusal(""), "list.csv:1: there are no students"));
  CHECK(begins(refusal("id,name\n"), "list.csv:1: there are no students"));
  CHECK(begins(refusal("a,b\n"), "list.csv:1: the line of headings has no column id"));
  CHECK(begins(refusal("1,A\n2,B\n"), "list.csv:1: the line of headings has no column id"));
  CHECK(begins(refusal("id,name\n1\n"), "list.csv:2: the line ends after column 1"));
  CHECK(begins(refusal("id,name\n1,\xff\n"), "list.csv:2: it is no UTF-8"));
  std::string many = "id,name\n";
  for (int i = 0; i <= 10000; ++i) many += std::to_string(i) + ",A\n";
  CHECK(refusal(many).find("more than 10000 students") != std::string::npos);
}

TEST_CASE("names are text: formulas and markup are let through, controls are not") {
  CHECK(students_in("id,name\n1,=HYPERLINK(\"\"x\"\")\n", "list.csv").students.front().name.front() == '=');
  CHECK(begins(refusal("id,name\n1,a\x1b[31m\n"), "list.csv:2: the name "));
}
