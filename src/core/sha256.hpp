#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// The digest of FIPS 180-4 in hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace attnlab
