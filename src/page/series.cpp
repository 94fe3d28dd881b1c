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

// --- Texts that differ in their numbers alone

/// "M409.2 269.59L" as what stands around its numbers, "M", " ", "L", and the numbers.
struct Pieces {
  std::vector<std::string> between{""};
  std::vector<std::string> numbers;
};

Pieces pieces_of(std::string_view text) {
  constexpr std::string_view minus = "−";
  Pieces pieces;
  bool in_number = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = text.substr(i, minus.size()) == minus ? minus.size() : 1;
    const bool belongs =
        length > 1 || std::string_view("0123456789.-").find(text[i]) != std::string_view::npos;
    if (belongs && !in_number) pieces.numbers.emplace_back();
    if (!belongs && in_number) pieces.between.emplace_back();
    (belongs ? pieces.numbers : pieces.between).back() += text.substr(i, length);
    in_number = belongs;
    i += length;
  }
  if (in_number) pieces.between.emplace_back();
  return pieces;
}

/// {"between": ["M", " 3", ""], "numbers": ["12.5 13 14", "0 1 0"]}; nothing where more differs than numbers.
std::optional<Json> with_numbers(const std::vector<Json>& texts) {
  if (texts.size() < 2 ||
      !std::all_of(texts.begin(), texts.end(), [](const Json& one) { return one.is_string(); }))
    return std::nullopt;
  std::vector<Pieces> all;
  for (const Json& one : texts) {
    all.push_back(pieces_of(one.get_ref<const std::string&>()));
    if (all.back().between != all.front().between) return std::nullopt;
  }
  std::vector<std::string> between{all.front().between.front()};
  Json columns = Json::array();
  for (std::size_t i = 0; i < all.front().numbers.size(); ++i) {
    std::vector<std::string> column(all.size());
    std::transform(all.begin(), all.end(), column.begin(), [i](const Pieces& one) { return one.numbers[i]; });
    if (std::all_of(column.begin(), column.end(),
                    [&](const std::string& one) { return one == column.front(); })) {
      between.back() += column.front();
    } else {
      columns.push_back(joined(column, " "));
      between.emplace_back();
    }
    between.back() += all.front().between[i + 1];
  }
  return Json{{"between", between}, {"numbers", columns}};
}

Json row_of(const std::vector<Json>& values) {
  if (!std::all_of(values.begin(), values.end(), has_letter)) {
    const std::optional<Json> numbers = with_numbers(values);
    Json list = values;
    return numbers && numbers->dump().size() < list.dump().size() ? *numbers : list;
  }
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

}  // namespace attnlab
