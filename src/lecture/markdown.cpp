#include "lecture/markdown.hpp"

#include <fmt/format.h>
#include <md4c.h>

#include "core/error.hpp"
#include "core/formula_line.hpp"
#include "core/unicode.hpp"
#include "core/utf8.hpp"
#include "lecture/block_attributes.hpp"
#include "lecture/formula_marks.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

constexpr unsigned heading_shift = 1;  // h1 is the lecture's, h2 that of a section
constexpr unsigned lowest_heading = 6;

std::string as_typed(const TypedFormula& formula) { return formula.text; }

std::string as_mathml(const TypedFormula& typed) {
  const std::string_view text = trimmed(typed.text, "$");
  return to_mathml(formula::read_tex(text),
                   typed.text.rfind("$$", 0) == 0 ? MathPlace::displayed : MathPlace::inline_text);
}

/// What "&#106;", "&#x6a;" or "&amp;" stands for in an address; any other name stays as it is.
std::string letter_of(std::string_view entity) {
  if (entity == "&amp;") return "&";
  const bool is_hexadecimal = entity.substr(0, 3) == "&#x" || entity.substr(0, 3) == "&#X";
  if (!is_hexadecimal && entity.substr(0, 2) != "&#") return std::string(entity);
  const std::string digits(entity.substr(is_hexadecimal ? 3 : 2));
  const unsigned long number = std::strtoul(digits.c_str(), nullptr, is_hexadecimal ? 16 : 10);
  const bool is_letter = number > 0 && number < 0x110000 && (number < 0xD800 || number > 0xDFFF);
  return encode_utf8(is_letter ? static_cast<char32_t>(number) : U'\uFFFD');
}

/// The work, whose errors are told with the line where that is known.
template <class Line, class Work>
auto at_line(const MarkdownContext& context, const Line& line, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (context.place) throw error.at(context.place(line()));
    throw;
  }
}

/// Writes what md4c reads.
class HtmlWriter {
 public:
  HtmlWriter(const MarkedText& marked, const MarkdownContext& context) : marked_(marked), context_(context) {}

