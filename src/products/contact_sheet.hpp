// Many figures small on A4, each above the command that draws it.
#pragma once

#include "products/look.hpp"

namespace attnlab {

struct SmallFigure {
  std::string name;  // "vectors-bars"
  std::shared_ptr<const Page> page;
  std::string command;  // to be set below
};

/// How many rows a sheet has: those of A4, or as many as it takes.
enum class SheetHeight { a4, all };

/// The figures in their order, from left to right, row by row.
std::vector<Page> contact_sheets(const std::vector<SmallFigure>& figures, SheetHeight height,
                                 const Metadata& about, const Look& look);

}  // namespace attnlab
