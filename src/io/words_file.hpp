// Words that stand in a file, such as the labels of tokens.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Whether they name a file that is there: FILE, or FILE:NAME as open_tensors() takes it.
bool is_words_file(const std::string& words);

/// Of an npy, npz or json the array of words of that name, or its only one; of a safetensors file what its
/// metadata have under that name, a list as json writes it or lines; of any other file its lines. Throws
/// Error (failed) where there is none. What bytes are in them is for the caller to check.
std::vector<std::string> words_of_file(const std::string& words);

}  // namespace attnlab
