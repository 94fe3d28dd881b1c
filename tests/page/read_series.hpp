// Series as the page's script reads them.
#pragma once

#include "core/text.hpp"
#include "core/utf8.hpp"
#include "page/series.hpp"

namespace attnlab {

inline Json in_row(const Json& row, std::size_t place) {
  if (row.is_array()) return row[place % row.size()];
  if (row.is_object()) {
    std::string text = row["between"][0];
    for (std::size_t i = 0; i < row["numbers"].size(); ++i) {
      const std::vector<std::string> numbers = split(row["numbers"][i].get<std::string>(), " ");
      text += numbers[place % numbers.size()] + row["between"][i + 1].get<std::string>();
    }
    return text;
  }
  const std::u32string letters = *decode_utf8(row.get<std::string>());
  const char32_t letter = letters[place % letters.size()];
  return letter < 127 ? letter - 35 : letter - 69;
}

/// `fast` values of the first slider.
inline Json value_at(const Json& series, std::size_t frame, std::size_t fast) {
  if (!series.is_object()) return in_row(series, frame);
  if (series.contains("between")) return in_row(series, frame);
  if (series.contains("slow")) return in_row(series["slow"], frame / fast);
  return in_row(series["of"], in_row(series["at"], frame).get<std::size_t>());
}

}  // namespace attnlab
