// What changes from frame to frame, each value once.
#pragma once

#include "core/json.hpp"

namespace attnlab {

/// One value per frame, the values of the first slider changing fastest. As a list that is repeated until
/// every frame has its value; as {"slow": list}, one value for each of the second slider, where the first
/// changes nothing; or, where that is shorter, as {"of": list, "at": list}, distinct values and the place of
/// each frame's value among them. `fast` is how many values the first slider has.
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

Json numbers_of(const std::vector<double>& values, int digits);

}  // namespace attnlab
