// Every claim has the verdict that this file lists, and loses it when the mathematics is broken.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "attention/softmax.hpp"
#include "claims/claim.hpp"

namespace attnlab {
namespace {

const std::vector<Document> all_documents(std::begin(every_document), std::end(every_document));

/// With attnlab's own mathematics; computed once, for it takes a while.
const std::vector<CheckedClaim>& own_claims() {
  static const std::vector<CheckedClaim> checked = check_claims(all_documents, attnlab_mathematics());
  return checked;
}

std::map<std::string, Verdict> verdicts(const std::vector<CheckedClaim>& claims) {
  std::map<std::string, Verdict> found;
  for (const CheckedClaim& checked : claims) found[checked.claim->id] = checked.finding.verdict;
  return found;
}

double number(const std::string& id, const std::string& name) {
  for (const CheckedClaim& checked : own_claims()) {
    if (checked.claim->id != id) continue;
    for (const Scalar& scalar : checked.finding.numbers) {
      if (scalar.name == name) return scalar.value;
    }
  }
  throw std::out_of_range(id + " " + name);
}

/// The claims whose verdict is another one with this mathematics.
std::set<std::string> changed_by(const Mathematics& mathematics) {
  const std::map<std::string, Verdict> own = verdicts(own_claims());
  std::set<std::string> changed;
  for (const auto& [id, verdict] : verdicts(check_claims(all_documents, mathematics))) {
    if (verdict != own.at(id)) changed.insert(id);
  }
  return changed;
}

// --- Broken mathematics

Tensor<double> softmax_of_columns(const Tensor<double>& scores) {
  return scores.dimension() < 2 ? softmax(scores) : transpose(softmax(transpose(scores)));
}

Tensor<double> unnormalised(const Tensor<double>& scores) { return scores; }

Tensor<double> norm_without_effect(const LayerNorm<double>&, const Tensor<double>& x) { return x; }

Tensor<double> encoding_of_ones(std::size_t positions, std::size_t width, double) {
  Tensor<double> encoding = Tensor<double>::from_shape({positions, width});
  encoding.fill(1.0);
  return encoding;
}

}  // namespace

TEST_CASE("the verdicts are those listed here") {
  std::map<Verdict, std::set<std::string>> found;
  for (const auto& [id, verdict] : verdicts(own_claims())) found[verdict].insert(id);
  CHECK(found[Verdict::fails] ==
        std::set<std::string>{"A-footnote-b", "B-transposition", "D-between-sequences", "D-frequencies",
                              "A-free-widths", "D-invariant", "E-norm", "E-layer-norm", "E-scheme-1-shape",
                              "E-number-of-values", "E-value-matrix", "E-criterion", "E-order-nothing"});
  CHECK(found[Verdict::holds_only_if] == std::set<std::string>{"A-global-maximum",   "A-overflows-at-once",
                                                               "B-source-length",    "B-one-line",
                                                               "D-odd-width",        "E-span",
                                                               "E-span-of-output",   "E-asymmetric-relations",
                                                               "A-output-layer",     "B-shape-assertion",
                                                               "B-output-assertion", "B-shape-comment",
                                                               "D-parameter-counts", "D-local",
                                                               "D-vanishing",        "D-direct",
                                                               "E-linear",           "E-value-shape",
                                                               "E-one-weight",       "E-order-kept",
                                                               "E-similarity",       "A-scaling-helps",
                                                               "E-scaling-fails",    "E-norm-efficiency",
                                                               "A-sums-differ",      "A-large-values",
                                                               "D-large-values",     "A-output-shape",
                                                               "C-subspaces",        "C-boolean-mask"});
  CHECK(found[Verdict::remark] ==
        std::set<std::string>{"A-free-panel",    "A-figure-shifted",   "A-damaged-code",
                              "B-rsqrt",         "E-multi-head-shape", "E-base",
                              "A-long-vector",   "A-deviation",        "A-biases",
                              "A-figure-number", "A-key-rows",         "A-qk",
                              "D-colour-range",  "D-one-seed",         "A-several-heads",
                              "E-last-token",    "E-own-token",        "E-restated",
                              "E-value-of-all",  "A-whole-width",      "A-left-over-comment",
                              "B-next-token",    "B-broadcast",        "B-scale-once"});
  CHECK(found[Verdict::holds].size() >= 30);
}

TEST_CASE("the evidence has the numbers of the documents") {
  CHECK(number("A-exp-50", "exp_50") == doctest::Approx(5.18470552858707e21).epsilon(1e-14));
  CHECK(number("A-long-vector", "fifth_before") == doctest::Approx(0.0675).epsilon(1e-3));
  CHECK(number("A-long-vector", "fifth_after") == doctest::Approx(0.0373).epsilon(1e-3));
  CHECK(number("A-free-panel", "largest_weight") == doctest::Approx(0.8044).epsilon(1e-4));
  CHECK(number("A-deviation", "deviation_at_64") == doctest::Approx(7.674520).epsilon(1e-6));
  CHECK(number("C-output-shape", "first_value") == doctest::Approx(-0.179900).epsilon(1e-5));
  CHECK(number("D-parameter-counts", "one_head_without") == 192);
  CHECK(number("D-parameter-counts", "several_heads") == 256);
  CHECK(number("D-one-seed", "equal_numbers") == 96);
  CHECK(number("E-layer-norm", "variance_as_printed") == doctest::Approx(1.118).epsilon(1e-3));
  CHECK(number("E-norm", "squared_norm") == doctest::Approx(32.0));
  CHECK(number("E-similarity", "rises") == 17);
  CHECK(number("E-similarity", "first_rise") == 5);
  CHECK(number("E-one-weight", "ten_keys") == doctest::Approx(0.32).epsilon(0.02));
  CHECK(number("E-one-weight", "twenty_keys") == doctest::Approx(0.22).epsilon(0.04));
}

TEST_CASE("softmax along the wrong axis changes verdicts") {
  Mathematics broken = attnlab_mathematics();
  broken.softmax = softmax_of_columns;
  const std::set<std::string> changed = changed_by(broken);
  for (const std::string id :
       {"A-sum-one", "A-row-sums", "A-order", "A-printed-output", "E-order-kept", "E-pooling-weights"}) {
    INFO(id);
    CHECK(changed.count(id) == 1);
  }
}

TEST_CASE("a naive softmax makes the maximum of the rows fail as well") {
  Mathematics broken = attnlab_mathematics();
  broken.softmax = softmax_naive<double>;
  CHECK(changed_by(broken).count("A-global-maximum") == 1);
  broken = attnlab_mathematics();
  broken.softmax_global_maximum = softmax<double>;
  CHECK(changed_by(broken) == std::set<std::string>{"A-global-maximum"});
}

TEST_CASE("without softmax attention is linear in nothing and sums to nothing") {
  Mathematics broken = attnlab_mathematics();
  broken.softmax = unnormalised;
  const std::set<std::string> changed = changed_by(broken);
  for (const std::string id :
       {"A-sum-one", "A-shift", "D-gradient", "D-weighted-mean", "B-masked-probability"}) {
    INFO(id);
    CHECK(changed.count(id) == 1);
  }
}

TEST_CASE("a layer norm without effect and an encoding without positions change verdicts") {
  Mathematics broken = attnlab_mathematics();
  broken.layer_norm = norm_without_effect;
  CHECK(verdicts(check_claims(all_documents, broken)).at("E-layer-norm") == Verdict::fails);
  broken = attnlab_mathematics();
  broken.sinusoidal_encoding = encoding_of_ones;
  const std::set<std::string> changed = changed_by(broken);
  for (const std::string id : {"D-unique-positions", "E-unique", "E-similarity", "E-one-rotation"}) {
    INFO(id);
    CHECK(changed.count(id) == 1);
  }
}

TEST_CASE("every claim quotes and argues with numbers in both languages") {
  std::set<std::string> ids;
  for (const CheckedClaim& checked : own_claims()) {
    const Claim& claim = *checked.claim;
    INFO(claim.id);
    CHECK(ids.insert(claim.id).second);
    CHECK(claim.id.substr(0, 2) == letter_of(claim.document) + "-");
    for (const Language language : {Language::ja, Language::en}) {
      CHECK_FALSE(claim.place.in(language).empty());
      CHECK_FALSE(claim.quote.in(language).empty());
      const std::string& evidence = checked.evidence.in(language);
      CHECK(std::any_of(evidence.begin(), evidence.end(),
                        [](char letter) { return letter >= '0' && letter <= '9'; }));
      if (checked.finding.verdict != Verdict::holds) CHECK_FALSE(checked.corrected.in(language).empty());
    }
    CHECK_FALSE(checked.finding.numbers.empty());
  }
}

TEST_CASE("a claim without a check and a check without a claim are found") {
  const std::vector<EmbeddedFile> files{{"course.toml", R"(
document = "course"
[[claim]]
id = "B-one"
place = { ja = "所", en = "place" }
quote = "文"
quote_en = "sentence"
evidence = "{one}"
)"}};
  const attnlab::Examination check = [](const Mathematics&) { return holds_if(true, {{"one", 1}}); };
  const std::vector<Claim> claims = read_claims(files, {{"B-one", check}});
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].place.ja() == "所");
  CHECK(claims[0].quote.en() == "sentence");
  CHECK(claims[0].corrected.ja().empty());
  CHECK_THROWS_WITH_AS(read_claims(files, {}), "no check of the claim B-one", std::logic_error);
  CHECK_THROWS_WITH_AS(read_claims(files, {{"B-one", check}, {"B-two", check}}), "no claim B-two",
                       std::logic_error);
}

TEST_CASE("one document alone gives its own claims") {
  for (const Document document : every_document) {
    const std::vector<CheckedClaim> checked = check_claims({document}, attnlab_mathematics());
    CHECK(checked.size() >= 3);
    for (const CheckedClaim& one : checked) CHECK(one.claim->document == document);
  }
}

TEST_CASE("the JSON has every claim and its count") {
  const nlohmann::json json = nlohmann::json::parse(claims_json(own_claims()));
  CHECK(json.at("claims").size() == claims().size());
  CHECK(json.at("counts").at("fails") == 13);
  CHECK(json.at("claims").at(0).at("corrected").is_null());
  for (const nlohmann::json& claim : json.at("claims")) {
    CHECK(claim.at("quote").contains("ja"));
    CHECK(claim.at("evidence").contains("en"));
  }
}

TEST_CASE("no line of the text is wider than a terminal") {
  for (const Language language : {Language::ja, Language::en}) {
    const std::string text = claims_text(own_claims(), language, Colouring::plain);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find(language == Language::ja ? "成り立たない 13" : "fails: 13") != std::string::npos);
  }
}

}  // namespace attnlab
