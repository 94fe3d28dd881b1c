#include "page/markup.hpp"

#include "core/embedded_file.hpp"
#include "core/utf8.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {

std::string in_both(const std::string& element, const std::string& attributes, const Text& text) {
  std::string both;
  for (const Language language : {Language::ja, Language::en}) {
    both += fmt::format("<{0}{1} lang=\"{2}\">{3}</{0}>", element, attributes.empty() ? "" : " " + attributes,
                        code_of(language), escape(text.in(language)));
  }
  return both;
}

std::string span(const Text& text) { return in_both("span", "", text); }

std::string page_asset(std::string_view name) {
  for (const EmbeddedFile& file : page_files()) {
    if (file.path != name) continue;
    std::string written;
    for (const std::string& line : split(std::string(file.text), "\n")) {
      const std::string_view rest =
          std::string_view(line).substr(std::min(line.find_first_not_of(' '), line.size()));
      const std::string_view begin = rest.substr(0, 2);
      if (!rest.empty() && begin != "//" && begin != "/*") written.append(rest) += '\n';
    }
    return written;
  }
  throw std::out_of_range("no asset " + std::string(name));
}

}  // namespace attnlab
