// Checked claims as one JSON object.
#include <cmath>
#include <nlohmann/json.hpp>

#include "claims/claims_text.hpp"

namespace attnlab {
namespace {

using Json = nlohmann::ordered_json;

Json json_text(const Text& text) {
  return {{"ja", text.ja()}, {"en", text.en()}};
}

std::string key_of(Verdict verdict) {
  std::string key = name_of(verdict).en();
  for (char& letter : key) {
    if (letter == ' ') letter = '_';
  }
  return key;
}

Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return value;
}

}  // namespace

std::string claims_json(const std::vector<CheckedClaim>& claims) {
  Json list = Json::array();
  Json counts = {{"holds", 0}, {"holds_only_if", 0}, {"fails", 0}, {"remark", 0}};
  for (const auto& [claim, finding] : claims) {
    Json numbers = Json::object();
    for (const Scalar& number : finding.numbers) numbers[number.name] = json_number(number.value);
    const std::string verdict = key_of(finding.verdict);
    counts[verdict] = counts[verdict].get<int>() + 1;
    list.push_back({{"id", claim->id},
                    {"document", letter_of(claim->document)},
                    {"place", json_text(claim->place)},
                    {"quote", json_text(claim->quote)},
                    {"verdict", verdict},
                    {"evidence", json_text(finding.evidence)},
                    {"corrected", finding.verdict == Verdict::holds ? Json() : json_text(finding.corrected)},
                    {"numbers", numbers}});
  }
  return Json{{"schema", 1}, {"claims", list}, {"counts", counts}}.dump() + "\n";
}

}  // namespace attnlab
