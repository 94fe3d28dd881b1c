// A report as terminal text: what a lecturer reads out.
#pragma once

#include "results/report/report.hpp"

namespace attnlab {

enum class Colouring { plain, ansi };

constexpr std::size_t report_width = 80;

/// In a style such as "\x1b[1m", where escapes are wanted.
std::string styled(const std::string& text, std::string_view style, Colouring colouring);

/// Lines of a heading within the page, each ended by a newline.
std::string bold_lines(const std::string& text, Colouring colouring);

/// Lines within the page, each ended by a newline: the first stands at `indent`, the others at `hanging`.
std::string indented(const std::string& text, std::size_t indent, std::size_t hanging);

/// Headings, formulas, numbers in NumPy's form, aligned tables (East Asian characters count two columns),
/// the sentence to say and the usual misunderstanding. Ends with a newline.
std::string to_terminal(const Report& report, Language language, Colouring colouring);

}  // namespace attnlab
