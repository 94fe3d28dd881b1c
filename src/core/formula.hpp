// A formula as a small tree, so that one description gives terminal text, figure markup and LaTeX.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

struct Formula {
  enum class Kind { symbol, row, sub, sup, root, fraction, accent, table };

  Kind kind = Kind::row;
  std::string symbol;  // of Kind::symbol; of an accent TeX's command (hat, underbrace), of a table its
                       // environment (bmatrix, cases)
  std::vector<Formula> parts;  // row: any number; sub, sup: base and script; fraction: numerator,
                               // denominator; accent: what it stands at; table: rows of cells
};

/// Builders: row({call("softmax", fraction(row({sym("Q"), sup(sym("K"), sym("T"))}), root(sym("d")))),
/// sym("V")}).
namespace formula {
Formula sym(std::string symbol);
Formula row(std::vector<Formula> parts);
Formula sub(Formula base, Formula script);
Formula sup(Formula base, Formula script);
Formula root(Formula radicand);
Formula fraction(Formula numerator, Formula denominator);
/// name(argument), the parentheses included.
Formula call(std::string name, Formula argument);
/// TeX, in which letters that stand together are a word: read("softmax(\\frac{Q K^T}{\\sqrt{d_k}}) V").
/// Throws std::logic_error for what is not TeX.
Formula read(std::string_view text);
}  // namespace formula

/// One line for a terminal: "softmax(QKᵀ / √d) V". Scripts become Unicode characters where all of them exist,
/// else `_Q`, `^Q`, `_(…)`, `^(…)`; a fraction becomes `a / b`, with parentheses where they are needed.
/// Spaces stand around operators, after commas and between words.
std::string to_terminal(const Formula& formula);

/// The same line as Pango markup for text of `size` points, escaped. A script has 0.7 of the size it hangs
/// on, at least 7 points, in spans that give size and rise outright: Pango 1.50's <sup> depends on the
/// device. Both are meant for a PangoContext of 72 dots per inch, where one unit is one point.
std::string to_markup(const Formula& formula, double size);

/// LaTeX for math mode, without dollar signs: "\frac{Q K^{\top}}{\sqrt{d_{k}}}". Needs amsmath and amssymb;
/// words of other scripts stand in \text. Whatever a symbol holds, it is set as it reads: TeX's own
/// characters are escaped.
std::string to_latex(const Formula& formula);

}  // namespace attnlab

extern template class std::vector<attnlab::Formula>;
