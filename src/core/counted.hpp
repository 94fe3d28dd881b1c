// How many there are, in English with the noun in its number: text("キー {} 個。", "{}.", counted(1, "key")).
#pragma once

#include "core/text.hpp"

namespace attnlab {

/// "1 key", "3 keys"; "1 query", "2 queries". In Japanese the number alone.
inline Text counted(std::size_t count, std::string noun) {
  const bool ends_in_ies = count != 1 && noun.size() > 1 && noun.back() == 'y' &&
                           std::string_view("aeou").find(noun[noun.size() - 2]) == std::string_view::npos;
  if (ends_in_ies) noun.pop_back();
  return {std::to_string(count), fmt::format("{} {}{}", count, noun,
                                             ends_in_ies  ? "ies"
                                             : count == 1 ? ""
                                                          : "s")};
}

}  // namespace attnlab
