// Lengths as vector formats spell them: no digit that nobody could see.
#pragma once

#include <string>

namespace attnlab {

/// In hundredths, which of a point are finer than any screen or printer: "12.5", ".05", "-3".
std::string length_text(double value);

}  // namespace attnlab
