// Series as the page's script reads them.
#pragma once

#include "page/series.hpp"

namespace attnlab {

inline Json in_row(const Json& row, std::size_t place) { return row[place % row.size()]; }

/// `fast` values of the first slider.
inline Json value_at(const Json& series, std::size_t frame, std::size_t fast) {
  if (!series.is_object()) return in_row(series, frame);
  if (series.contains("slow")) return in_row(series["slow"], frame / fast);
  return in_row(series["of"], in_row(series["at"], frame).get<std::size_t>());
}

}  // namespace attnlab
