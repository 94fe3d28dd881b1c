// Text as TeX sets it.
#pragma once

#include <string>
#include <vector>

namespace attnlab {

struct TextRun;

/// Plain text, every character as it reads: TeX's own are escaped, ligatures prevented, and signs that text
/// fonts lack become mathematics ("−" is $-$).
std::string tex_text(const std::string& plain);

/// Raised and lowered runs become super- and subscripts, and what stands under the line of a √ its radicand.
std::string tex_text(const std::vector<TextRun>& runs);

/// Whether there are characters that need luatexja.
bool is_japanese(const std::string& plain);

}  // namespace attnlab
