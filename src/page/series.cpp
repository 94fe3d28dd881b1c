#include "page/series.hpp"

namespace attnlab {
namespace {

bool repeats_after(const std::vector<Json>& values, std::size_t length) {
  for (std::size_t i = length; i < values.size(); ++i) {
    if (values[i] != values[i - length]) return false;
  }
  return true;
}

Json with_places(const std::vector<Json>& values) {
  std::vector<Json> distinct;
  std::vector<Json> places;
  std::map<std::string, std::size_t> known;
  for (const Json& value : values) {
    const auto [place, is_new] = known.emplace(value.dump(), known.size());
    if (is_new) distinct.push_back(value);
    places.emplace_back(place->second);
  }
  return {{"of", distinct}, {"at", places}};
}

std::vector<Json> every(const std::vector<Json>& values, std::size_t step) {
  std::vector<Json> some;
  for (std::size_t i = 0; i < values.size(); i += step) some.push_back(values[i]);
  return some;
}

/// Whether the first slider changes nothing.
bool is_slow(const std::vector<Json>& values, std::size_t fast) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[i - i % fast]) return false;
  }
  return true;
}

}  // namespace

Json series(const std::vector<Json>& values, std::size_t fast) {
  if (values.size() == 1) return values;
  for (const std::size_t length : {std::size_t{1}, fast}) {
    if (length >= values.size() || !repeats_after(values, length)) continue;
    return std::vector<Json>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(length));
  }
  if (is_slow(values, fast)) return {{"slow", every(values, fast)}};
  Json list = values;
  Json shared = with_places(values);
  return shared.dump().size() < list.dump().size() ? shared : list;
}

std::size_t SeriesTable::number_of(const std::vector<Json>& values) {
  Json written = series(values, fast_);
  const auto [number, is_new] = known_.emplace(written.dump(), all_.size());
  if (!is_new) return number->second;
  const bool is_earlier = earlier_ != nullptr && earlier_->known_.count(number->first) != 0;
  all_.push_back(is_earlier ? Json(earlier_->known_.at(number->first)) : std::move(written));
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
