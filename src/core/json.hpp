// JSON as the program writes it: keys in their order, and words for the numbers that JSON does not have.
#pragma once

#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace attnlab {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// The number, or the string "nan", "inf" or "-inf".
Json json_number(double value);

/// What json_number wrote; nothing for any other value.
std::optional<double> number_of(const Json& json);

/// A whole number of parsed JSON; nothing for any other value and for one that is not from `least` to `most`.
/// What a stranger wrote is not to meet get<int>(): of 1e21 that has no defined result, and of true it is 1.
std::optional<std::uint64_t> whole_number_of(const Json& json, std::uint64_t least, std::uint64_t most);

/// {"ja", "en"}: how a Text converts by itself.
void to_json(Json& json, const Text& text);

/// Throws Json::parse_error. Compiled once, like json_line.
Json parsed_json(std::string_view text);

/// One line with a newline at its end; bytes that are not UTF-8 (in a path) become U+FFFD.
std::string json_line(const Json& json);

}  // namespace attnlab
