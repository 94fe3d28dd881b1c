// `attnlab claims`: the documents' sentences, run.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "claims/claim.hpp"

namespace attnlab {
namespace {

Ending run_claims(const ParsedCommand& parsed, Language language) {
  const std::string chosen = parsed.checked("document").text("document");
  const Printing printing = read_printing(parsed);
  std::vector<Document> documents;
  for (const Document document : every_document) {
    if (chosen.empty() || chosen == letter_of(document)) documents.push_back(document);
  }
  const std::vector<CheckedClaim> checked = check_claims(documents, own_mathematics());
  if (printing == Printing::json) write_output(claims_json(checked));
  if (printing == Printing::report) write_output(claims_text(checked, language, output_colouring()));
  return Ending::done;
}

}  // namespace

Command claims_command() {
  return {"claims",
          command_words("claims"),
          {{{"範囲", "Which claims"}, {flag("document", ChoiceKind{{"A", "B", "C", "D", "E"}})}},
           report_group({quiet_flag(), json_flag()}),
           general_group()},
          run_claims};
}

}  // namespace attnlab
