#include "products/lecture/claim_block.hpp"

#include "claims/claim.hpp"

namespace attnlab {

std::vector<std::string> claim_ids() {
  std::vector<std::string> ids;
  for (const Claim& claim : claims()) ids.push_back(claim.id);
  return ids;
}

std::optional<BuiltClaim> built_claim(const std::string& id, Language language) {
  for (const Claim& claim : claims()) {
    if (claim.id != id) continue;
    const CheckedClaim checked = checked_claim(claim, own_mathematics());
    const Verdict verdict = checked.finding.verdict;
    const bool holds = verdict == Verdict::holds;
    return BuiltClaim{
        key_of(verdict),          name_of(verdict).in(language), claim.place.in(language),
        claim.quote.in(language), checked.evidence.in(language), holds ? "" : checked.corrected.in(language)};
  }
  return std::nullopt;
}

}  // namespace attnlab
