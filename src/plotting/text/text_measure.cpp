#include "plotting/text/text_measure.hpp"

#include "core/formula.hpp"
#include "core/utf8.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

bool belongs_to_a_name(char character) { return g_ascii_isalnum(character) || character == '_'; }

// Where the subscript ends that the letter before the underscore at `mark` carries; `mark` itself when that
// underscore is part of a longer name, as in in_proj_weight.
std::size_t end_of_subscript(const std::string& plain, std::size_t mark) {
  const bool one_letter =
      mark > 0 && g_ascii_isalpha(plain[mark - 1]) && (mark == 1 || !belongs_to_a_name(plain[mark - 2]));
  std::size_t end = mark + 1;
  while (end < plain.size() && g_ascii_isalnum(plain[end])) ++end;
  const bool complete = end > mark + 1 && (end == plain.size() || plain[end] != '_');
  return one_letter && complete ? end : mark;
}

bool is_hiragana(gunichar c) { return c >= 0x3041 && c <= 0x309f; }
bool is_katakana(gunichar c) { return (c >= 0x30a1 && c <= 0x30fa) || c == 0x30fc; }
bool ends_clause(gunichar c) {
  return c == 0x3001 || c == 0x3002 || c == 0xff1a;  // 、 。 ：
}
bool may_begin_phrase(gunichar c) {
  constexpr gunichar opening_bracket = 0xff08;
  const bool is_sign = (c >= 0x3000 && c <= 0x3002) || (c >= 0xff01 && c <= 0xff1f && c != opening_bracket);
  return !is_hiragana(c) && !is_sign && c != 0x30fc && c != ' ' && c != 0x300d;  // ー, a space, 」
}

/// Where a Japanese reader would rather see the line end, best first, in bytes: after a comma, a full stop or
/// a colon, in the line's last two thirds, then before a word that follows hiragana, in its second half.
std::vector<std::size_t> better_ends(const std::string& line) {
  std::vector<std::size_t> clauses;
  std::vector<std::size_t> phrases;
  const char* begin = line.c_str();
  const char* end = begin + line.size();
  for (const char* at = g_utf8_find_prev_char(begin, end); at != nullptr && at > begin;) {
    const char* previous = g_utf8_find_prev_char(begin, at);
    const auto bytes = static_cast<std::size_t>(at - begin);
    if (previous == nullptr || 3 * bytes < line.size()) break;
    const gunichar before = g_utf8_get_char(previous);
    if (ends_clause(before)) clauses.push_back(bytes);
    const bool is_second_half = 2 * bytes >= line.size();
    if (is_second_half && is_hiragana(before) && may_begin_phrase(g_utf8_get_char(at)))
      phrases.push_back(bytes);
    at = previous;
  }
  std::vector<std::size_t> ends;
  if (!clauses.empty()) ends.push_back(clauses.front());
  if (!phrases.empty()) ends.push_back(phrases.front());
  return ends;
}

/// No line ends between a sign and the value that follows it.
std::string with_values_kept(std::string plain) {
  for (const char* sign : {"= ", "> ", "< ", "≈ "})
    plain = replaced(std::move(plain), sign, std::string(sign, std::strlen(sign) - 1) + "\u00a0");
  return plain;
}

std::string without_spaces_at_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// No line ends within these parts.
void keep_whole(PangoLayout* layout, const std::vector<WholePart>& parts) {
  const Owned<PangoAttrList, pango_attr_list_unref> attributes(
      pango_attr_list_copy(pango_layout_get_attributes(layout)));
  for (const WholePart& part : parts) {
    PangoAttribute* kept = pango_attr_allow_breaks_new(FALSE);
    kept->start_index = static_cast<guint>(part.begin);
    kept->end_index = static_cast<guint>(part.end);
    pango_attr_list_insert(attributes.get(), kept);
  }
  pango_layout_set_attributes(layout, attributes.get());
}

