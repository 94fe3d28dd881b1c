// The class, as `exercise` and `grade` read it.
#pragma once

#include "attnlab/command_line/parser.hpp"
#include "exercise/students.hpp"

namespace attnlab {

/// The list of --students. Throws Error (usage) where it is missing.
StudentList read_students(const ParsedCommand& parsed);

}  // namespace attnlab
