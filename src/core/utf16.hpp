// Text in UTF-16, as Excel's "Unicode text" and PowerShell's > write it.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Its UTF-8, without a byte order mark. UTF-16 of either byte order is known by its mark, or by the zeros in
/// every other byte; nothing for other bytes.
std::optional<std::string> utf8_of_utf16(std::string_view bytes);

}  // namespace attnlab
