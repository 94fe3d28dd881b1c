// The table of claims: what a document says, from its TOML file, with the check that runs it.
#include <fmt/args.h>

#include "claims/claim.hpp"
#include "core/sentences.hpp"

/// A number in a sentence; see Claim::evidence.
template <>
struct fmt::formatter<attnlab::EvidenceNumber> {
  constexpr auto parse(fmt::format_parse_context& context) {
    spec = {context.begin(), static_cast<std::size_t>(context.end() - context.begin())};
    spec = spec.substr(0, spec.find('}'));
    return context.begin() + spec.size();
  }

  auto format(const attnlab::EvidenceNumber& number, fmt::format_context& context) const {
    const std::string text = answered(number.value);
    return std::copy(text.begin(), text.end(), context.out());
  }

  std::string answered(double value) const {
    if (const std::size_t bar = spec.find('|'); bar != std::string_view::npos) {
      return std::string(value != 0.0 ? spec.substr(0, bar) : spec.substr(bar + 1));
    }
    if (std::isnan(value)) return "NaN";
    if (const std::size_t sign = spec.find_first_of(" %"); sign != std::string_view::npos) {
      return fmt::format(fmt::runtime(fmt::format("{{:{}f}}{}", spec.substr(0, sign), spec.substr(sign))),
                         100.0 * value);
    }
    return fmt::format(fmt::runtime(fmt::format("{{:{}}}", spec)), value);
  }

  std::string_view spec;
};

namespace attnlab {
namespace {

Document document_of(const std::string& name) {
  for (const Document document : every_document) {
    if (name_of(document).en() == name) return document;
  }
  throw std::logic_error("claims: no document " + name);
}

Claim claim_of(const Sentences& row) {
  return {row.at("id").en(),
          document_of(row.at("document").en()),
          row.at("place"),
          row.at("quote"),
          row.at("evidence"),
          row.count("corrected") == 1 ? row.at("corrected") : Text::none(),
          nullptr};
}

/// The sentence with its numbers. Throws fmt::format_error where it names one that was not found.
std::string answered(const std::string& sentence, const std::vector<EvidenceNumber>& numbers) {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  for (const EvidenceNumber& number : numbers) values.push_back(fmt::arg(number.name.c_str(), number));
  return fmt::vformat(sentence, values);
}

Text answered(const Text& sentence, const std::vector<EvidenceNumber>& numbers) {
  return {answered(sentence.ja(), numbers), answered(sentence.en(), numbers)};
}

std::vector<ClaimCheck> every_check() {
  std::vector<ClaimCheck> all;
  for (const auto& checks :
       {textbook_softmax_checks(), textbook_attention_checks(), course_checks(), article_checks(),
        slides_attention_checks(), slides_layer_checks(), trained_checks()}) {
    all.insert(all.end(), checks.begin(), checks.end());
  }
  return all;
}

}  // namespace

std::vector<Claim> read_claims(const std::vector<EmbeddedFile>& files,
                               const std::vector<ClaimCheck>& checks) {
  std::vector<Claim> claims;
  for (const EmbeddedFile& file : files) {
    for (const Sentences& row : read_sentences(file, "claim")) claims.push_back(claim_of(row));
  }
  std::stable_sort(claims.begin(), claims.end(),
                   [](const Claim& a, const Claim& b) { return a.document < b.document; });
  std::map<std::string_view, Examination> unused;
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

std::vector<std::string> claim_ids() {
  std::vector<std::string> ids;
  for (const Claim& claim : claims()) ids.push_back(claim.id);
  return ids;
}

const Claim* find_claim(const std::string& id) {
  for (const Claim& claim : claims()) {
    if (claim.id == id) return &claim;
  }
  return nullptr;
}

CheckedClaim checked_claim(const Claim& claim, const Mathematics& mathematics) {
  const Finding finding = claim.check(mathematics);
  return {&claim, finding, answered(claim.evidence, finding.numbers),
          answered(claim.corrected, finding.numbers)};
}

std::vector<CheckedClaim> check_claims(const std::vector<Document>& documents,
                                       const Mathematics& mathematics) {
  std::vector<CheckedClaim> checked;
  for (const Claim& claim : claims()) {
    if (std::find(documents.begin(), documents.end(), claim.document) == documents.end()) continue;
    checked.push_back(checked_claim(claim, mathematics));
  }
  return checked;
}

}  // namespace attnlab
