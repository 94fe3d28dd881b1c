// Numbers packed in blocks, as ggml has them: 32 or 256 small integers with a scale.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

struct BlockCoding {
  std::string_view name;   // ggml's: "Q4_K"
  std::size_t values = 0;  // of a block
  std::size_t bytes = 0;
  void (*unpack)(const unsigned char* block, float* values) = nullptr;
};

/// The coding with that number in a GGUF file; nothing for another. Source: ggml's ggml-common.h (block_q4_0,
/// block_q4_K, ...) and ggml-quants.c (dequantize_row_...).
const BlockCoding* block_coding(std::uint32_t number);

/// ggml's name of one that is not read: "Q2_K"; "type 99" of an unknown one. Source: ggml.h, ggml_type.
std::string name_of_coding(std::uint32_t number);

}  // namespace attnlab
