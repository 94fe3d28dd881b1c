// A formula as MathML, which browsers set by themselves.
#include <cctype>

#include "core/escape.hpp"
#include "core/formula_document.hpp"
#include "core/formula_line.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

using Kind = Formula::Kind;

std::string element(const std::string& name, const std::string& inside) {
  return "<" + name + ">" + inside + "</" + name + ">";
}

bool is_mathml_letter(char32_t character) {
  const bool is_latin = character < 0x80 && std::isalpha(static_cast<int>(character)) != 0;
  const bool is_greek = character >= 0x370 && character < 0x400;
  const bool is_styled =
      (character >= 0x2102 && character < 0x2140) || (character >= 0x1D400 && character < 0x1D800);
  return is_latin || is_greek || is_styled;
}

bool is_mathml_digit(char32_t character) { return character >= U'0' && character <= U'9'; }

/// Japanese and whatever else stands beyond the signs of mathematics.
bool is_foreign(char32_t character) { return character >= 0x2e80 && !is_mathml_letter(character); }

std::string sign_in_mathml(char32_t character) {
  constexpr char32_t wide_space = 0x2003;
  if (character == wide_space) return "<mspace width=\"1em\"></mspace>";
  if (character == U'∞') return "<mi>∞</mi>";
  if (character == U'‖') return "<mo lspace=\"0\" rspace=\"0\" stretchy=\"false\">‖</mo>";
  const std::string sign = character == U'-' ? "−" : encode_utf8(character);
  return element("mo", with_words(sign, {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}}));
}

/// Queries, keys and values carry their letter as a class: pages give them the colours that they have in
/// figures.
std::string letters_in_mathml(const std::string& letters) {
  if (!is_one_of(letters, {"Q", "K", "V"})) return element("mi", letters);
  return fmt::format("<mi class=\"{0}\">{0}</mi>", letters);
}

/// One symbol's characters in runs: words, numbers, signs.
std::string symbol_in_mathml(const std::string& symbol) {
  const std::u32string characters = decode_utf8(symbol).value_or(U"?");
  std::string mathml;
  std::size_t at = 0;
  const auto run = [&](auto belongs) {
    std::string text;
    while (at < characters.size() && belongs(characters[at])) text += encode_utf8(characters[at++]);
    return text;
  };
  while (at < characters.size()) {
    const char32_t character = characters[at];
    if (is_mathml_letter(character)) {
      mathml += letters_in_mathml(
          run([](char32_t c) { return is_mathml_letter(c) || is_mathml_digit(c) || c == U'_'; }));
    } else if (is_mathml_digit(character)) {
      mathml += element("mn", run([](char32_t c) { return is_mathml_digit(c) || c == U'.'; }));
    } else if (is_foreign(character)) {
      mathml += element("mtext", run(is_foreign));
    } else {
      ++at;
      if (character == U' ' || is_control(character)) continue;
      mathml += sign_in_mathml(character);
    }
  }
  return mathml;
}

std::string grouped(const Formula& formula);

/// Whether a minus behind it belongs to what follows.
bool precedes_sign(const Formula& part) {
  return part.kind == Kind::symbol &&
         is_one_of(part.symbol, {"(", "[", "{", ",", "=", "≈", "<", "→", "·", "×", "/"});
}

/// A bracket as high as what it holds, or as a letter where that is one line of letters: browsers stretch it
/// for a script, too.
std::string bracket_in_mathml(const std::string& symbol, bool stretches) {
  return stretches ? element("mo", symbol) : "<mo stretchy=\"false\">" + symbol + "</mo>";
}

/// The parts from `begin` to `end`. Brackets are as high as what stands between them, not as the whole line.
std::string parts_in_mathml(const FormulaLine& parts, std::size_t begin, std::size_t end) {
  std::string mathml;
  for (std::size_t i = begin; i < end; ++i) {
    const bool is_minus = is_symbol(parts[i], "−") || is_symbol(parts[i], "-");
    if (!closing_of(parts[i]).empty()) {
      const std::size_t close = closing_place(parts, i, end);
      if (close == end) {
        const bool holds_table = i + 1 < end && parts[i + 1].kind == Kind::table;  // \left\{ ... \right.
        mathml += bracket_in_mathml(parts[i].symbol, holds_table);
      } else {
        const bool stretches = is_tall(parts, i, close);
        mathml += element("mrow", bracket_in_mathml(parts[i].symbol, stretches) +
                                      parts_in_mathml(parts, i + 1, close) +
                                      bracket_in_mathml(parts[close].symbol, stretches));
        i = close;
      }
    } else if (is_minus && (i == begin || precedes_sign(parts[i - 1]))) {
      mathml += "<mo form=\"prefix\">−</mo>";
    } else {
      mathml += parts[i].kind == Kind::symbol ? symbol_in_mathml(parts[i].symbol) : grouped(parts[i]);
    }
  }
  return mathml;
}

