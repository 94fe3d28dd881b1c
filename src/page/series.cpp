#include "page/series.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

bool repeats_after(const std::vector<Json>& values, std::size_t length) {
  for (std::size_t i = length; i < values.size(); ++i) {
    if (values[i] != values[i - length]) return false;
  }
  return true;
}

constexpr std::int64_t most_with_letter = 50'000;  // below the surrogates

bool has_letter(const Json& value) {
  return value.is_number_integer() && value.get<std::int64_t>() >= 0 &&
         value.get<std::int64_t>() < most_with_letter;
}

/// "#" to "~" for 0 to 91, then on from "¡": no control is among them.
char32_t letter_of(const Json& value) {
  constexpr char32_t in_ascii = '~' - '#' + 1;
  const auto number = value.get<char32_t>();
  return number < in_ascii ? U'#' + number : U'\u00a1' + (number - in_ascii);
}

Json row_of(const std::vector<Json>& values) {
  if (!std::all_of(values.begin(), values.end(), has_letter)) return values;
  std::string letters;
  for (const Json& value : values) letters += encode_utf8(letter_of(value));
  return letters;
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
  return {{"of", row_of(distinct)}, {"at", row_of(places)}};
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
  if (values.size() == 1) return row_of(values);
  for (const std::size_t length : {std::size_t{1}, fast}) {
    if (length >= values.size() || !repeats_after(values, length)) continue;
    return row_of(std::vector<Json>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(length)));
  }
  if (is_slow(values, fast)) return {{"slow", row_of(every(values, fast))}};
  Json list = row_of(values);
  Json shared = with_places(values);
  return shared.dump().size() < list.dump().size() ? shared : list;
}

std::size_t SeriesTable::number_of(const std::vector<Json>& values) {
  Json written = series(values, fast_);
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

}  // namespace attnlab
