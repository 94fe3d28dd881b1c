// What changes from frame to frame, each value once.
#pragma once

#include "core/json.hpp"

namespace attnlab {

/// One value per frame, the values of the first slider changing fastest: a list, of one value where it never
/// changes; or, where some values come again, {"of": list, "at": list}, the distinct ones and the place of
/// each frame's value among them.
Json series(const std::vector<Json>& values);

/// Each series is written once and known by its number.
class SeriesTable {
 public:
  std::size_t number_of(const std::vector<Json>& values);

  const Json& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> known_;
  Json all_ = Json::array();
};

/// The page shows four digits; what it computes with has more.
constexpr int shown_digits = 4;
constexpr int kept_digits = 6;
Json rounded_number(double value, int digits);

Json numbers_of(const std::vector<double>& values, int digits);

}  // namespace attnlab
