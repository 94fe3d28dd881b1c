// Whose work goes into the program and into its pictures, and on what terms.
#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"

namespace attnlab {

struct Credit {
  std::string name;
  Text author;
  Text licence;  // by its SPDX name where it has one
};

/// The fonts whose letters stand in every picture.
std::vector<Credit> font_credits();

/// The palettes by their --palette names, those of one author together.
std::vector<Credit> palette_credits();

/// A library that the program is linked with or compiled from.
struct LibraryCredit {
  std::string name;
  std::vector<std::string> files;  // how its shared objects' names begin; none when it is inside the program
  std::string licence;
};
const std::vector<LibraryCredit>& library_credits();

}  // namespace attnlab
