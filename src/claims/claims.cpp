// The table of claims: what a document says, from its TOML file, with the check that runs it.
#include <toml++/toml.h>

#include <algorithm>
#include <stdexcept>

#include "claims/claim.hpp"

namespace attnlab {
namespace {

/// What stands under `key`; a claim without it is a mistake of ours.
std::string required(const toml::table& table, std::string_view key) {
  const std::optional<std::string> value = table[key].value<std::string>();
  if (!value) throw std::logic_error("claims: no " + std::string(key));
  return *value;
}

Document document_of(const toml::table& file) {
  const std::string name = required(file, "document");
  for (const Document document : every_document) {
    if (name_of(document).en() == name) return document;
  }
  throw std::logic_error("claims: no document " + name);
}

Claim claim_of(const toml::table& row, Document document) {
  const toml::table& place = *row["place"].as_table();
  return {required(row, "id"),
          document,
          {required(place, "ja"), required(place, "en")},
          {required(row, "quote"), required(row, "quote_en")},
          {row["corrected"].value_or(""), row["corrected_en"].value_or("")},
          nullptr};
}

std::vector<ClaimCheck> every_check() {
  std::vector<ClaimCheck> all;
  for (const auto& checks : {textbook_softmax_checks(), textbook_attention_checks(), course_checks(),
                             article_checks(), slides_attention_checks(), slides_layer_checks()}) {
    all.insert(all.end(), checks.begin(), checks.end());
  }
  return all;
}

}  // namespace

std::vector<Claim> read_claims(const std::vector<EmbeddedFile>& files,
                               const std::vector<ClaimCheck>& checks) {
  std::vector<Claim> claims;
  for (const EmbeddedFile& file : files) {
    const toml::table table = toml::parse(file.text, file.path);
    for (const toml::node& row : *table["claim"].as_array()) {
      claims.push_back(claim_of(*row.as_table(), document_of(table)));
    }
  }
  std::stable_sort(claims.begin(), claims.end(),
                   [](const Claim& a, const Claim& b) { return a.document < b.document; });
  std::map<std::string_view, Check> unused;
  for (const auto& [id, check] : checks) unused[id] = check;
  for (Claim& claim : claims) {
    const auto found = unused.find(claim.id);
    if (found == unused.end()) throw std::logic_error("no check of the claim " + claim.id);
    claim.check = found->second;
    unused.erase(found);
  }
  if (!unused.empty()) throw std::logic_error("no claim " + std::string(unused.begin()->first));
  return claims;
}

const std::vector<Claim>& claims() {
  static const std::vector<Claim> table = read_claims(claim_files(), every_check());
  return table;
}

std::vector<CheckedClaim> check_claims(const std::vector<Document>& documents,
                                       const Mathematics& mathematics) {
  std::vector<CheckedClaim> checked;
  for (const Claim& claim : claims()) {
    if (std::find(documents.begin(), documents.end(), claim.document) == documents.end()) continue;
    Finding finding = claim.check(mathematics);
    if (finding.corrected.ja().empty()) finding.corrected = claim.corrected;
    checked.push_back({&claim, std::move(finding)});
  }
  return checked;
}

}  // namespace attnlab
