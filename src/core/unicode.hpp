// What Unicode says of characters, and its normal forms: GLib's tables.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// UTF-8 in, UTF-8 out.
std::string normal_form(const std::string& text, NormalForm form);

/// General categories: P*; Mn; and of C* controls, formats, private use and surrogates.
bool is_punctuation(char32_t character);
bool is_nonspacing_mark(char32_t character);
bool is_other(char32_t character);

/// Unicode's White_Space.
bool is_white_space(char32_t character);

/// In lower case, as Unicode maps a character by itself.
std::u32string in_lower_case(char32_t character);

/// The bytes that a text in base64 stands for; what is no letter of it is skipped (RFC 2045).
std::string from_base64(const std::string& text);

}  // namespace attnlab
