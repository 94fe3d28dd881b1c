// A formula on one line: fractions and roots written with operators, parentheses where they are needed.
#pragma once

#include <initializer_list>

#include "core/formula.hpp"

namespace attnlab {

/// Symbols, subs and sups only, in reading order. A script hangs on one piece, and is itself a row of such
/// pieces: (QK)ᵀ is "(", "Q", "K", sup(")", row({"T"})).
using FormulaLine = std::vector<Formula>;

/// The pieces of rows within rows, one after the other.
FormulaLine flattened(const Formula& formula);

FormulaLine one_line(const Formula& formula);

/// Whether a space stands between the piece at `index` and the one before it.
bool space_before(const FormulaLine& line, std::size_t index);

/// A letter, a number, a word, a call such as exp(x), or a bracketed whole, from the piece at `begin` on:
/// what needs no parentheses.
bool is_term(const FormulaLine& line, std::size_t begin = 0);

/// Whether a piece from `begin` to `end` is taller than a bracket of the text's size: it holds a fraction.
bool is_tall(const FormulaLine& line, std::size_t begin, std::size_t end);

/// The bracket that closes what this one opens; "" for what opens none.
std::string closing_of(const Formula& part);

/// Where the bracket closes that opens at `open`; `end` where no part before that closes it, as where its
/// closing one carries a script.
std::size_t closing_place(const FormulaLine& parts, std::size_t open, std::size_t end);

/// The sign, letter or function that a command of TeX stands for, of "alpha" α; "" for another command.
std::string symbol_of_command(std::string_view command);

/// What stands above a letter or a group, or, as _ and ⏟, below it.
struct Accent {
  std::string_view command;
  std::string_view sign;
  std::string_view combining;  // the same as a character behind a letter, or ""
};

/// nullptr for another command.
const Accent* accent_of_command(std::string_view command);

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list);

bool is_symbol(const Formula& formula, std::string_view text);

}  // namespace attnlab
