// Sentences of the documents, checked by running them.
#pragma once

#include <string>
#include <vector>

#include "claims/mathematics.hpp"
#include "core/text.hpp"
#include "experiments/framework/expected_values.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// remark: true, and worth knowing what it does to the reader.
enum class Verdict { holds, fails, holds_only_if, remark };

/// What running a sentence showed.
struct Finding {
  Verdict verdict = Verdict::holds;
  Text evidence;   // with its numbers
  Text corrected;  // the sentence as it should read, its condition, or what to know; empty where it holds
  std::vector<Scalar> numbers;
};

/// A sentence. `quote` is a few words of the text as supplied (converted; it may differ from the original),
/// with an English rendering.
struct Claim {
  std::string id;  // "A-global-maximum"
  Document document;
  Text place;
  Text quote;
  Finding (*check)(const Mathematics& mathematics);  // decides by comparing numbers, never by assertion
};

/// What a finding corrects where there is nothing to correct.
inline const Text nothing = Text::same("");

inline Verdict holds_if(bool condition) {
  return condition ? Verdict::holds : Verdict::fails;
}

struct CheckedClaim {
  const Claim* claim = nullptr;
  Finding finding;
};

/// Every claim in the order of the documents: the table.
const std::vector<Claim>& claims();

/// Runs the claims of the given documents.
std::vector<CheckedClaim> check_claims(const std::vector<Document>& documents,
                                       const Mathematics& mathematics);

/// The parts of the table.
std::vector<Claim> textbook_softmax_claims();
std::vector<Claim> textbook_scaling_claims();
std::vector<Claim> textbook_heads_claims();
std::vector<Claim> course_claims();
std::vector<Claim> notebook_claims();
std::vector<Claim> article_claims();
std::vector<Claim> slides_attention_claims();
std::vector<Claim> slides_layer_claims();
std::vector<Claim> slides_position_claims();

}  // namespace attnlab
