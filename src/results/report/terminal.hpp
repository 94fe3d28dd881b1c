// A report as terminal text: what a lecturer reads out.
#pragma once

#include "results/report/report.hpp"

namespace attnlab {

enum class Colouring { plain, ansi };

constexpr std::size_t report_width = 80;

namespace ansi {
constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view dim = "\x1b[2m";
constexpr std::string_view bold_green = "\x1b[1;32m";
constexpr std::string_view bold_red = "\x1b[1;31m";
}  // namespace ansi

/// In such a style, where escapes are wanted.
std::string styled(const std::string& text, std::string_view style, Colouring colouring);

/// Lines of a heading within the page, each ended by a newline.
std::string bold_lines(const std::string& text, Colouring colouring);

/// Lines within the page, each ended by a newline: the first stands at `indent`, the others at `hanging`.
std::string indented(const std::string& text, std::size_t indent, std::size_t hanging);

/// Headings, formulas, numbers in NumPy's form, aligned tables (East Asian characters count two columns),
/// the sentence to say and the usual misunderstanding. Ends with a newline.
std::string to_terminal(const std::vector<Block>& body, Language language, Colouring colouring);

// --- What must hold of a run (invariants_text.cpp)

bool all_hold(const std::vector<Invariant>& invariants);

/// What is said of each that does not hold.
std::vector<Text> violations(const std::vector<Invariant>& invariants);

enum class InvariantLines { one, stated, each };

/// One line while all hold, or a line for each, with its error or without; those that are violated have
/// theirs in any case. Ends with a newline, or is empty when there are none.
std::string invariants_text(const std::vector<Invariant>& invariants, InvariantLines wanted,
                            Language language, Colouring colouring);

}  // namespace attnlab
