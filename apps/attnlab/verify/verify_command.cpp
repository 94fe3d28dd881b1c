// `attnlab verify`: checks what the program says about itself, and prints what was found.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "verification/verify.hpp"

namespace attnlab {
namespace {

Ending run_verify(const ParsedCommand& parsed, Language language) {
  Selection selection{std::nullopt, parsed.value("only")};
  const Arguments section = parsed.checked("section");
  if (section.given("section")) selection.section = section.chosen<Section>("section");
  const Printing printing = read_printing(parsed);
  const double start = steady_seconds();
  const Checks checks = verify(built_in_evidence(), selection);
  const double elapsed = steady_seconds() - start;
  if (!checks.empty() && printing == Printing::json) write_output(verification_json(checks));
  if (!checks.empty() && printing == Printing::report) {
    write_output(verification_text(checks, elapsed, language, output_colouring()));
  }
  conclude(checks, selection);
  return Ending::done;
}

}  // namespace

Command verify_command() {
  std::vector<std::string> names;
  names.reserve(sections.size());
  for (const Section section : sections) names.emplace_back(name_of(section));
  return {"verify",
          {"文書の数値、性質、NumPy と PyTorch "
           "の結果をすべて計算し直して確かめます（不合格があれば終了コード 1）",
           "recompute every number of the documents, every invariant, and NumPy's and PyTorch's results; "
           "exit code 1 if one fails"},
          {{{"範囲", "What to verify"}, {flag("section", ChoiceKind{names}), flag("only", "NAME")}},
           report_group({quiet_flag(), json_flag()}),
           general_group()},
          run_verify};
}

}  // namespace attnlab
