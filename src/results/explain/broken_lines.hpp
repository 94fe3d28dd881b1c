// A long formula in pieces that fit the width of a page.
#pragma once

#include <cstddef>
#include <vector>

#include "core/formula.hpp"

namespace attnlab {

/// The width on paper, roughly, in digits: a fraction is as wide as its wider side.
std::size_t columns_of(const Formula& formula);

/// Pieces of at most `columns`, cut before a plus, a minus or a relation and behind a comma: outside all
/// brackets if that will do, else within one. A fraction that is wider becomes 1/n (...).
std::vector<Formula> broken(const Formula& formula, std::size_t columns);

}  // namespace attnlab
