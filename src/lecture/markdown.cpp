#include "lecture/markdown.hpp"

#include <cmark.h>

#include "core/error.hpp"
#include "core/owned.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr int heading_shift = 1;  // h1 is the lecture's, h2 that of a section
constexpr int lowest_heading = 6;

std::string literal_of(cmark_node* node) {
  const char* literal = node == nullptr ? nullptr : cmark_node_get_literal(node);
  return literal == nullptr ? "" : literal;
}

void replace_node(cmark_node* node, cmark_node* other) {
  cmark_node_replace(node, other);
  cmark_node_free(node);
}

/// HTML that was typed is shown as it was typed.
void show_as_text(cmark_node* node) {
  cmark_node* text = cmark_node_new(CMARK_NODE_TEXT);
  cmark_node_set_literal(text, literal_of(node).c_str());
  if (cmark_node_get_type(node) == CMARK_NODE_HTML_INLINE) return replace_node(node, text);
  cmark_node* paragraph = cmark_node_new(CMARK_NODE_PARAGRAPH);
  cmark_node_append_child(paragraph, text);
  replace_node(node, paragraph);
}

// --- Formulas, which CommonMark does not know: while it reads, a mark with a number stands in their place

constexpr std::string_view mark_begin = "\uE000";  // for private use: no text holds them
constexpr std::string_view mark_end = "\uE001";

/// A formula as it was typed, with its dollars.
struct TypedFormula {
  std::string text;
  std::size_t line = 0;
};
using TypedFormulas = std::vector<TypedFormula>;

bool is_space(char letter) { return letter == ' ' || letter == '\n' || letter == '\t'; }

/// Where a search has found nothing, a later one from before there finds nothing either.
struct Searched {
  std::map<std::string_view, std::size_t> formulas;  // by their dollars: up to where none closes
  std::set<std::size_t> codes;                       // numbers of backquotes of which no more stand together
};

/// Behind the formula that begins with a dollar at `begin`; npos where that is a dollar.
std::size_t end_of_formula(const std::string& text, std::size_t begin, Searched& searched) {
  const std::string_view dollars = text.compare(begin, 2, "$$") == 0 ? "$$" : "$";
  const std::size_t inside = begin + dollars.size();
  const bool stands_alone = dollars == "$$";
  if (inside >= text.size() || (!stands_alone && is_space(text[inside]))) return std::string::npos;
  std::size_t& none_before = searched.formulas[dollars];
  if (begin < none_before) return std::string::npos;
  std::size_t at = inside;
  for (; at < text.size() && text.compare(at, 2, "\n\n") != 0; ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text.compare(at, dollars.size(), dollars) == 0) {
      const std::size_t end = at + dollars.size();
      const bool before_digit = end < text.size() && text[end] >= '0' && text[end] <= '9';
      const bool is_closing = stands_alone || (!is_space(text[at - 1]) && !before_digit);
      if (is_closing && at > inside) return end;
    }
  }
  none_before = at;
  return std::string::npos;
}

/// Behind the code that begins with backquotes at `begin`, or behind these where it does not end.
std::size_t end_of_code(const std::string& text, std::size_t begin, Searched& searched) {
  const std::size_t inside = std::min(text.find_first_not_of('`', begin), text.size());
  const std::string quotes = text.substr(begin, inside - begin);
  if (searched.codes.count(quotes.size()) != 0) return inside;
  for (std::size_t at = text.find(quotes, inside); at != std::string::npos; at = text.find(quotes, at)) {
    const std::size_t end = std::min(text.find_first_not_of('`', at), text.size());
    if (end - at == quotes.size()) return end;
    at = end;
  }
  searched.codes.insert(quotes.size());
  return inside;
}

std::string with_marks(const std::string& text, TypedFormulas& formulas) {
  std::string marked;
  Searched searched;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '\\') end = std::min(at + 2, text.size());
    if (text[at] == '`') end = end_of_code(text, at, searched);
    const std::size_t behind = text[at] == '$' ? end_of_formula(text, at, searched) : std::string::npos;
    if (behind == std::string::npos) {
      const std::string part = text.substr(at, end - at);
      line += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
      marked += part;
      at = end;
      continue;
    }
    marked += fmt::format("{}{}{}", mark_begin, formulas.size(), mark_end);
    formulas.push_back({text.substr(at, behind - at), line});
    line +=
        static_cast<std::size_t>(std::count(formulas.back().text.begin(), formulas.back().text.end(), '\n'));
    at = behind;
  }
  return marked;
}

