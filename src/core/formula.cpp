// Sets a formula's line: scripts become characters in a terminal, and raised or lowered spans in a figure.
#include "core/formula.hpp"

#include <cctype>

#include "core/escape.hpp"
#include "core/formula_line.hpp"
#include "core/utf8.hpp"

namespace attnlab {

namespace formula {

Formula sym(std::string symbol) { return {Formula::Kind::symbol, std::move(symbol), {}}; }
Formula row(std::vector<Formula> parts) { return {Formula::Kind::row, {}, std::move(parts)}; }
Formula sub(Formula base, Formula script) {
  return {Formula::Kind::sub, {}, {std::move(base), std::move(script)}};
}
Formula sup(Formula base, Formula script) {
  return {Formula::Kind::sup, {}, {std::move(base), std::move(script)}};
}
Formula root(Formula radicand) { return {Formula::Kind::root, {}, {std::move(radicand)}}; }
Formula fraction(Formula numerator, Formula denominator) {
  return {Formula::Kind::fraction, {}, {std::move(numerator), std::move(denominator)}};
}
Formula call(std::string name, Formula argument) {
  return row({sym(std::move(name)), sym("("), std::move(argument), sym(")")});
}

}  // namespace formula

namespace {

using Kind = Formula::Kind;

// --- Terminal ----------------------------------------------------------------------------------------------

struct Scripted {
  std::string_view plain;
  std::string_view sub;
  std::string_view sup;
};

// Unicode's scripts that common terminal fonts have; an empty entry does not exist.
constexpr std::array<Scripted, 66> scripts{{
    {"0", "₀", "⁰"}, {"1", "₁", "¹"}, {"2", "₂", "²"}, {"3", "₃", "³"}, {"4", "₄", "⁴"}, {"5", "₅", "⁵"},
    {"6", "₆", "⁶"}, {"7", "₇", "⁷"}, {"8", "₈", "⁸"}, {"9", "₉", "⁹"}, {"+", "₊", "⁺"}, {"-", "₋", "⁻"},
    {"−", "₋", "⁻"}, {"=", "₌", "⁼"}, {"(", "₍", "⁽"}, {")", "₎", "⁾"}, {"a", "ₐ", "ᵃ"}, {"b", "", "ᵇ"},
    {"c", "", "ᶜ"},  {"d", "", "ᵈ"},  {"e", "ₑ", "ᵉ"}, {"f", "", "ᶠ"},  {"g", "", "ᵍ"},  {"h", "ₕ", "ʰ"},
    {"i", "ᵢ", "ⁱ"}, {"j", "ⱼ", "ʲ"}, {"k", "ₖ", "ᵏ"}, {"l", "ₗ", "ˡ"}, {"m", "ₘ", "ᵐ"}, {"n", "ₙ", "ⁿ"},
    {"o", "ₒ", "ᵒ"}, {"p", "ₚ", "ᵖ"}, {"r", "ᵣ", "ʳ"}, {"s", "ₛ", "ˢ"}, {"t", "ₜ", "ᵗ"}, {"u", "ᵤ", "ᵘ"},
    {"v", "ᵥ", "ᵛ"}, {"w", "", "ʷ"},  {"x", "ₓ", "ˣ"}, {"y", "", "ʸ"},  {"z", "", "ᶻ"},  {"A", "", "ᴬ"},
    {"B", "", "ᴮ"},  {"D", "", "ᴰ"},  {"E", "", "ᴱ"},  {"G", "", "ᴳ"},  {"H", "", "ᴴ"},  {"I", "", "ᴵ"},
    {"J", "", "ᴶ"},  {"K", "", "ᴷ"},  {"L", "", "ᴸ"},  {"M", "", "ᴹ"},  {"N", "", "ᴺ"},  {"O", "", "ᴼ"},
    {"P", "", "ᴾ"},  {"R", "", "ᴿ"},  {"T", "", "ᵀ"},  {"U", "", "ᵁ"},  {"V", "", "ⱽ"},  {"W", "", "ᵂ"},
    {"β", "ᵦ", "ᵝ"}, {"γ", "ᵧ", "ᵞ"}, {"ρ", "ᵨ", ""},  {"φ", "ᵩ", "ᵠ"}, {"χ", "ᵪ", "ᵡ"}, {"δ", "", "ᵟ"},
}};
static_assert(!scripts.back().plain.empty());

std::optional<std::string> as_script(const std::string& text, Kind kind) {
  std::string result;
  for (const char32_t character : decode_utf8(text).value_or(U"")) {
    if (character == U' ') continue;
    const auto* found =
        std::find_if(scripts.begin(), scripts.end(),
                     [plain = encode_utf8(character)](const Scripted& s) { return s.plain == plain; });
    if (found == scripts.end()) return std::nullopt;
    const std::string_view script = kind == Kind::sub ? found->sub : found->sup;
    if (script.empty()) return std::nullopt;
    result += script;
  }
  return result;
}

std::string terminal_line(const FormulaLine& line);

std::string terminal_piece(const Formula& piece) {
  if (piece.kind == Kind::symbol) return piece.symbol;
  const std::string base = terminal_piece(piece.parts[0]);
  const FormulaLine& script = piece.parts[1].parts;
  const std::string text = terminal_line(script);
  if (const std::optional<std::string> characters = as_script(text, piece.kind)) return base + *characters;
  const std::string mark = piece.kind == Kind::sub ? "_" : "^";
  const bool one = script.size() == 1 && is_term(script);
  const bool bracketed = script.size() > 1 && is_symbol(script.front(), "(") && is_term(script);
  return base + mark + (one || bracketed ? text : "(" + text + ")");
}

// Whether `next` would read on the script of `previous`, written in ordinary letters: W_Q x, not W_Qx.
bool would_run_on(const std::string& previous, const std::string& next) {
  const auto letter = [](char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte < 0;
  };
  return previous.find_first_of("_^") != std::string::npos && letter(previous.back()) && letter(next.front());
}

std::string terminal_line(const FormulaLine& line) {
  std::string text;
  std::string previous;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string piece = terminal_piece(line[i]);
    if (space_before(line, i) || (i > 0 && would_run_on(previous, piece))) text += ' ';
    text += piece;
    previous = piece;
  }
  return text;
}

// --- Markup ------------------------------------------------------------------------------------------------

// TeX's proportions, roughly: a script's height above or below its base, in units of the base's size.
constexpr double script_ratio = 0.7;
constexpr double smallest_script = 7.0;  // points; the project's limit for text in figures
constexpr double sup_rise = 0.38;
constexpr double sub_rise = -0.16;
constexpr double pango_scale = 1024.0;

struct Style {
  double size = 0.0;  // points
  double rise = 0.0;  // points above the base line
};

std::string escaped(const std::string& text) {
  static const std::map<char, std::string> entities{{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}};
  return with_words(text, entities);
}

std::string span(const std::string& text, Style style) {
  if (style.rise == 0.0) return escaped(text);
  return "<span size=\"" + std::to_string(std::lround(style.size * pango_scale)) + "\" rise=\"" +
         std::to_string(std::lround(style.rise * pango_scale)) + "\">" + escaped(text) + "</span>";
}

std::string markup_line(const FormulaLine& line, Style style);

std::string markup_piece(const Formula& piece, Style style) {
  if (piece.kind == Kind::symbol) return span(piece.symbol, style);
  const double lift = (piece.kind == Kind::sup ? sup_rise : sub_rise) * style.size;
  const Style script{std::min(style.size, std::max(smallest_script, script_ratio * style.size)),
                     style.rise + lift};
  return markup_piece(piece.parts[0], style) + markup_line(piece.parts[1].parts, script);
}

std::string markup_line(const FormulaLine& line, Style style) {
  std::string markup;
  std::string run;  // neighbouring symbols share one span
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (space_before(line, i)) run += ' ';
    if (line[i].kind == Kind::symbol) {
      run += line[i].symbol;
      continue;
    }
    if (!run.empty()) markup += span(std::exchange(run, {}), style);
    markup += markup_piece(line[i], style);
  }
  return run.empty() ? markup : markup + span(run, style);
}

}  // namespace

std::string to_terminal(const Formula& formula) { return terminal_line(one_line(formula)); }

std::string to_markup(const Formula& formula, double size) {
  return markup_line(one_line(formula), {size, 0.0});
}

}  // namespace attnlab

template class std::vector<attnlab::Formula>;
