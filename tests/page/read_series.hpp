// Series as the page's script reads them.
#pragma once

#include "page/series.hpp"

namespace attnlab {

inline Json value_at(const Json& series, std::size_t frame) {
  if (series.is_object()) return series["of"][series["at"][frame].get<std::size_t>()];
  return series.size() == 1 ? series[0] : series[frame];
}

}  // namespace attnlab
