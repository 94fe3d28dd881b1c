// What changes from frame to frame, written as briefly as JSON allows.
#pragma once

#include "core/json.hpp"

namespace attnlab {

/// One value per frame, the values of the first slider changing fastest. As a list [a, b, ...] that is
/// repeated until every frame has its value; as {"slow": values}, one for each value of the second slider,
/// where the first changes nothing; or, where that is shorter, as {"of": values, "at": the place of each
/// frame's value among them}. `fast` is how many values the first slider has.
Json series(const std::vector<Json>& values, std::size_t fast);

/// Each series is written once and known by its number.
class SeriesTable {
 public:
  explicit SeriesTable(std::size_t fast) : fast_(fast) {}

  std::size_t number_of(const std::vector<Json>& values);

  const Json& all() const { return all_; }

 private:
  std::size_t fast_;
  std::map<std::string, std::size_t> known_;
  Json all_ = Json::array();
};

/// The page shows four digits; what it computes with has more.
constexpr int shown_digits = 4;
constexpr int kept_digits = 6;
Json rounded_number(double value, int digits);

}  // namespace attnlab
