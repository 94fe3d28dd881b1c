// What every fuzz target does with its bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/tensor_file.hpp"

namespace attnlab::fuzz {

/// Lists, loads, compares and sums up all tensors. Error is the only exception that may come out of a reader.
int read_all(TensorFormat format, const std::uint8_t* bytes, std::size_t size);

}  // namespace attnlab::fuzz
