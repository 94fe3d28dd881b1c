#include <cmath>
#include <nlohmann/json.hpp>

#include "core/version.hpp"
#include "verification/verification_text.hpp"

namespace attnlab {
namespace {

constexpr int schema = 1;

/// The number; the strings nan and inf stand for what JSON cannot write.
nlohmann::ordered_json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return value;
}

}  // namespace

std::string verification_json(const std::vector<VerifyCheck>& checks) {
  const Summary summary = summary_of(checks);
  nlohmann::ordered_json json;
  json["schema"] = schema;
  json["version"] = version;
  json["checks"] = nlohmann::ordered_json::array();
  for (const VerifyCheck& check : checks) {
    json["checks"].push_back({{"section", name_of(check.section)},
                              {"subject", check.subject},
                              {"stage", check.stage},
                              {"detail", {{"ja", check.detail.ja()}, {"en", check.detail.en()}}},
                              {"absolute_error", number(check.absolute)},
                              {"relative_error", number(check.relative)},
                              {"allowed", number(check.allowed)},
                              {"pass", check.passes}});
  }
  json["summary"] = {{"checks", summary.checks}, {"failed", summary.failed}, {"pass", summary.failed == 0}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace attnlab
