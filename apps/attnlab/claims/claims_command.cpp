// `attnlab claims`: the documents' sentences, run.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/terminal/console.hpp"
#include "claims/claim.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// The one that is named; all of the documents that are chosen where none is.
std::vector<CheckedClaim> checked_claims(const ParsedCommand& parsed) {
  const std::string chosen = parsed.checked("document").text("document");
  std::vector<Document> documents;
  for (const Document document : every_document) {
    if (chosen.empty() || chosen == letter_of(document)) documents.push_back(document);
  }
  if (parsed.topics.empty()) return check_claims(documents, attnlab_mathematics());
  const std::string id = only_topic(parsed, Text::none(), Text::none());
  if (const Claim* claim = find_claim(id)) return {checked_claim(*claim, attnlab_mathematics())};
  refuse_usage(
      text("主張 {} はありません", "there is no claim {}", quotation(id)),
      suggestion_or(id, claim_ids(),
                    {"一覧は attnlab claims で見られます", "`attnlab claims --json` names them all"}));
}

Ending run_claims(const ParsedCommand& parsed, Language language) {
  const Printing printing = read_printing(parsed);
  const std::vector<CheckedClaim> checked = checked_claims(parsed);
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
          run_claims,
          {" [主張]", " [CLAIM]"},
          [](const std::vector<Command>&) { return Offer{claim_ids()}; }};
}

}  // namespace attnlab
