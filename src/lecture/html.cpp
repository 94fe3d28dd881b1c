// The lecture as one page: every figure inside it, readable from a USB stick in any browser, without a
// script.
#include "lecture/built_lecture.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// What stands between `before` and the next quotation mark, or "".
std::string attribute(const std::string& line, const std::string& before) {
  const std::size_t begin = line.find(before);
  if (begin == std::string::npos) return "";
  const std::size_t from = begin + before.size();
  return line.substr(from, line.find('"', from) - from);
}

/// `<path id="a" .../>` becomes `<path id="a" ...><title>hover</title></path>`.
std::string with_hover(std::string line, const std::string& hover) {
  const std::size_t end = line.rfind("/>");
  const std::string element = line.substr(1, line.find(' ') - 1);
  return line.replace(end, 2, "><title>" + escape(hover) + "</title></" + element + ">");
}

constexpr const char* style = R"css(
:root { color-scheme: light; }
body { font-family: Inter, "BIZ UDPGothic", "Hiragino Sans", "Noto Sans JP", system-ui, sans-serif; line-height: 1.6;
  color: #1b1e23; background: #fff; margin: 0 auto; max-width: 60rem; padding: 1rem 1.5rem 6rem; }
h1 { line-height: 1.25; } h2 { margin-top: 3rem; border-bottom: 1px solid #d8dce1; padding-bottom: .3rem; }
a { color: #0b5cad; } nav ol { columns: 2; column-gap: 2rem; padding-left: 1.4rem; } nav li { break-inside: avoid; }
figure { margin: 2rem 0 3rem; } figure > a.zoom { display: block; cursor: zoom-in; }
figure svg { display: block; width: 100%; height: auto; border: 1px solid #e4e7eb; border-radius: 6px; }
figure svg g { pointer-events: none; }
figcaption { margin-top: .6rem; } figcaption .files { color: #5c636b; font-size: .9rem; }
code { background: #f1f3f5; border-radius: 4px; padding: .1rem .35rem; overflow-wrap: anywhere; }
a.close { display: none; }
figure:target { position: fixed; inset: 0; margin: 0; padding: 1rem; background: #fff; overflow: auto; z-index: 1; }
figure:target svg { border: 0; width: 100%; height: calc(100vh - 9.5rem); }
figure:target > a.zoom { cursor: zoom-out; pointer-events: none; } figure:target svg * { pointer-events: auto; }
figure:target svg g { pointer-events: none; }
figure:target a.close { display: block; position: fixed; top: .8rem; right: 1.2rem; font-size: 2rem;
  line-height: 1; text-decoration: none; color: #1b1e23; }
@media print { nav, a.close, .files { display: none; } figure { break-inside: avoid; } body { max-width: none; } }
)css";

std::string link(const std::string& file) {
  const std::string extension = file.substr(file.rfind('.') + 1);
  return fmt::format("<a href=\"{}\">{}</a>", escape(file), extension);
}

std::string files_of(const BuiltFigure& figure, Language language) {
  std::string links;
  for (const std::string& file : figure.files) links += " " + link(file);
  for (const std::string& file : figure.data) links += " " + link(file);
  if (links.empty()) return "";
  return (language == Language::ja ? "ファイル：" : "Files:") + links;
}

std::string figure_html(const BuiltFigure& figure, Language language) {
  const std::string close = language == Language::ja ? "閉じる" : "Close";
  const bool has_caption = figure.caption_place == CaptionPlace::beside_picture;
  const std::string caption = has_caption ? "<p>" + escape(figure.caption) + "</p>\n" : "";
  return fmt::format(
      "<figure id=\"{0}\">\n<a class=\"zoom\" href=\"#{0}\">\n{1}</a>\n<a class=\"close\" href=\"#list-{0}\" "
      "aria-label=\"{2}\" title=\"{2}\">×</a>\n<figcaption>\n{3}<p class=\"files\"><code>{4}</code> "
      "{5}</p>\n</figcaption>\n</figure>\n",
      figure.name, inline_svg(figure.svg, figure.name + ".", figure.hovers), close, caption,
      escape(figure.command), files_of(figure, language));
}

std::string contents(const BuiltLecture& lecture) {
  std::string list = "<nav>\n<ol>\n";
  for (const BuiltSection& section : lecture.sections) {
    list += fmt::format("<li>{}<ul>\n", escape(section.title));
    for (const BuiltFigure& figure : section.figures) {
      list += fmt::format("<li><a href=\"#list-{}\">{}</a></li>\n", figure.name, escape(figure.title));
    }
    list += "</ul></li>\n";
  }
  return list + "</ol>\n</nav>\n";
}

std::string other_language(const BuiltLecture& lecture) {
  if (lecture.other_page.empty()) return "";
  const bool to_english = lecture.language == Language::ja;
  return fmt::format("<p><a href=\"{}\" hreflang=\"{}\">{}</a></p>\n", lecture.other_page,
                     to_english ? "en" : "ja", to_english ? "English" : "日本語");
}

}  // namespace

std::string inline_svg(const std::string& svg, const std::string& prefix,
                       const std::map<std::string, std::string>& hovers) {
  std::map<std::string, std::string> by_name;
  for (const auto& [id, hover] : hovers) by_name.emplace(svg_name(id), hover);

  std::string body;
  for (std::size_t begin = svg.find("<svg"); begin < svg.size();) {  // the XML declaration stays behind
    const std::size_t end = std::min(svg.find('\n', begin), svg.size());
    std::string line = svg.substr(begin, end - begin);
    const auto hover = by_name.find(attribute(line, " id=\""));
    const bool is_mark = line.size() > 2 && line.compare(line.size() - 2, 2, "/>") == 0;
    body += hover != by_name.end() && is_mark ? with_hover(line, hover->second) : line;
    body += '\n';
    begin = end + 1;
  }
  replace_all(body, " id=\"", " id=\"" + prefix);
  replace_all(body, "href=\"#", "href=\"#" + prefix);
  replace_all(body, "url(#", "url(#" + prefix);
  replace_all(body, "aria-labelledby=\"title-text desc-text\"",
              "aria-labelledby=\"" + prefix + "title-text " + prefix + "desc-text\"");
  return body;
}

std::string lecture_html(const BuiltLecture& lecture) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" "
      "content=\"attnlab\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      code_of(lecture.language), escape(lecture.title), style, escape(lecture.title));
  page += other_language(lecture) + contents(lecture);
  for (const BuiltSection& section : lecture.sections) {
    page += fmt::format("<h2>{}</h2>\n", escape(section.title));
    for (const BuiltFigure& figure : section.figures) {
      page +=
          fmt::format("<div id=\"list-{}\"></div>\n", figure.name) + figure_html(figure, lecture.language);
    }
  }
  return page + "</body>\n</html>\n";
}

}  // namespace attnlab