/// With what `written` makes of each formula in the place of its mark.
template <class Written>
std::string without_marks(const std::string& text, const TypedFormulas& formulas, const Written& written) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t begin = text.find(mark_begin); begin != std::string::npos;
       begin = text.find(mark_begin, at)) {
    const std::size_t digits = begin + mark_begin.size();
    const std::size_t end = text.find_first_not_of("0123456789", digits);
    const std::optional<std::size_t> number =
        number_from<std::size_t>(std::string_view(text).substr(digits, std::min(end, text.size()) - digits));
    const bool is_mark = end != std::string::npos && text.compare(end, mark_end.size(), mark_end) == 0 &&
                         number && *number < formulas.size();
    result += text.substr(at, begin - at) + (is_mark ? written(formulas[*number]) : "");
    at = is_mark ? end + mark_end.size() : digits;
  }
  return result + text.substr(at);
}

std::string as_typed(const TypedFormula& formula) { return formula.text; }

std::string as_mathml(const TypedFormula& typed) {
  const std::string_view text = trimmed(typed.text, "$");
  return to_mathml(formula::read_tex(text),
                   typed.text.rfind("$$", 0) == 0 ? MathPlace::displayed : MathPlace::inline_text);
}

using PlaceOfLine = std::function<std::string(std::size_t line)>;

/// The work, whose errors are told with their place where that is known.
template <class Work>
auto at_line(const PlaceOfLine& place, std::size_t line, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (place) throw error.at(place(line));
    throw;
  }
}

/// What is no text keeps its dollars.
void restore_formulas(cmark_node* node, const TypedFormulas& formulas) {
  const auto restore = [&](const char* (*get)(cmark_node*), int (*set)(cmark_node*, const char*)) {
    const char* text = get(node);
    if (text != nullptr) set(node, without_marks(text, formulas, as_typed).c_str());
  };
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_CODE:
    case CMARK_NODE_CODE_BLOCK: return restore(cmark_node_get_literal, cmark_node_set_literal);
    case CMARK_NODE_LINK:
    case CMARK_NODE_IMAGE:
      restore(cmark_node_get_url, cmark_node_set_url);
      return restore(cmark_node_get_title, cmark_node_set_title);
    default: return;
  }
}

void prepare(cmark_node* node) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_HTML_BLOCK:
    case CMARK_NODE_HTML_INLINE: return show_as_text(node);
    case CMARK_NODE_HEADING:
      cmark_node_set_heading_level(
          node, std::min(cmark_node_get_heading_level(node) + heading_shift, lowest_heading));
      return;
    case CMARK_NODE_IMAGE:
      refuse_usage(text("文章に画像 {} は置けません", "a text cannot have the picture {}",
                        quotation(cmark_node_get_url(node))),
                   {"ページは 1 つのファイルです。図は ``` {.attnlab} のブロックに書いてください",
                    "a page is one file; figures stand in blocks ``` {.attnlab}"});
    case CMARK_NODE_LINK: return check_link(cmark_node_get_url(node));
    default: return;
  }
}

std::vector<cmark_node*> nodes_below(cmark_node* document) {
  std::vector<cmark_node*> nodes;
  const Owned<cmark_iter, cmark_iter_free> walk(cmark_iter_new(document));
  for (cmark_event_type event = cmark_iter_next(walk.get()); event != CMARK_EVENT_DONE;
       event = cmark_iter_next(walk.get())) {
    if (event == CMARK_EVENT_ENTER) nodes.push_back(cmark_iter_get_node(walk.get()));
  }
  return nodes;
}

}  // namespace

void check_link(const std::string& target) {
  const std::size_t colon = target.find_first_of(":/?#");
  if (colon == std::string::npos || target[colon] != ':') return;
  const std::string scheme = lower_case(target.substr(0, colon));
  if (scheme == "http" || scheme == "https" || scheme == "mailto") return;
  refuse_usage(text("リンク先を {} にはできません", "a link cannot lead to {}", quotation(target)),
               {"http、https、mailto か、文書からの場所にしてください",
                "link to http, https, mailto or a place beside the document"});
}

std::string markdown_html(const std::string& markdown, const PlaceOfLine& place) {
  TypedFormulas formulas;
  const std::string marked = with_marks(markdown, formulas);
  const Owned<cmark_node, cmark_node_free> document(
      cmark_parse_document(marked.data(), marked.size(), CMARK_OPT_DEFAULT));
  for (cmark_node* node : nodes_below(document.get())) {
    restore_formulas(node, formulas);
    const int line = std::max(1, cmark_node_get_start_line(node));
    at_line(place, static_cast<std::size_t>(line) - 1, [&] { prepare(node); });
  }
  char* html = cmark_render_html(document.get(), CMARK_OPT_DEFAULT);
  const std::string text(html);
  cmark_get_default_mem_allocator()->free(html);
  return without_marks(text, formulas, [&](const TypedFormula& formula) {
    return at_line(place, formula.line, [&] { return as_mathml(formula); });
  });
}

}  // namespace attnlab
