// A class: who is in it, as the lecturer's list says.
#pragma once

#include "core/error.hpp"

namespace attnlab {

struct Student {
  std::string id;    // safe as the name of a file
  std::string name;  // text
};

struct StudentList {
  std::vector<Student> students;
  bool has_mark = false;  // a byte order mark in front, as spreadsheets want it, or UTF-16
};

/// A CSV in UTF-8 or UTF-16 (core/delimited_text.hpp) with a line of headings, among them id and name;
/// further columns are passed over. An id has letters, digits and any of - _ . between them, at most 64: it
/// becomes the name of files. Throws Error (failed) that names the file and the line: for other ids, empty
/// ones, and ones that occur twice (upper and lower case being one, as on some file systems); for names with
/// control characters; for lines with too few columns; and where there are no students, or more than 10,000.
StudentList students_in(std::string_view bytes, const std::string& file);

}  // namespace attnlab
