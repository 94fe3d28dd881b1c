// How large a text will be: measured with the fonts that paint it.
#pragma once

#include "core/text.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// The fonts of every picture: Inter for Latin, figures of equal width; BIZ UDPGothic for Japanese. Both are
/// made for legibility. DejaVu Sans has the few signs that both lack (ᵀ), before any other font of a machine.
constexpr const char* latin_family = "Inter";
constexpr const char* japanese_family = "BIZ UDPGothic";
constexpr const char* sign_family = "DejaVu Sans";

/// In points, from the upper left corner of the text's logical box.
struct TextExtent {
  double width = 0.0;   // advance
  double height = 0.0;  // one line of the font
  Box ink;              // what is really painted
};

/// `markup` is Pango markup of one line. Throws Error (failed) for markup or UTF-8 that Pango cannot read.
TextExtent measure(const std::string& markup, double size, Weight weight = Weight::regular);
inline TextExtent measure(const Words& words) { return measure(words.markup, words.size, words.weight); }

/// The advance of plain text, and the height of any line of it.
double text_width(const std::string& plain, double size, Weight weight = Weight::regular);
double line_height(double size);

/// Plain text made safe as markup; line breaks and control characters become spaces.
std::string escape(const std::string& plain);

/// A piece of a sentence and the subscript that its last letter carries: "mixed by W", "O". Without one: "".
struct SentencePart {
  std::string text;
  std::string subscript;
};
std::vector<SentencePart> sentence_parts(const std::string& plain);

/// A sentence as markup in text of `size` points; a letter's subscript is set as one: "W_Q", "d_model".
std::string sentence_markup(const std::string& plain, double size);

/// What a line's end should not divide, in bytes: a root with what stands under it, "√(σ + δ)", and a
/// Japanese loan word of up to eight letters.
struct WholePart {
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::vector<WholePart> whole_parts(const std::string& plain);

/// Breaks plain text into lines no wider than `width`, at spaces or between Japanese characters, following
/// the line-breaking rules of Unicode. A word or another whole part wider than that is broken inside. Lines
/// are plain text.
std::vector<std::string> wrap(const std::string& plain, double size, Weight weight, double width);

/// The text, or its beginning with an ellipsis when it is wider than `width`. Plain text.
std::string elide(const std::string& plain, double size, Weight weight, double width);

/// Characters of the text that no installed font can draw.
std::string missing_characters(const std::string& plain);

/// One sentence per font family that figures in this language need and that is not installed here.
std::vector<Text> missing_fonts(Language language);

}  // namespace attnlab
