// A formula as a small tree, so that one description gives terminal text, figure markup and, later, LaTeX.
#pragma once

#include <string>
#include <vector>

namespace attnlab {

struct Formula {
  enum class Kind { symbol, row, sub, sup, root, fraction };

  Kind kind = Kind::row;
  std::string symbol;          // Kind::symbol only
  std::vector<Formula> parts;  // row: any number; sub, sup: base and script; fraction: numerator, denominator
};

/// Builders: row({call("softmax", fraction(row({sym("Q"), sup(sym("K"), sym("T"))}), root(sym("d")))), sym("V")}).
namespace formula {
Formula sym(std::string symbol);
Formula row(std::vector<Formula> parts);
Formula sub(Formula base, Formula script);
Formula sup(Formula base, Formula script);
Formula root(Formula radicand);
Formula fraction(Formula numerator, Formula denominator);
/// name(argument), the parentheses included.
Formula call(std::string name, Formula argument);
}  // namespace formula

/// One line for a terminal: "softmax(QKᵀ / √d) V". Scripts become Unicode characters where they exist,
/// else `_k` and `^(…)`; a fraction becomes `a / b`, with parentheses where they are needed.
std::string to_terminal(const Formula& formula);

}  // namespace attnlab
