#include "attnlab/run_claims.hpp"

#include "attnlab/terminal/console.hpp"
#include "claims/claims_text.hpp"

namespace attnlab {

void run_claims(const std::string& document, Printing printing, Language language) {
  std::vector<Document> chosen;
  for (const Document candidate : every_document) {
    if (document.empty() || document == letter_of(candidate)) chosen.push_back(candidate);
  }
  const std::vector<CheckedClaim> checked = check_claims(chosen, own_mathematics());
  if (printing == Printing::json) write_output(claims_json(checked));
  if (printing == Printing::report) write_output(claims_text(checked, language, output_colouring()));
}

}  // namespace attnlab
