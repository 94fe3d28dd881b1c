// An explanation on a terminal of 80 columns.

#include "core/terminal_width.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {
namespace {

constexpr std::size_t line_indent = 3;
constexpr std::size_t link_indent = 6;

std::string link_text(const Chain::Link& link) {
  return link.relation + ' ' + to_terminal(link.right);
}

/// On one line where it fits, else every relation on a line of its own.
std::string chain_text(const Chain& chain) {
  std::string line = to_terminal(chain.left);
  for (const Chain::Link& link : chain.links) line += ' ' + link_text(link);
  if (display_width(line) + line_indent <= report_width) return std::string(line_indent, ' ') + line + '\n';
  if (chain.links.empty()) return indented(line, line_indent, link_indent);
  std::string text =
      indented(to_terminal(chain.left) + ' ' + link_text(chain.links.front()), line_indent, link_indent);
  for (std::size_t i = 1; i < chain.links.size(); ++i)
    text += indented(link_text(chain.links[i]), link_indent, link_indent + 2);
  return text;
}

}  // namespace

std::string explanation_text(const Explanation& explanation, Language language, Colouring colouring) {
  std::string text = bold_lines(explanation.title.in(language), colouring);
  text += '\n' + indented(explanation.introduction.in(language), 0, 0);
  std::size_t number = 0;
  for (const ExplanationStep& step : explanation.steps) {
    text += '\n' + bold_lines(std::to_string(++number) + ". " + step.title.in(language), colouring);
    for (const std::variant<Text, Chain>& line : step.lines) {
      const Text* words = std::get_if<Text>(&line);
      text += words != nullptr ? indented(words->in(language), line_indent, line_indent)
                               : chain_text(std::get<Chain>(line));
    }
  }
  return text;
}

}  // namespace attnlab
