// `attnlab verify`: checks what the program says about itself, and prints what was found.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "products/run.hpp"
#include "verification/verify.hpp"

namespace attnlab {
namespace {

Ending run_verify(const ParsedCommand& parsed, Language language) {
  Selection selection{std::nullopt, parsed.value("only")};
  const Arguments section = parsed.checked("section");
  if (section.is_set("section")) selection.section = section.chosen<Section>("section");
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
          command_words("verify"),
          {{{"範囲", "What to verify"}, {flag("section", ChoiceKind{names}), flag("only", "NAME")}},
           report_group({quiet_flag(), json_flag()}),
           general_group()},
          run_verify};
}

}  // namespace attnlab