std::string parts_in_mathml(const Formula& formula) {
  const FormulaLine parts = flattened(formula);
  return parts_in_mathml(parts, 0, parts.size());
}

/// Whether limits stand below and above it.
bool takes_limits(const Formula& base) {
  if (base.kind == Kind::accent) return is_one_of(base.symbol, {"underbrace", "overbrace"});
  return base.kind == Kind::symbol &&
         is_one_of(base.symbol, {"∑", "∏", "max", "min", "argmax", "argmin", "lim", "sup", "inf"});
}

/// A transpose stands upright.
std::string script_of(const Formula& script) {
  return is_symbol(script, "T") ? "<mi mathvariant=\"normal\">T</mi>" : grouped(script);
}

/// Scripts on one base: below, above, or both.
std::string scripts_in_mathml(const Formula& formula) {
  const Formula& below = formula.parts[0];
  const bool has_both = formula.kind == Kind::sup && below.kind == Kind::sub;
  const Formula& base = has_both ? below.parts[0] : formula.parts[0];
  const bool limits = takes_limits(base);
  if (has_both) {
    return element(limits ? "munderover" : "msubsup",
                   grouped(base) + grouped(below.parts[1]) + script_of(formula.parts[1]));
  }
  const std::string name =
      formula.kind == Kind::sub ? (limits ? "munder" : "msub") : (limits ? "mover" : "msup");
  return element(name, grouped(base) + script_of(formula.parts[1]));
}

/// Above its base or below it.
std::string accent_in_mathml(const Formula& accent) {
  const Accent* const known = accent_of_command(accent.symbol);
  const std::string sign(known == nullptr ? "" : known->sign);
  const bool is_below = is_one_of(accent.symbol, {"underbrace", "underline"});
  return fmt::format("<{0} {1}=\"true\">{2}<mo>{3}</mo></{0}>", is_below ? "munder" : "mover",
                     is_below ? "accentunder" : "accent", grouped(accent.parts[0]), sign);
}

/// Brackets around it, and how its columns stand.
std::string table_in_mathml(const Formula& table) {
  static const std::map<std::string, std::pair<const char*, const char*>> brackets{{"bmatrix", {"[", "]"}},
                                                                                   {"pmatrix", {"(", ")"}},
                                                                                   {"vmatrix", {"|", "|"}},
                                                                                   {"Bmatrix", {"{", "}"}},
                                                                                   {"cases", {"{", ""}}};
  std::string rows;
  for (const Formula& row : table.parts) {
    std::string cells;
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
      const bool is_right = table.symbol == "aligned" && i % 2 == 0;
      const bool is_left = table.symbol == "cases" || (table.symbol == "aligned" && !is_right);
      cells += fmt::format("<mtd{}>{}</mtd>",
                           is_right  ? " style=\"text-align:right;padding-right:0\""
                           : is_left ? " style=\"text-align:left;padding-left:.2em\""
                                     : "",
                           parts_in_mathml(row.parts[i]));
    }
    rows += element("mtr", cells);
  }
  const auto around = brackets.find(table.symbol);
  if (around == brackets.end()) return element("mtable", rows);
  return element("mrow", fmt::format("<mo>{}</mo><mtable>{}</mtable><mo>{}</mo>", around->second.first, rows,
                                     around->second.second));
}

/// One element, as scripts and fractions need.
std::string grouped(const Formula& formula) {
  switch (formula.kind) {
    case Kind::symbol:
    case Kind::row: return element("mrow", parts_in_mathml(formula));
    case Kind::sub:
    case Kind::sup: return scripts_in_mathml(formula);
    case Kind::root: return element("msqrt", parts_in_mathml(formula.parts[0]));
    case Kind::fraction: return element("mfrac", grouped(formula.parts[0]) + grouped(formula.parts[1]));
    case Kind::accent: return accent_in_mathml(formula);
    case Kind::table: return table_in_mathml(formula);
  }
  return {};
}

}  // namespace

std::string to_mathml(const Formula& formula, MathPlace place) {
  const std::string display = place == MathPlace::displayed ? " display=\"block\"" : "";
  return "<math" + display + ">" + grouped(formula) + "</math>";
}

}  // namespace attnlab
