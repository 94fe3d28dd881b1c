// The formulas of `positional` that both its trace and its words show.
#include "core/formula.hpp"
#include "experiments/positional/positional.hpp"

namespace attnlab {
namespace {

Formula indexed(const char* letter, const char* index) {
  return formula::sub(formula::sym(letter), formula::sym(index));
}

}  // namespace

Formula similarity_formula() {
  return formula::row({indexed("r", "m"), formula::sym(" · "), indexed("r", "n")});
}

Formula shift_formula() {
  using formula::sym;
  const Formula later = formula::sub(sym("r"), formula::row({sym("n"), sym("+"), sym("k")}));
  return formula::row({indexed("r", "n"), sym(" M"), sym(" = "), later});
}

Formula relative_formula() {
  using formula::sym;
  return formula::row(
      {indexed("r", "m"), indexed("W", "Q"), sym(" · "), indexed("r", "n"), indexed("W", "K")});
}

}  // namespace attnlab
