// What changes from frame to frame, written as briefly as JSON allows.
#pragma once

#include "core/json.hpp"

namespace attnlab {

/// One value per frame, the values of the first slider changing fastest. As a row that is repeated until
/// every frame has its value; as {"slow": row}, one value for each of the second slider, where the first
/// changes nothing; or, where that is shorter, as {"of": row, "at": row}, distinct values and the place of
/// each frame's value among them. A row is a list [a, b, ...]; a word where all values are small whole
/// numbers: "#" stands for 0, "$" for 1, ..., "~" for 91, "¡" for 92 and so on; or, where texts differ in
/// their numbers alone and it is shorter, {"between": ["M", " 3", ""], "numbers": ["12.5 13", "0 1"]} for
/// "M12.5 30" and "M13 31". `fast` is how many values the first slider has.
Json series(const std::vector<Json>& values, std::size_t fast);

/// Each series is written once and known by its number. What an earlier table of the same document holds is
/// its number there instead.
class SeriesTable {
 public:
  explicit SeriesTable(std::size_t fast, const SeriesTable* earlier = nullptr)
      : fast_(fast), earlier_(earlier) {}

  std::size_t number_of(const std::vector<Json>& values);

  const Json& all() const { return all_; }

 private:
  std::size_t fast_;
  const SeriesTable* earlier_;
  std::map<std::string, std::size_t> known_;
  Json all_ = Json::array();
};

/// The page shows four digits; what it computes with has more.
constexpr int shown_digits = 4;
constexpr int kept_digits = 6;
Json rounded_number(double value, int digits);

/// The values with so many digits (shown or kept): as a list or, where that is shorter, in base64, 3 bytes
/// for a number of 4 digits and 4 for one of 6, the lowest first. As a whole number each is 0 for NaN, 1 for
/// infinity, 2 for minus infinity, else 3 + (400 + e) (2 · 10^digits + 1) + 10^digits + m for m · 10^e.
Json numbers_of(const std::vector<double>& values, int digits);

}  // namespace attnlab
