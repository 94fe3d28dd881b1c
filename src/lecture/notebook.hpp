// A lecture as a Jupyter notebook, nbformat 4.5.
#pragma once

#include "lecture/built_lecture.hpp"

namespace attnlab {

/// Titles, pictures (PNG, as attachments) and captions are Markdown cells; below the figures of a run stands
/// its program as a code cell that has not been run. Cells are numbered: the same lecture gives the same
/// bytes.
std::string lecture_notebook(const BuiltLecture& lecture);

}  // namespace attnlab
