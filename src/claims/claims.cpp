// The table of claims, document by document.
#include "claims/claim.hpp"

#include <algorithm>

namespace attnlab {

const std::vector<Claim>& claims() {
  static const std::vector<Claim> table = [] {
    std::vector<Claim> all;
    for (const auto& part : {textbook_softmax_claims(), textbook_scaling_claims(), textbook_heads_claims(),
                             course_claims(), notebook_claims(), article_claims(), slides_attention_claims(),
                             slides_layer_claims(), slides_position_claims()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return table;
}

std::vector<CheckedClaim> check_claims(const std::vector<Document>& documents,
                                       const Mathematics& mathematics) {
  std::vector<CheckedClaim> checked;
  for (const Claim& claim : claims()) {
    if (std::find(documents.begin(), documents.end(), claim.document) == documents.end()) continue;
    checked.push_back({&claim, claim.check(mathematics)});
  }
  return checked;
}

}  // namespace attnlab
