// How many there are, in English with the noun in its number: text("キー {} 個。", "{}.", counted(1, "key")).
#pragma once

#include "core/text.hpp"

namespace attnlab {

/// "1 key", "3 keys"; "1 query", "2 queries". In Japanese the number alone.
inline Text counted(std::size_t count, std::string noun) {
  const bool is_y = noun.back() == 'y' && count != 1;
  if (is_y) noun.pop_back();
  return {std::to_string(count), std::to_string(count) + " " + noun + (is_y ? "ies" : count == 1 ? "" : "s")};
}

}  // namespace attnlab