/// As long as they fit.
std::vector<std::string> full_lines(const std::string& plain, double size, Weight weight, double width) {
  const GObjectPtr<PangoLayout> layout = typeset_plain(plain, weight);
  std::vector<WholePart> parts = whole_parts(plain);
  const auto is_too_wide = [&](const WholePart& part) {
    return text_width(plain.substr(part.begin, part.end - part.begin), size, weight) > width;
  };
  parts.erase(std::remove_if(parts.begin(), parts.end(), is_too_wide), parts.end());
  keep_whole(layout.get(), parts);
  pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width(layout.get(), static_cast<int>(std::max(1.0, width / scale_to(size)) * PANGO_SCALE));
  std::vector<std::string> lines;
  for (int i = 0; i < pango_layout_get_line_count(layout.get()); ++i) {
    const PangoLayoutLine* line = pango_layout_get_line_readonly(layout.get(), i);
    lines.push_back(
        plain.substr(static_cast<std::size_t>(line->start_index), static_cast<std::size_t>(line->length)));
  }
  return lines;
}

/// Characters of a text of more than ASCII that no font has.
std::string missing_of(const std::string& plain) {
  const auto unknown = [](const std::string& text) {
    return pango_layout_get_unknown_glyphs_count(typeset_plain(text, Weight::regular).get()) > 0;
  };
  std::string missing;
  if (!unknown(plain)) return missing;
  for (const char* at = plain.c_str(); *at != '\0'; at = g_utf8_next_char(at)) {
    const std::string character(at, static_cast<const char*>(g_utf8_next_char(at)));
    if (unknown(character) && missing.find(character) == std::string::npos) missing += character;
  }
  return missing;
}

std::string shown_line(const std::string& line) {
  return without_spaces_at_end(replaced(line, "\u00a0", " "));
}

std::vector<std::string> wrap_anew(const std::string& plain, double size, Weight weight, double width) {
  std::vector<std::string> lines = full_lines(with_values_kept(plain), size, weight, width);
  const bool one_paragraph = plain.find('\n') == std::string::npos;
  for (std::size_t i = 0; one_paragraph && i + 1 < lines.size(); ++i) {
    std::string rest;
    for (std::size_t j = i + 1; j < lines.size(); ++j) rest += lines[j];
    for (const std::size_t end : better_ends(lines[i])) {
      std::vector<std::string> others = full_lines(lines[i].substr(end) + rest, size, weight, width);
      if (i + 1 + others.size() > lines.size()) continue;
      lines[i].erase(end);
      std::move(others.begin(), others.end(), lines.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      break;
    }
  }
  std::transform(lines.begin(), lines.end(), lines.begin(), shown_line);
  return lines;
}

}  // namespace

TextExtent measure(const std::string& markup, double size, Weight weight) {
  const Typeset text = typeset(markup, size, weight);
  PangoRectangle ink;
  PangoRectangle logical;
  pango_layout_get_extents(text.layout.get(), &ink, &logical);
  const double scale = scale_to(size);
  const auto scaled = [scale](int units) { return pango_units_to_double(units) * scale; };
  const double lift = text.lift * scale;
  return {scaled(logical.width), scaled(logical.height) - text.extra_height * scale,
          Box{scaled(ink.x), scaled(ink.y) - lift, scaled(ink.width), scaled(ink.height)}};
}

double text_width(const std::string& plain, double size, Weight weight) {
  return measure(escape(plain), size, weight).width;
}

double line_height(double size) { return measure("0", size).height; }

