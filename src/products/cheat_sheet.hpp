// One A4 page to pin up: what to type, its formula, and what it does.
#pragma once

#include "core/formula.hpp"
#include "products/look.hpp"

namespace attnlab {

struct CheatRow {
  std::string typed;
  Formula formula;  // an empty row where there is none
  std::string does;
};

struct CheatSection {
  std::string title;
  std::vector<CheatRow> rows;
};

/// The sections from top to bottom, their lines as far apart as the page allows.
Page cheat_sheet(const std::vector<CheatSection>& sections, const Metadata& about, const Look& look);

}  // namespace attnlab
