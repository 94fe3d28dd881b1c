// Every verdict, every evidence number and every number in a sentence of the claims, against those that NumPy
// gives (data/reference/claims), or, where training decides, PyTorch.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "source_dir.hpp"

namespace attnlab {
namespace {

using ClaimsById = std::map<std::string, nlohmann::json>;

/// What a line holds is told by data/reference/make_claims_reference.py.
ClaimsById expected_claims() {
  ClaimsById claims;
  for (const char* file : {"claims.jsonl", "trained.jsonl"}) {
    std::ifstream lines(source_dir() / "data" / "reference" / "claims" / file);
    for (std::string line; std::getline(lines, line);) {
      const nlohmann::json claim = nlohmann::json::parse(line);
      CHECK(claims.emplace(claim.at("id"), claim).second);
    }
  }
  return claims;
}

/// As `attnlab claims --json` prints it; computed once, for it takes a while.
const nlohmann::json& found_json() {
  static const std::vector<Document> all(every_document.begin(), every_document.end());
  static const nlohmann::json json =
      nlohmann::json::parse(claims_json(check_claims(all, attnlab_mathematics())));
  return json;
}

ClaimsById found_claims() {
  ClaimsById claims;
  for (const nlohmann::json& claim : found_json().at("claims")) {
    CHECK(claims.emplace(claim.at("id"), claim).second);
  }
  return claims;
}

/// The keys of an object or the ids of the claims, in order, as one text that a failure shows.
template <class Map>
std::string keys_of(const Map& map) {
  std::set<std::string> keys;
  for (const auto& [key, value] : map) keys.insert(key);
  return fmt::format("{}", fmt::join(keys, " "));
}

/// check(found, expected) for every claim that NumPy has.
template <class Check>
void for_every_claim(Check check) {
  const ClaimsById found = found_claims();
  for (const auto& entry : expected_claims()) {
    const auto& [id, expected] = entry;
    INFO(entry.first);
    if (found.count(id) == 1) check(found.at(id), expected);  // the first test case finds what is missing
  }
}

// --- Numbers

/// JSON has no NaN: it stands there as "nan".
double number_of(const nlohmann::json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

/// Two ways of computing the same in float64 differ by rounding alone. A count, and a 0, must be equal.
constexpr double relative_tolerance = 1e-9;

/// expected: the number; {"below"}, where it is only rounding; or {"value", "within"}, where it is a float32.
bool agrees(double found, const nlohmann::json& expected) {
  if (expected.contains("below")) return found >= 0.0 && found < expected.at("below").get<double>();
  if (expected.contains("within")) {
    return std::abs(found - expected.at("value").get<double>()) <= expected.at("within").get<double>();
  }
  const double value = number_of(expected);
  if (std::isnan(value)) return std::isnan(found);
  return std::abs(found - value) <= relative_tolerance * std::abs(value);
}

// --- Sentences

/// As they are written: "-1", "0.50", "4e-16", "2.2.11", and the numbers in names, as that of "float32".
std::vector<std::string> numbers_in(const std::string& sentence) {
  static const std::regex number(R"(-?[0-9]+(\.[0-9]+)*(e[+-][0-9]+)?)");
  return {std::sregex_token_iterator(sentence.begin(), sentence.end(), number), std::sregex_token_iterator()};
}

/// The value with as many digits as the number in the sentence has.
std::string rounded_like(const std::string& shown, double value) {
  const std::string mantissa = shown.substr(0, shown.find('e'));
  const std::size_t point = mantissa.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : mantissa.size() - point - 1;
  return mantissa == shown ? fmt::format("{:.{}f}", value, decimals)
                           : fmt::format("{:.{}e}", value, decimals);
}

/// What should stand in the place of `shown`. expected: a value, the key of one of the claim's own numbers,
/// or the letters themselves.
std::string expected_in_place_of(const std::string& shown, const nlohmann::json& expected,
                                 const nlohmann::json& numbers) {
  if (!expected.is_string()) return rounded_like(shown, expected.get<double>());
  const auto letters = expected.get<std::string>();
  return numbers.contains(letters) ? rounded_like(shown, number_of(numbers.at(letters))) : letters;
}

/// Number by number, in the order of the sentence.
void check_numbers_of(const std::string& sentence, const nlohmann::json& expected,
                      const nlohmann::json& numbers) {
  INFO(sentence);
  const std::vector<std::string> shown = numbers_in(sentence);
  CHECK(shown.size() == expected.size());
  if (shown.size() != expected.size()) return;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    INFO("number ", i + 1);
    CHECK(shown[i] == expected_in_place_of(shown[i], expected.at(i), numbers));
  }
}

/// True when the phrases stand in the sentence one behind the other.
bool says(const std::string& sentence, const std::vector<std::string>& phrases) {
  std::size_t from = 0;
  for (const std::string& phrase : phrases) {
    const std::size_t place = sentence.find(phrase, from);
    if (place == std::string::npos) return false;
    from = place + phrase.size();
  }
  return true;
}

}  // namespace

TEST_CASE("the claims are those that NumPy has computed") {
  CHECK(keys_of(found_claims()) == keys_of(expected_claims()));
}

TEST_CASE("every verdict is NumPy's") {
  std::map<std::string, int> counts{{"holds", 0}, {"holds_only_if", 0}, {"fails", 0}, {"remark", 0}};
  for_every_claim([&](const nlohmann::json& found, const nlohmann::json& expected) {
    CHECK(found.at("verdict") == expected.at("verdict"));
    CHECK(found.at("corrected").is_null() == (expected.at("verdict") == "holds"));
    ++counts[expected.at("verdict")];
  });
  CHECK(found_json().at("counts") == nlohmann::json(counts));
}

TEST_CASE("every evidence number is NumPy's") {
  for_every_claim([](const nlohmann::json& found, const nlohmann::json& expected) {
    const nlohmann::json& numbers = found.at("numbers");
    const nlohmann::json& by_numpy = expected.at("numbers");
    CHECK(keys_of(numbers.items()) == keys_of(by_numpy.items()));
    for (const auto& entry : by_numpy.items()) {
      const auto& [key, value] = entry;
      if (!numbers.contains(key)) continue;
      INFO(entry.key(), " = ", numbers.at(entry.key()).dump(), ", NumPy: ", entry.value().dump());
      CHECK(agrees(number_of(numbers.at(key)), value));
    }
  });
}

TEST_CASE("every number in a sentence is the computed one, rounded") {
  for_every_claim([](const nlohmann::json& found, const nlohmann::json& expected) {
    for (const std::string language : {"ja", "en"}) {
      check_numbers_of(found.at("evidence").at(language), expected.at("evidence").at(language),
                       found.at("numbers"));
      const nlohmann::json& corrected = found.at("corrected");
      check_numbers_of(corrected.is_null() ? std::string() : corrected.at(language).get<std::string>(),
                       expected.at("corrected").at(language), found.at("numbers"));
    }
  });
}

TEST_CASE("a sentence says yes or no as NumPy does") {
  for_every_claim([](const nlohmann::json& found, const nlohmann::json& expected) {
    for (const std::string language : {"ja", "en"}) {
      const std::string sentence = found.at("evidence").at(language);
      INFO(sentence);
      CHECK(says(sentence, expected.at("says").at(language)));
    }
  });
}

TEST_CASE("a wrong number and a wrong sentence are told from right ones") {
  CHECK(agrees(15.0, 15));
  CHECK_FALSE(agrees(18.0, 15));
  CHECK_FALSE(agrees(0.2894200, 0.2894199349959947));
  CHECK_FALSE(agrees(1e-300, 0));
  CHECK(agrees(std::nan(""), "nan"));
  CHECK_FALSE(agrees(0.5, "nan"));
  CHECK_FALSE(agrees(3.0, {{"below", 1e-12}}));
  CHECK_FALSE(agrees(std::nan(""), {{"below", 1e-12}}));
  CHECK_FALSE(agrees(1.1, {{"value", 1.0}, {"within", 1e-6}}));

  CHECK(numbers_in("b = -1 (2.2.11): float32, 5e-16, 4～5. 3.") ==
        std::vector<std::string>{"-1", "2.2.11", "32", "5e-16", "4", "5", "3"});
  CHECK(expected_in_place_of("0.29", 0.2894, {}) == "0.29");
  CHECK(expected_in_place_of("0.30", 0.2894, {}) == "0.29");
  CHECK(expected_in_place_of("1e-16", "sum_error", {{"sum_error", 4.4e-16}}) == "4e-16");
  CHECK(expected_in_place_of("1.14", "1.13", {{"sum_error", 4.4e-16}}) == "1.13");
  CHECK(says("it fits, it does not fit", {"fits", "does not fit"}));
  CHECK_FALSE(says("it does not fit, it fits", {"fits", "does not fit"}));
}

}  // namespace attnlab