  std::string written() {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* writer) {
      return step(writer, [&](HtmlWriter& self) { self.enter(type, detail); });
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* writer) {
      return step(writer, [&](HtmlWriter& self) { self.leave(type, detail); });
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* writer) {
      return step(writer, [&](HtmlWriter& self) { self.enter(type, detail); });
    };
    parser.leave_span = [](MD_SPANTYPE type, void* detail, void* writer) {
      return step(writer, [&](HtmlWriter& self) { self.leave(type, detail); });
    };
    parser.text = [](MD_TEXTTYPE type, const char* text, MD_SIZE size, void* writer) {
      return step(writer, [&](HtmlWriter& self) { self.add(type, {text, size}); });
    };
    md_parse(marked_.text.data(), static_cast<MD_SIZE>(marked_.text.size()), &parser, this);
    if (fault_) std::rethrow_exception(fault_);
    return html_;
  }

 private:
  /// No exception passes through md4c, which is C.
  template <class Work>
  static int step(void* writer, const Work& work) {
    HtmlWriter& self = *static_cast<HtmlWriter*>(writer);
    try {
      work(self);
      return 0;
    } catch (...) {
      self.fault_ = std::current_exception();
      return 1;
    }
  }

  template <class Detail>
  static const Detail& as(const void* detail) {
    return *static_cast<const Detail*>(detail);
  }

  /// At the line up to which md4c has read.
  template <class Work>
  auto at_line(const Work& work) const {
    return attnlab::at_line(
        context_, [&] { return line_of(offset_, marked_); }, work);
  }

  std::string plain(std::string_view text) const {
    return without_marks(std::string(text), marked_.formulas, as_typed);
  }

  void look_at(const char* text) {
    const char* const begin = marked_.text.data();
    if (!std::less<>()(text, begin) && std::less<>()(text, begin + marked_.text.size()))
      offset_ = static_cast<std::size_t>(text - begin);
  }

  std::string value_of(const MD_ATTRIBUTE& attribute) {
    if (attribute.size == 0) return "";
    look_at(attribute.text);
    std::string value;
    for (std::size_t i = 0; attribute.substr_offsets[i] < attribute.size; ++i) {
      const std::string_view part(attribute.text + attribute.substr_offsets[i],
                                  attribute.substr_offsets[i + 1] - attribute.substr_offsets[i]);
      value += attribute.substr_types[i] == MD_TEXT_ENTITY ? letter_of(part) : std::string(part);
    }
    return plain(value);
  }

  // --- Blocks

  void enter(MD_BLOCKTYPE type, const void* detail) {
    begin_ = html_.size();
    switch (type) {
      case MD_BLOCK_QUOTE: return write("<blockquote>\n");
      case MD_BLOCK_UL: return write("<ul>\n");
      case MD_BLOCK_OL: {
        const unsigned start = as<MD_BLOCK_OL_DETAIL>(detail).start;
        return write(start == 1 ? "<ol>\n" : fmt::format("<ol start=\"{}\">\n", start));
      }
      case MD_BLOCK_LI: {
        const auto& item = as<MD_BLOCK_LI_DETAIL>(detail);
        const bool is_done = item.is_task != 0 && item.task_mark != ' ';
        return write(item.is_task == 0
                         ? "<li>"
                         : fmt::format("<li class=\"task\"><input type=\"checkbox\"{} disabled> ",
                                       is_done ? " checked" : ""));
      }
      case MD_BLOCK_HR: return write("<hr>\n");
      case MD_BLOCK_CODE: return write("<pre><code>");
      case MD_BLOCK_HTML:
      case MD_BLOCK_P: return write("<p>");
      case MD_BLOCK_TABLE: return write("<div class=\"scroll\" tabindex=\"0\"><table>\n");
      case MD_BLOCK_THEAD: return write("<thead>\n");
      case MD_BLOCK_TBODY: return write("<tbody>\n");
      case MD_BLOCK_TR: return write("<tr>");
      case MD_BLOCK_TH: return write("<th scope=\"col\"" + alignment_of(detail) + ">");
      case MD_BLOCK_TD: return write("<td" + alignment_of(detail) + ">");
      default: return;
    }
  }

  void leave(MD_BLOCKTYPE type, const void* detail) {
    line_end_.reset();
    switch (type) {
      case MD_BLOCK_QUOTE: return write("</blockquote>\n");
      case MD_BLOCK_UL: return write("</ul>\n");
      case MD_BLOCK_OL: return write("</ol>\n");
      case MD_BLOCK_LI: return write("</li>\n");
      case MD_BLOCK_H: return close_heading(as<MD_BLOCK_H_DETAIL>(detail).level);
      case MD_BLOCK_CODE: return write("</code></pre>\n");
      case MD_BLOCK_HTML:
      case MD_BLOCK_P: return close_paragraph();
      case MD_BLOCK_TABLE: return write("</table></div>\n");
      case MD_BLOCK_THEAD: return write("</thead>\n");
      case MD_BLOCK_TBODY: return write("</tbody>\n");
      case MD_BLOCK_TR: return write("</tr>\n");
      case MD_BLOCK_TH: return write("</th>");
      case MD_BLOCK_TD: return write("</td>");
      default: return;
    }
  }

  static std::string alignment_of(const void* detail) {
    switch (as<MD_BLOCK_TD_DETAIL>(detail).align) {
      case MD_ALIGN_LEFT: return " style=\"text-align:left\"";
      case MD_ALIGN_CENTER: return " style=\"text-align:center\"";
      case MD_ALIGN_RIGHT: return " style=\"text-align:right\"";
      default: return "";
    }
  }

  /// What stands in braces behind its words are its attributes.
  void close_heading(unsigned level) {
    const std::string tag = fmt::format("h{}", std::min(level + heading_shift, lowest_heading));
    std::string words = html_.substr(begin_);
    html_.resize(begin_);
    const std::string name = at_line([&] { return take_attributes(words).name; });
    write(fmt::format("<{0}{1}>{2}</{0}>\n", tag, name.empty() ? "" : " id=\"" + escape(name) + "\"", words));
  }

  /// A picture by itself is a figure, whose caption is its alternative text, as in pandoc.
  void close_paragraph() {
    constexpr std::string_view begin = "<p><img ";
    const bool is_figure = html_.compare(begin_, begin.size(), begin) == 0 &&
                           html_.find('<', begin_ + begin.size()) == std::string::npos && html_.back() == '>';
    if (!is_figure) return write("</p>\n");
    const std::string picture = html_.substr(begin_ + 3);
    html_.resize(begin_);
    const std::string caption = alt_.empty() ? "" : "<figcaption>" + alt_ + "</figcaption>";
    write("<figure>" + picture + caption + "</figure>\n");
  }

  // --- Spans

  void enter(MD_SPANTYPE type, const void* detail) {
    if (type == MD_SPAN_IMG && pictures_ == 0) open_picture(as<MD_SPAN_IMG_DETAIL>(detail));
    if (type == MD_SPAN_IMG) ++pictures_;
    if (pictures_ > 0) return;
    switch (type) {
      case MD_SPAN_EM: return write("<em>");
      case MD_SPAN_STRONG: return write("<strong>");
      case MD_SPAN_DEL: return write("<del>");
      case MD_SPAN_CODE: return write("<code>");
      case MD_SPAN_A: return open_link(as<MD_SPAN_A_DETAIL>(detail));
      default: return;
    }
  }

  void leave(MD_SPANTYPE type, const void* detail) {
    if (type == MD_SPAN_IMG && --pictures_ == 0) return close_picture(as<MD_SPAN_IMG_DETAIL>(detail));
    if (pictures_ > 0) return;
    switch (type) {
      case MD_SPAN_EM: return write("</em>");
      case MD_SPAN_STRONG: return write("</strong>");
      case MD_SPAN_DEL: return write("</del>");
      case MD_SPAN_CODE: return write("</code>");
      case MD_SPAN_A: return write("</a>");
      default: return;
    }
  }

  std::string title_of(const MD_ATTRIBUTE& attribute) {
    const std::string title = value_of(attribute);
    return title.empty() ? "" : " title=\"" + escape(title) + "\"";
  }

  void open_link(const MD_SPAN_A_DETAIL& link) {
    const std::string target = value_of(link.href);
    at_line([&] { check_link(target); });
    write("<a href=\"" + escape(target) + "\"" + title_of(link.title) + ">");
  }

  void open_picture(const MD_SPAN_IMG_DETAIL& picture) {
    end_line("");
    alt_.clear();
    const std::string target = value_of(picture.src);
    address_ = at_line([&] {
      if (context_.picture) return context_.picture(target);
      refuse_usage(
          text("ここに画像 {} は置けません", "the picture {} cannot stand here", quotation(target)),
          {"図は ``` {.attnlab} のブロックに書いてください", "figures stand in blocks ``` {.attnlab}"});
    });
  }

  void close_picture(const MD_SPAN_IMG_DETAIL& picture) {
    line_end_.reset();
    last_letter_.clear();
    write(fmt::format("<img src=\"{}\" alt=\"{}\"{}>", escape(address_), alt_, title_of(picture.title)));
    picture_end_ = html_.size();
  }

  /// {width=60%} behind a picture.
  std::string with_size(const std::string& typed) {
    const std::size_t end = typed.find('}');
    if (typed.empty() || typed.front() != '{' || end == std::string::npos) return typed;
    const BlockAttributes attributes = at_line([&] { return read_attributes(typed.substr(0, end + 1)); });
    std::string style;
    for (const auto& [name, value] : attributes.values) {
      const bool is_size = value.find_first_not_of("0123456789.%pxcmintemr") == std::string::npos;
      if (is_one_of(name, {"width", "height"}) && is_size) {
        const bool is_number = value.find_first_not_of("0123456789.") == std::string::npos;
        style += fmt::format("{}:{}{};", name, value, is_number ? "px" : "");
        continue;
      }
      const std::string typed_attribute = quotation(fmt::format("{}={}", name, value));
      at_line([&] {
        refuse_usage(text("属性 {} は使えません", "the attribute {} cannot be used", typed_attribute),
                     {"画像に書けるのは width と height です（例：{width=60%}）",
                      "a picture takes width and height, as in {width=60%}"});
      });
    }
    if (!style.empty()) html_.insert(html_.size() - 1, " style=\"" + style + "\"");
    return typed.substr(end + 1);
  }

  // --- Texts

  void add(MD_TEXTTYPE type, std::string_view text) {
    look_at(text.data());
    if (type == MD_TEXT_BR) return write(pictures_ > 0 ? " " : "<br>\n");
    if (type == MD_TEXT_SOFTBR) {
      line_end_ = target().size();
      return;
    }
    const std::string shown = plain(text);
    end_line(first_character(shown));
    last_letter_ = last_character(shown);
    if (type == MD_TEXT_ENTITY) return write(std::string(text));
    if (type == MD_TEXT_CODE) return write(escape(shown));
    std::string typed(text);
    if (picture_end_ == html_.size() && pictures_ == 0) typed = with_size(typed);
    picture_end_ = std::string::npos;
    write(with_notes(escape(typed)));
  }

  /// The end of a line is a space but between letters that are written without.
  void end_line(std::string_view next) {
    if (!line_end_) return;
    const std::size_t at = *std::exchange(line_end_, std::nullopt);
    const std::optional<std::u32string> around = decode_utf8(last_letter_ + std::string(next));
    const bool is_japanese =
        around && around->size() == 2 && std::all_of(around->begin(), around->end(), is_wide);
    if (!is_japanese) target().insert(at, "\n");
  }

  std::string with_notes(std::string html) const {
    for (std::size_t i = 0; i < context_.notes.size() && html.find("[^") != std::string::npos; ++i) {
      const std::string typed = "[^" + escape(context_.notes[i]) + "]";
      const std::string link = fmt::format("<sup><a href=\"#note.{0}\">{0}</a></sup>", i + 1);
      for (std::size_t at = html.find(typed); at != std::string::npos;
           at = html.find(typed, at + link.size()))
        html.replace(at, typed.size(), link);
    }
    return html;
  }

  std::string& target() { return pictures_ > 0 ? alt_ : html_; }

  void write(const std::string& html) { target() += html; }

  const MarkedText& marked_;
  const MarkdownContext& context_;
  std::string html_ = {};
  std::string alt_ = {};      // of the picture that is open, or was the last
  std::string address_ = {};  // of the picture that is open
  std::size_t begin_ = 0;     // of the block that was opened last
  std::size_t offset_ = 0;    // of what was read last
  std::size_t pictures_ = 0;  // that are open: their texts may hold others
  std::size_t picture_end_ = std::string::npos;
  std::optional<std::size_t> line_end_ = {};
  std::string last_letter_ = {};
  std::exception_ptr fault_ = nullptr;
};

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

std::string markdown_html(const std::string& markdown, const MarkdownContext& context) {
  const MarkedText marked = with_marks(markdown);
  return without_marks(HtmlWriter(marked, context).written(), marked.formulas,
                       [&](const TypedFormula& formula) {
                         return at_line(
                             context, [&] { return formula.line; }, [&] { return as_mathml(formula); });
                       });
}

}  // namespace attnlab
