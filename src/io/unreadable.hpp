// The errors of the readers in one form: the file, the place, what was found, what is needed; and what no
// file may exceed, whatever it claims.
#pragma once

#include "core/error.hpp"

namespace attnlab {

constexpr std::size_t most_axes = 32;                               // NumPy's own limit
constexpr std::size_t largest_text_file = std::size_t{256} << 20U;  // bytes; also of a stream, and unpacked
constexpr std::size_t largest_array_size = std::size_t{1} << 24U;   // values of what is compared or spelt out
constexpr std::size_t largest_shape_size = std::size_t{1} << 48U;   // values of what is stored as bytes

/// "cannot read 'w.npy' at byte 10: the header has 20 bytes, 118 are needed; save the array again".
[[noreturn]] void refuse_file(const std::string& file, const Text& place, const Text& problem,
                              const Text& hint);
/// The same of the file as a whole.
[[noreturn]] void refuse_file(const std::string& file, const Text& problem, const Text& hint);

/// "at byte 10" / "10 バイト目".
Text at_byte(std::size_t offset);
/// "in array 'w'" / "配列 'w'".
Text in_array(const std::string& name);

/// The shape's number of values. Refuses more than most_axes, an axis longer than `most` and more values than
/// that; axes of length 0 do not excuse the others, as NumPy has it.
std::size_t checked_size(const std::vector<std::size_t>& shape, std::size_t most, const std::string& file,
                         const Text& place);

/// Refuses a text that is longer than largest_text_file.
void check_text_size(std::string_view text, const std::string& file);

}  // namespace attnlab
