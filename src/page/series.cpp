#include "page/series.hpp"

namespace attnlab {

Json series(const std::vector<Json>& values) {
  std::vector<Json> distinct;
  std::vector<std::size_t> places;
  std::map<std::string, std::size_t> known;
  for (const Json& value : values) {
    const auto [place, is_new] = known.emplace(value.dump(), known.size());
    if (is_new) distinct.push_back(value);
    places.push_back(place->second);
  }
  if (distinct.size() == 1 || distinct.size() == values.size()) return distinct;
  return {{"of", distinct}, {"at", places}};
}

std::size_t SeriesTable::number_of(const std::vector<Json>& values) {
  Json written = series(values);
  const auto [number, is_new] = known_.emplace(written.dump(), all_.size());
  if (is_new) all_.push_back(std::move(written));
  return number->second;
}

Json rounded_number(double value, int digits) {
  if (!std::isfinite(value)) return json_number(value);
  const double rounded = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  constexpr double largest_whole = 1e6;
  const bool is_whole = rounded == std::round(rounded) && std::abs(rounded) < largest_whole;
  return is_whole ? Json(std::llround(rounded)) : Json(rounded);
}

Json numbers_of(const std::vector<double>& values, int digits) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded_number(value, digits));
  return list;
}

}  // namespace attnlab
