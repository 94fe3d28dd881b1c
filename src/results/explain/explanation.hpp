// A report's computation written out step by step with the numbers of this run: a plain value, and the forms
// in which it is printed.
#pragma once

#include "results/report/terminal.hpp"

namespace attnlab {

struct ExplanationStep {
  Text title;
  std::vector<std::variant<Text, Chain>> lines;
};

struct Explanation {
  Text title;
  Text introduction;  // which row, and how numbers are rounded
  std::vector<ExplanationStep> steps;
};

/// Every stage of the report: its formula, the formula with this run's numbers, and the result. Of a matrix
/// the given row is written out (index along the last axis but one), of the axes before it index 0; long sums
/// and rows are elided in the middle. A stage whose derivation is not known shows formula and result.
/// Throws Error (usage) when no stage has that row.
Explanation explain(const Report& report, const Text& title, std::size_t row);

/// Within 80 columns where the numbers allow it.
std::string explanation_text(const Explanation& explanation, Language language, Colouring colouring);

/// Markdown with LaTeX between double dollar signs, as GitHub, Jupyter and pandoc read it.
std::string explanation_markdown(const Explanation& explanation, Language language);

/// A complete document for lualatex; Japanese needs luatexja.
std::string explanation_latex(const Explanation& explanation, Language language);

/// The width on paper, roughly, in digits: a fraction is as wide as its wider side.
std::size_t columns_of(const Formula& formula);

/// Pieces of at most `columns`, cut before a plus, a minus or a relation and behind a comma: outside all
/// brackets if that will do, else within one. A fraction that is wider becomes 1/n (...).
std::vector<Formula> broken(const Formula& formula, std::size_t columns);

// --- The way from the queries to the output, or from the words to the next one's probabilities: one figure
// per stage on one layout, to click through (step_figures.cpp)

/// One figure per stage, named "01-query", "02-key", ...: the matrices so far are filled, those to come are
/// empty cells, and nothing else moves. Of stages with heads or a batch the first entry is shown; a stage
/// that changes nothing is left out. Empty when the report's trace goes neither way, or has a matrix of more
/// than 48 rows or columns on it.
std::vector<Figure> step_figures(const Report& report);

// --- One operation of the trace, written out for one row with the numbers of its operands

using ExplanationLines = std::vector<std::variant<Text, Chain>>;

/// How many rows an array has: the length of its last axis but one; 1 for a vector or a single number.
std::size_t rows_of(const Array& array);

/// "weights[0, 2]", "masked[0, k]", or "weights" without places.
Formula element_name(const std::string& stage, const std::vector<std::string>& places);
Formula element_name(const std::string& stage, const std::vector<std::size_t>& index);

/// name[0, row] = [1, 2, ⋯]: one row of a stage; of the axes before the matrix index 0.
Chain row_of_stage(const Stage& stage, std::size_t row);

}  // namespace attnlab
