// What no file may exceed, whatever it claims.
#pragma once

#include <cstddef>

namespace attnlab {

constexpr std::size_t largest_text_file = std::size_t{256} << 20U;  // bytes; also of a stream, and unpacked
constexpr std::size_t largest_array_size = std::size_t{1} << 24U;   // values of what is compared or spelt out
constexpr std::size_t largest_shape_size = std::size_t{1} << 48U;   // values of what is stored as bytes

}  // namespace attnlab
