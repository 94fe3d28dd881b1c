// What CommonMark does not know of: while it is read, marks stand in its place.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// A formula as it was typed, with its dollars.
struct TypedFormula {
  std::string text;
  std::size_t line = 0;
};

struct MarkedText {
  std::string text;
  std::vector<TypedFormula> formulas = {};
  std::vector<std::pair<std::size_t, std::size_t>> lines = {};  // offsets behind formulas, and their lines
};

/// A formula stands between dollars as in pandoc: no space inside of the first and the last, and no digit
/// behind the last. Beside Japanese asterisks mean emphasis whatever punctuation they touch, and a single
/// tilde strikes nothing out.
MarkedText with_marks(const std::string& text);

/// The line of the typed text, counted from 0.
std::size_t line_of(std::size_t offset, const MarkedText& marked);

/// With what `written` makes of each formula in the place of its mark.
std::string without_marks(const std::string& text, const std::vector<TypedFormula>& formulas,
                          const std::function<std::string(const TypedFormula&)>& written);

}  // namespace attnlab
