// The fonts of every picture: Inter for Latin, figures of equal width; BIZ UDPGothic for Japanese. Both are
// made for legibility.
#pragma once

namespace attnlab {

constexpr const char* latin_family = "Inter";
constexpr const char* japanese_family = "BIZ UDPGothic";

}  // namespace attnlab
