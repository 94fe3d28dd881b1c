// Makes an SVG file a part of a page: ids that no other figure has, and values for the pointer.
#include <cstddef>

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

}  // namespace attnlab
