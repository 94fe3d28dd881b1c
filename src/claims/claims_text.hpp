// Checked claims as terminal text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {

/// "A" to "E", as the ids of the claims and --document call the documents.
std::string letter_of(Document document);

/// "A 教科書 2.2 節" / "A  textbook, section 2.2".
Text title_of(Document document);

/// Document by document: verdict, place, quotation, evidence and the corrected sentence; a count at the end.
std::string claims_text(const std::vector<CheckedClaim>& claims, Language language, Colouring colouring);

/// One JSON object: {"schema", "claims": [{"id", "document", "place", "quote", "verdict", "evidence",
/// "corrected", "numbers"}], "counts"}; texts are {"ja", "en"}.
std::string claims_json(const std::vector<CheckedClaim>& claims);

}  // namespace attnlab
