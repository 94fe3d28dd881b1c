// What students handed in, checked against the arrays that each was asked for, and the marks as a table.
#pragma once

#include "exercise/exercise.hpp"
#include "exercise/students.hpp"
#include "results/check/check.hpp"

namespace attnlab {

enum class Handing { right, partly, wrong, missing, unreadable };

/// One student's line.
struct Mark {
  Student student;
  Handing status = Handing::missing;
  double share = 0.0;               // of the asked arrays that are right, 0 to 1; none where nothing was read
  Text diagnosis = Text::none();    // why the others are not
  std::vector<Text> mistakes = {};  // what went wrong, each once: it may spoil several arrays
};

/// The right answers of one student.
struct AnswerKey {
  std::string id;
  std::vector<Stage> answers;
};

/// Every asked array is compared with the array of its name; one that has no such name goes by its shape, and
/// where one array is asked, the only one of the file is taken whatever its name; what is handed in under its
/// name and is no array of numbers is said to be so (`foreign`: name and type). A wrong one that is right
/// by somebody's key among `everyone` is said to be theirs.
Mark graded(const Student& student, const Report& report, const std::vector<std::string>& requested,
            const std::vector<NamedArray>& submitted, const std::vector<AnswerKey>& everyone = {},
            const std::map<std::string, Text>& foreign = {});

/// "right", "partly", "wrong", "missing", "unreadable": an interface.
std::string name_of(Handing status);

/// id,name,status,mark,diagnosis: a line for each, marks from 0 to 100 and empty where nothing was read. A
/// cell that a spreadsheet would take for a formula (it begins with = + - @ or a tab) has an apostrophe
/// before it.
std::string marks_csv(const std::vector<Mark>& marks, Language language, bool with_byte_order_mark);

}  // namespace attnlab
