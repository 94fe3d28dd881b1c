// Sentences of the documents, checked by running them.
#pragma once

#include <xtensor/xbuilder.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/layer_norm.hpp"
#include "attention/matmul.hpp"
#include "attention/multi_head.hpp"
#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "experiments/framework/expected_values.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "random/numpy_random.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {

/// What the claims are tested with: attnlab's own functions, behind one seam so that a test can break one of
/// them and see verdicts change.
struct Mathematics {
  Tensor<double> (*softmax)(const Tensor<double>& scores);
  Tensor<double> (*softmax_global_maximum)(const Tensor<double>& scores);
  Tensor<double> (*layer_norm)(const LayerNorm<double>& norm, const Tensor<double>& x);
  Tensor<double> (*sinusoidal_encoding)(std::size_t positions, std::size_t width, double base);
};

/// attnlab's functions.
Mathematics attnlab_mathematics();

// --- Measurements that several claims share

/// softmax(q kᵀ · scale) with that softmax: (..., queries, keys).
Tensor<double> weights_of(const Mathematics& mathematics, const Tensor<double>& query,
                          const Tensor<double>& key, double scale);

double smallest_value(const Tensor<double>& values);

/// W_Q, W_K and W_V (heads, d_model, width), one width each, then W_O (joined, d_model).
MultiHeadWeights<double> random_weights(NumpyRandom& random, std::size_t heads, std::size_t d_model,
                                        const std::array<std::size_t, 3>& widths, std::size_t joined);

/// max |m - mᵀ| of a square matrix.
double asymmetry(const Tensor<double>& matrix);

/// The rows of a matrix in another order.
Tensor<double> with_rows(const Tensor<double>& matrix, const std::vector<std::size_t>& order);

/// What attention over six tokens gives, against the same tokens in another order.
struct OrderDifference {
  double row_by_row = 0.0;  // between the rows as they stand
  double reordered = 0.0;   // with the first outputs put into the other order
};
OrderDifference order_difference(const Mathematics& mathematics);

/// Whether a computation raises an error about shapes.
template <class Computation>
bool refuses(Computation computation) {
  try {
    computation();
  } catch (const Error&) {
    return true;
  }
  return false;
}

// --- Claims

/// remark: true, and worth knowing what it does to the reader.
enum class Verdict { holds, fails, holds_only_if, remark };

/// A number of the evidence: a measure, a count, or yes (1) and no (0).
struct EvidenceNumber : Scalar {
  template <class Value>
  EvidenceNumber(std::string key, Value found) : Scalar{std::move(key), static_cast<double>(found)} {}
};

/// What running a sentence showed.
struct Finding {
  Verdict verdict = Verdict::holds;
  std::vector<EvidenceNumber> numbers;
};

inline Finding holds_if(bool condition, std::vector<EvidenceNumber> numbers) {
  return {condition ? Verdict::holds : Verdict::fails, std::move(numbers)};
}
inline Finding fails_if(bool condition, std::vector<EvidenceNumber> numbers) {
  return holds_if(!condition, std::move(numbers));
}
inline Finding remark_if(bool condition, std::vector<EvidenceNumber> numbers) {
  return {condition ? Verdict::remark : Verdict::holds, std::move(numbers)};
}
/// Holds as it stands, or only under a condition, or not even then.
inline Finding holds_or_only_if(bool as_it_stands, bool conditionally, std::vector<EvidenceNumber> numbers) {
  if (as_it_stands || !conditionally) return holds_if(as_it_stands, std::move(numbers));
  return {Verdict::holds_only_if, std::move(numbers)};
}

/// Decides by comparing numbers, never by assertion.
using Examination = Finding (*)(const Mathematics& mathematics);

/// Whether products of random vectors become large as d grows (documents A and D): their spread does, not
/// their mean.
Finding large_products(const Mathematics& mathematics);

/// Whether the outputs are the same whatever the order of the tokens (documents D and E): they move with
/// their tokens.
Finding permutation_invariance(const Mathematics& mathematics);

/// A sentence: a [[claim]] of a TOML file of this folder, with the check of its id.
struct Claim {
  std::string id;  // "A-global-maximum"
  Document document;
  Text place;
  Text quote;      // a few words of the text as supplied (converted; it may differ from the original), and in
                   // English
  Text evidence;   // what running it showed: "{sum_error:.1g}" is the number of that key, "{fits:yes|no}" one
                   // of two words, "{share:.1%}" (or " %") a percentage
  Text corrected;  // the sentence as it should read, its condition, or what to know; empty where it holds
  Examination check;
};

constexpr std::array<Document, 5> every_document = {Document::textbook, Document::course, Document::notebook,
                                                    Document::article, Document::slides};

struct CheckedClaim {
  const Claim* claim = nullptr;
  Finding finding;
  Text evidence;   // the claim's, with the numbers that were found
  Text corrected;  // likewise
};

/// Every claim in the order of the documents: the table.
const std::vector<Claim>& claims();

std::vector<std::string> claim_ids();

/// The claim of that id, or nullptr.
const Claim* find_claim(const std::string& id);

/// Runs one claim.
CheckedClaim checked_claim(const Claim& claim, const Mathematics& mathematics);

/// Runs the claims of the given documents.
std::vector<CheckedClaim> check_claims(const std::vector<Document>& documents,
                                       const Mathematics& mathematics);

struct ClaimCheck {
  std::string_view id;
  Examination check;
};

/// The claims of the files, document by document, each with its check. Throws std::logic_error naming the id
/// that has no check, and the check that has no claim.
std::vector<Claim> read_claims(const std::vector<EmbeddedFile>& files, const std::vector<ClaimCheck>& checks);

std::vector<ClaimCheck> textbook_softmax_checks();
std::vector<ClaimCheck> textbook_attention_checks();
std::vector<ClaimCheck> course_checks();
std::vector<ClaimCheck> article_checks();
std::vector<ClaimCheck> slides_attention_checks();
std::vector<ClaimCheck> slides_layer_checks();
std::vector<ClaimCheck> trained_checks();

// --- Checked claims as terminal text and as JSON (claims_text.cpp)

/// "A" to "E", as the ids of the claims and --document call the documents.
std::string letter_of(Document document);

/// "A 教科書 2.2 節" / "A  textbook, section 2.2".
Text title_of(Document document);

/// "holds_only_if", as JSON calls it.
std::string key_of(Verdict verdict);

/// "✓ holds"
Text name_of(Verdict verdict);

/// Document by document: verdict, place, quotation, evidence and the corrected sentence; a count at the end.
std::string claims_text(const std::vector<CheckedClaim>& claims, Language language, Colouring colouring);

/// One JSON object: {"schema", "claims": [{"id", "document", "place", "quote", "verdict", "evidence",
/// "corrected", "numbers"}], "counts"}; texts are {"ja", "en"}.
std::string claims_json(const std::vector<CheckedClaim>& claims);

}  // namespace attnlab
