#include "lecture/markdown.hpp"

#include <cmark.h>

#include "core/error.hpp"
#include "core/owned.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr int heading_shift = 2;  // h1 is the lecture's, h2 that of a section
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

/// $`d_k`$: code between two dollar signs.
void set_formula(cmark_node* code) {
  cmark_node* before = cmark_node_previous(code);
  cmark_node* after = cmark_node_next(code);
  std::string left = literal_of(before);
  std::string right = literal_of(after);
  if (left.empty() || left.back() != '$' || right.empty() || right.front() != '$') return;
  const std::string mathml = to_mathml(formula::read_tex(literal_of(code)), MathPlace::inline_text);
  left.pop_back();
  right.erase(0, 1);
  cmark_node_set_literal(before, left.c_str());
  cmark_node_set_literal(after, right.c_str());
  cmark_node* custom = cmark_node_new(CMARK_NODE_CUSTOM_INLINE);
  cmark_node_set_on_enter(custom, mathml.c_str());
  replace_node(code, custom);
}

void prepare(cmark_node* node) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_HTML_BLOCK:
    case CMARK_NODE_HTML_INLINE:
      return show_as_text(node);
    case CMARK_NODE_CODE:
      return set_formula(node);
    case CMARK_NODE_HEADING:
      cmark_node_set_heading_level(
          node, std::min(cmark_node_get_heading_level(node) + heading_shift, lowest_heading));
      return;
    case CMARK_NODE_IMAGE:
      refuse_usage(text("文章に画像 {} は置けません", "a text cannot have the picture {}",
                        quotation(cmark_node_get_url(node))),
                   {"ページは 1 つのファイルです。図は [[section.figure]] に書いてください",
                    "a page is one file; write a [[section.figure]]"});
    default:
      return;
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

std::string markdown_html(const std::string& markdown) {
  const Owned<cmark_node, cmark_node_free> document(
      cmark_parse_document(markdown.data(), markdown.size(), CMARK_OPT_DEFAULT));
  cmark_consolidate_text_nodes(document.get());
  for (cmark_node* node : nodes_below(document.get())) prepare(node);
  char* html = cmark_render_html(document.get(), CMARK_OPT_DEFAULT);
  std::string text(html);
  cmark_get_default_mem_allocator()->free(html);
  return text;
}

}  // namespace attnlab
