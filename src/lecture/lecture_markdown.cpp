// A lecture's document with its commands carried out, for pandoc.
#include "core/escape.hpp"
#include "core/utf8.hpp"
#include "lecture/built_lecture.hpp"

namespace attnlab {
namespace {

/// What a block's command gave, as Markdown.
class BlockWriter {
 public:
  BlockWriter(Language language, const std::string& extension) : language_(language), extension_(extension) {}

  std::string of(const BuiltFigure& figure) const {
    std::string text = fmt::format(
        "::: {{.attnlab-figure title=\"{}\"{}}}\n![{}]({}){{#{} alt=\"{}\"}}\n", in_quotes(figure.title),
        with_command(figure.command), markdown_text(figure.caption),
        picture_of(language_, figure.name) + extension_, figure.name, in_quotes(figure.description));
    if (!figure.say.empty()) {
      text += "\n::: notes\n";
      for (const std::string& sentence : figure.say) text += markdown_text(sentence) + "\n\n";
      text += ":::\n";
    }
    return text + ":::\n";
  }

  std::string of(const BuiltFigures& figures) const {
    std::string text;
    for (const BuiltFigure& figure : figures.figures) text += of(figure) + "\n";
    return text;
  }

  std::string of(const BuiltSliders& sliders) const { return of(sliders.still); }
  std::string of(const BuiltFilm& film) const { return of(film.still); }

  std::string of(const BuiltEquation& equation) const {
    return "$$\n" + to_latex(equation.formula) + "\n$$\n";
  }

  std::string of(const BuiltReport& report) const {
    std::string text = "::: {.attnlab-report" + with_command(report.command) + "}\n";
    for (const Block& block : report.blocks)
      text += std::visit([&](const auto& one) { return of(one); }, block) + "\n";
    if (report.explanation)
      text += below_sections(explanation_markdown(*report.explanation, language_)) + "\n";
    return text + ":::\n";
  }

  std::string of(const BuiltCode& code) const {
    std::string fence = "```";
    while (code.program.find(fence) != std::string::npos) fence += '`';
    return fmt::format("{0} {{.python{1}}}\n{2}{0}\n", fence, with_command(code.command), code.program);
  }

  std::string of(const BuiltClaim& claim) const {
    return fmt::format("::: {{.attnlab-claim verdict=\"{}\"}}\n> {}\n>\n> {}\n\n**{}** {}\n{}:::\n",
                       claim.kind, markdown_text(claim.quote), markdown_text(claim.place),
                       markdown_text(claim.verdict), markdown_text(claim.evidence),
                       claim.corrected.empty() ? "" : "\n→ " + markdown_text(claim.corrected) + "\n");
  }

  /// What a document holds itself stands there already.
  template <class Own>
  std::string of(const Own& /*block*/) const {
    return "";
  }

 private:
  static std::string in_quotes(const std::string& text) { return with_backslashes(text, "\\\""); }

  /// With which a reader has the same on the screen, or in a notebook.
  static std::string with_command(const std::string& command) {
    return command.empty() ? "" : " command=\"" + in_quotes(command) + "\"";
  }

  /// With headings two levels lower.
  static std::string below_sections(const std::string& markdown) {
    std::string lower;
    for (const std::string& line : split(markdown, "\n"))
      lower += (line.rfind('#', 0) == 0 ? "##" : "") + line + "\n";
    return lower;
  }

  std::string of(const Paragraph& paragraph) const {
    const std::string text = markdown_text(paragraph.text.in(language_));
    return label_of(paragraph.role) + text + "\n";
  }

  std::string label_of(Role role) const {
    const auto label = [&](const char* ja, const char* en) {
      return fmt::format("**{}** ", language_ == Language::ja ? ja : en);
    };
    if (role == Role::misunderstanding) return label("よくある誤解。", "Common misunderstanding.");
    return role == Role::note ? label("注。", "Note.") : "";
  }

  std::string of(const Table& table) const {
    const auto row = [&](const auto& cells) {
      std::string line = "|";
      for (const auto& cell : cells) line += " " + markdown_text(cell.in(language_)) + " |";
      return line + "\n";
    };
    std::string rule = "|";
    for (std::size_t i = 0; i < table.header.size(); ++i) rule += i == 0 ? "---|" : "---:|";
    std::string text = row(table.header) + rule + "\n";
    for (const auto& cells : table.rows) text += row(cells);
    return text;
  }

  Language language_;
  std::string extension_;
};

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
                             const std::string& extension) {
  const BlockWriter writer(lecture.language, extension);
  std::vector<std::string> lines = lecture.lines;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    for (std::size_t k = 0; k < sections[i].blocks.size(); ++k) {
      const auto& content = lecture.sections[i].blocks[k].content;
      const BuiltBlock& built = sections[i].blocks[k];
      if (const auto* command = std::get_if<CommandBlock>(&content)) {
        replace_lines(*command, std::visit([&](const auto& one) { return writer.of(one); }, built), lines);
      } else if (const auto* steps = std::get_if<StepsBlock>(&content)) {
        const std::vector<BuiltFigure>& figures = std::get<BuiltSteps>(built).figures;
        for (std::size_t step = 0; step < figures.size(); ++step)
          replace_lines(steps->steps[step], writer.of(figures[step]), lines);
      }
    }
  }
  return joined(lines, "\n") + "\n";
}

}  // namespace attnlab
