// The controls of a live page as markup.
#pragma once

#include "page/page.hpp"

namespace attnlab {

std::string live_controls(const LiveControls& live);

}  // namespace attnlab