std::string escape(const std::string& plain) {
  std::string visible = plain;
  std::replace_if(
      visible.begin(), visible.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  const auto size = static_cast<gssize>(visible.size());
  return Owned<char, g_free>(g_markup_escape_text(visible.data(), size)).get();
}

std::vector<SentencePart> sentence_parts(const std::string& plain) {
  std::vector<SentencePart> parts;
  std::size_t begin = 0;
  for (std::size_t mark = plain.find('_'); mark != std::string::npos; mark = plain.find('_', mark + 1)) {
    const std::size_t end = end_of_subscript(plain, mark);
    if (end == mark) continue;
    parts.push_back({plain.substr(begin, mark - begin), plain.substr(mark + 1, end - mark - 1)});
    begin = end;
  }
  if (begin < plain.size() || parts.empty()) parts.push_back({plain.substr(begin), ""});
  return parts;
}

std::string sentence_markup(const std::string& plain, double size) {
  std::string markup;
  for (const auto& [text, subscript] : sentence_parts(plain)) {
    if (subscript.empty()) {
      markup += escape(text);
      continue;
    }
    const std::size_t letter = text.size() - 1;
    markup += escape(text.substr(0, letter)) +
              to_markup(formula::sub(formula::sym(text.substr(letter)), formula::sym(subscript)), size);
  }
  return markup;
}

std::vector<WholePart> whole_parts(const std::string& plain) {
  constexpr std::size_t longest_word = 8;
  std::vector<WholePart> parts;
  const std::string root = "√(";
  for (std::size_t begin = plain.find(root); begin != std::string::npos;) {
    const std::size_t end = plain.find(')', begin);
    if (end == std::string::npos) break;
    parts.push_back({begin, end + 1});
    begin = plain.find(root, end);
  }
  std::size_t letters = 0;
  std::size_t begin = 0;
  const auto finish = [&](std::size_t end) {
    if (letters > 1 && letters <= longest_word) parts.push_back({begin, end});
    letters = 0;
  };
  for (const char* at = plain.c_str(); *at != '\0'; at = g_utf8_next_char(at)) {
    const auto place = static_cast<std::size_t>(at - plain.c_str());
    if (!is_katakana(g_utf8_get_char(at))) {
      finish(place);
      continue;
    }
    if (letters == 0) begin = place;
    ++letters;
  }
  finish(plain.size());
  return parts;
}

// Most fit into one line, and a page lays out the same sentences frame after frame.
std::vector<std::string> wrap(const std::string& plain, double size, Weight weight, double width) {
  if (plain.find('\n') == std::string::npos && text_width(plain, size, weight) <= width)
    return {shown_line(plain)};
  thread_local std::map<std::tuple<std::string, double, Weight, double>, std::vector<std::string>> paragraphs;
  return remembered(paragraphs, {plain, size, weight, width},
                    [&] { return wrap_anew(plain, size, weight, width); });
}

std::string elide(const std::string& plain, double size, Weight weight, double width) {
  const auto fits = [&](const std::string& text) { return text_width(text, size, weight) <= width; };
  if (fits(plain)) return plain;
  // A number at the end tells names apart. The characters kept before it, by bisection: width grows with
  // each.
  const std::string number = plain.substr(plain.find_last_not_of("0123456789") + 1);
  const char* text = plain.c_str();
  long low = 0;
  long high = g_utf8_strlen(text, -1) - static_cast<long>(number.size());
  const auto beginning = [&](long characters) {
    const char* end = g_utf8_offset_to_pointer(text, characters);
    return std::string(text, end) + "…" + number;
  };
  while (high - low > 1) {
    const long middle = (low + high) / 2;
    (fits(beginning(middle)) ? low : high) = middle;
  }
  return beginning(low);
}

std::string missing_characters(const std::string& plain) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(plain.begin(), plain.end(), is_ascii)) return {};
  thread_local std::map<std::string, std::string> known;
  return remembered(known, plain, [&] { return missing_of(plain); });
}

std::vector<Text> missing_fonts(Language language) {
  std::vector<Text> sentences;
  const auto check = [&sentences](const char* family, const std::string& sample, const std::string& package) {
    const std::vector<std::string> found = families_that_set(sample);
    if (std::find(found.begin(), found.end(), family) != found.end()) return;
    const std::string instead = found.empty() ? "-" : found.front();
    sentences.emplace_back("フォント " + std::string(family) + " がないため " + instead +
                               " で代用します。パッケージ " + package + " を入れてください",
                           "the font " + std::string(family) + " is not installed, " + instead +
                               " stands in; install the package " + package);
  };
  check(latin_family, "a", "fonts-inter");
  if (language == Language::ja) check(japanese_family, "猫", "fonts-morisawa-bizud-gothic");
  return sentences;
}

}  // namespace attnlab
