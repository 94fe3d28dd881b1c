// The header of an npy file: a dictionary in Python's notation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace attnlab {

struct NpyHeader {
  std::string descr;  // "<f8"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
};

/// Reads {'descr': '<f8', 'fortran_order': False, 'shape': (4, 4), } and nothing more than that. `text`
/// stands at byte `offset` of `file`: errors name both.
NpyHeader parse_npy_header(std::string_view text, std::size_t offset, const std::string& file);

/// What to do about an npy that is no npy.
Text save_npy_again();

}  // namespace attnlab
