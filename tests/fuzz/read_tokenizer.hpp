// What the fuzz targets of tokenizers do with their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace attnlab::fuzz {

/// Reads the bytes as a file of that name ("tokenizer.json", "tokenizer.model", "vocab.txt"), as `--tokenizer
/// FILE` does, encodes a few texts and decodes their tokens. Error is the only exception that may come out.
int read_tokenizer(const std::string& name, const std::uint8_t* bytes, std::size_t size);

}  // namespace attnlab::fuzz
