// What Unicode says of characters, and its normal forms: GLib's tables.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// The bytes of a UTF-8 text's first and last character; none of an empty one.
std::string_view first_character(std::string_view text);
std::string_view last_character(std::string_view text);

enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// UTF-8 in, UTF-8 out.
std::string normal_form(const std::string& text, NormalForm form);

/// General categories: P*; Mn; M*; and of C* controls, formats, private use and surrogates.
bool is_punctuation(char32_t character);
bool is_nonspacing_mark(char32_t character);
bool is_mark(char32_t character);
bool is_other(char32_t character);

/// What \w stands for (UTS #18, annex C): alphabetic, marks, decimal numbers, connectors, joiners.
bool is_of_word(char32_t character);

/// Unicode's White_Space.
bool is_white_space(char32_t character);

/// East Asian wide: as broad as two Latin letters.
bool is_wide(char32_t character);

/// Whether any character is of those that Japanese is written with, Latin letters apart.
bool is_japanese(const std::string& text);

/// In lower case, as Unicode maps a character by itself: letters, and what is like letters (Ⅷ, Ⓐ).
std::u32string in_lower_case(char32_t character);

/// The bytes that a text in base64 stands for; what is no letter of it is skipped (RFC 2045).
std::string from_base64(const std::string& text);

}  // namespace attnlab
