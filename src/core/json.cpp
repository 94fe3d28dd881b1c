#include "core/json.hpp"

namespace attnlab {

Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0.0 ? "-inf" : "inf";
  return value;
}

std::optional<double> number_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json == "nan") return std::nan("");
  if (json == "inf") return HUGE_VAL;
  if (json == "-inf") return -HUGE_VAL;
  return std::nullopt;
}

std::optional<std::uint64_t> whole_number_of(const Json& json, std::uint64_t least, std::uint64_t most) {
  if (!json.is_number_unsigned()) return std::nullopt;
  const auto number = json.get<std::uint64_t>();
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

void to_json(Json& json, const Text& text) { json = {{"ja", text.ja()}, {"en", text.en()}}; }

Json parsed_json(std::string_view text) { return Json::parse(text); }

std::string json_line(const Json& json) {
  constexpr int one_line = -1;
  return json.dump(one_line, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace attnlab
