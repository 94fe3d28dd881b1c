// A lecture's document with its commands carried out, for pandoc.
#include "core/escape.hpp"
#include "core/utf8.hpp"
#include "lecture/built_lecture.hpp"

namespace attnlab {
namespace {

/// Of the document: its language, and what stands behind the names of its pictures and in what is no text.
struct Writing {
  Language language = Language::en;
  std::string extension;
  std::string made;  // " made=MARK", or ""
};

std::string in_quotes(const std::string& text) { return with_backslashes(text, "\\\""); }

/// With which a reader has the same on the screen, or in a notebook.
std::string with_command(const std::string& command) {
  return command.empty() ? "" : " command=\"" + in_quotes(command) + "\"";
}

/// With headings two levels lower.
std::string below_sections(const std::string& markdown) {
  std::string lower;
  for (const std::string& line : split(markdown, "\n"))
    lower += (line.rfind('#', 0) == 0 ? "##" : "") + line + "\n";
  return lower;
}

std::string label_of(Role role, Language language) {
  const auto label = [&](const char* ja, const char* en) {
    return fmt::format("**{}** ", language == Language::ja ? ja : en);
  };
  if (role == Role::misunderstanding) return label("よくある誤解。", "Common misunderstanding.");
  return role == Role::note ? label("注。", "Note.") : "";
}

// --- What a block's command gave, as Markdown

std::string written(const BuiltFigure& figure, const Writing& document, std::string kind = "") {
  if (document.made.empty()) kind.clear();
  if (!document.made.empty() && !figure.on_slide) kind = " .page";
  std::string text = fmt::format(
      "::: {{.attnlab-figure{} title=\"{}\"{}{}}}\n![{}]({}){{#{} alt=\"{}\"{}}}\n", kind,
      in_quotes(figure.title), with_command(figure.command), document.made, markdown_text(figure.caption),
      picture_of(document.language, figure.name) + document.extension, figure.name,
      in_quotes(figure.description), document.made);
  if (!figure.say.empty()) {
    text += "\n::: notes\n";
    for (const std::string& sentence : figure.say) text += markdown_text(sentence) + "\n\n";
    text += ":::\n";
  }
  return text + ":::\n";
}

std::string written(const BuiltFigures& figures, const Writing& document) {
  std::string text;
  for (const BuiltFigure& figure : figures.figures) text += written(figure, document) + "\n";
  return text;
}

/// Behind the one that stands still those for slides, which the filter chooses between.
std::string written(const BuiltFigure& still, const std::vector<BuiltFigure>& moments,
                    const Writing& document) {
  if (document.made.empty() || moments.empty()) return written(still, document);
  std::string text = "::: {.moving" + document.made + "}\n" + written(still, document) + "\n";
  for (const BuiltFigure& moment : moments) text += written(moment, document) + "\n";
  return text + ":::\n";
}

std::string written(const BuiltSliders& sliders, const Writing& document) {
  return written(sliders.still, sliders.moments, document);
}

std::string written(const BuiltFilm& film, const Writing& document) {
  return written(film.still, film.moments, document);
}

std::string written(const BuiltEquation& equation, const Writing& document) {
  const std::string formula = "$$\n" + to_latex(equation.formula) + "\n$$\n";
  return document.made.empty() ? formula : "::: {" + document.made + "}\n" + formula + ":::\n";
}

std::string written(const Paragraph& paragraph, const Writing& document) {
  return label_of(paragraph.role, document.language) + markdown_text(paragraph.text.in(document.language)) +
         "\n";
}

std::string written(const Table& table, const Writing& document) {
  const auto row = [&](const auto& cells) {
    std::string line = "|";
    for (const auto& cell : cells) line += " " + markdown_text(cell.in(document.language)) + " |";
    return line + "\n";
  };
  std::string rule = "|";
  for (std::size_t i = 0; i < table.header.size(); ++i) rule += i == 0 ? "---|" : "---:|";
  std::string text = row(table.header) + rule + "\n";
  for (const auto& cells : table.rows) text += row(cells);
  return text;
}

/// What a document holds itself stands there already; a report shows paragraphs and tables.
template <class Own>
std::string written(const Own& /*block*/, const Writing& /*document*/) {
  return "";
}

std::string written(const BuiltReport& report, const Writing& document) {
  std::string text = "::: {.attnlab-report" + with_command(report.command) + document.made + "}\n";
  for (const Block& block : report.blocks)
    text += std::visit([&](const auto& one) { return written(one, document); }, block) + "\n";
  if (report.explanation)
    text += below_sections(explanation_markdown(*report.explanation, document.language)) + "\n";
  return text + ":::\n";
}

std::string written(const BuiltCode& code, const Writing& document) {
  std::string fence = "```";
  while (code.program.find(fence) != std::string::npos) fence += '`';
  return fmt::format("{0} {{.python{1}{3}}}\n{2}{0}\n", fence, with_command(code.command), code.program,
                     document.made);
}

std::string written(const BuiltClaim& claim, const Writing& document) {
  return fmt::format("::: {{.attnlab-claim verdict=\"{}\"{}}}\n> {}\n>\n> {}\n\n**{}** {}\n{}:::\n",
                     claim.kind, document.made, markdown_text(claim.quote), markdown_text(claim.place),
                     markdown_text(claim.verdict), markdown_text(claim.evidence),
                     claim.corrected.empty() ? "" : "\n→ " + markdown_text(claim.corrected) + "\n");
}

/// Puts a text in the place of the block's lines.
void replace_lines(const CommandBlock& block, const std::string& text, std::vector<std::string>& lines) {
  for (std::size_t line = block.line; line < block.last_line; ++line) lines[line].clear();
  lines[block.line - 1] = text;
}

}  // namespace

std::string picture_of(Language language, const std::string& name) {
  return "pictures/" + code_of(language) + "/" + name;
}

std::string lecture_markdown(const Lecture& lecture, const std::vector<BuiltSection>& sections,
                             const std::string& extension, const std::string& mark) {
  const Writing document{lecture.language, extension, mark.empty() ? "" : " made=" + mark};
  std::vector<std::string> lines = lecture.lines;
  if (!mark.empty()) std::fill_n(lines.begin(), lecture.front_lines, "");
  for (std::size_t i = 0; i < sections.size(); ++i) {
    for (std::size_t k = 0; k < sections[i].blocks.size(); ++k) {
      const auto& content = lecture.sections[i].blocks[k].content;
      const BuiltBlock& built = sections[i].blocks[k];
      if (const auto* command = std::get_if<CommandBlock>(&content)) {
        replace_lines(*command, std::visit([&](const auto& one) { return written(one, document); }, built),
                      lines);
      } else if (const auto* steps = std::get_if<StepsBlock>(&content)) {
        const std::vector<BuiltFigure>& figures = std::get<BuiltSteps>(built).figures;
        for (std::size_t step = 0; step < figures.size(); ++step)
          replace_lines(steps->steps[step], written(figures[step], document), lines);
      } else if (const auto* question = std::get_if<QuestionBlock>(&content);
                 question != nullptr && question->guess) {
        replace_lines(*question->guess, written(std::get<BuiltQuestion>(built).guess->covered, document),
                      lines);
        lines[question->last_line - 1] +=
            "\n\n" + written(std::get<BuiltQuestion>(built).guess->open, document, " .answered");
      }
    }
  }
  return joined(lines, "\n") + "\n";
}

}  // namespace attnlab
