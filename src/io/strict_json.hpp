// JSON that someone else wrote, checked before a tree is built of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace attnlab {

/// How much of it is accepted.
struct JsonLimits {
  std::size_t values;   // numbers, words, lists and objects together
  std::size_t members;  // of one object
};

/// Throws Error (failed) that names the byte for what is no JSON, lists and objects nested too deep, a key
/// that occurs twice in an object, and more than the limits. `offset` is where the text begins in `file`.
void check_json_text(std::string_view text, const JsonLimits& limits, std::size_t offset,
                     const std::string& file);

}  // namespace attnlab
