// `attnlab man`: attnlab(1), made from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "attnlab/commands.hpp"
#include "core/text.hpp"

namespace attnlab {

/// The page in roff with the man macros, UTF-8.
std::string man_page(const std::vector<Command>& commands, Language language);

}  // namespace attnlab
