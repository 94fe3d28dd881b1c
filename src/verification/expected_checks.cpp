#include "verification/expected_checks.hpp"

#include <exception>

#include "core/agreement.hpp"

namespace attnlab {
namespace {

Text place_of(const ExpectedValue& row) {
  const Text document = name_of(row.document);
  const std::string flags = flags_text(row.arguments);
  return {document.ja() + " " + row.place.ja() + flags, document.en() + " " + row.place.en() + flags};
}

VerifyCheck check_row(const ExpectedValue& row, Runs& runs) {
  try {
    const ExpectedComparison comparison = compare(row, runs.report(row.experiment, row.arguments));
    const double largest = largest_magnitude(row.values);
    Deviation deviation;
    deviation.absolute = comparison.largest_error;
    deviation.relative = deviation.absolute == 0.0 ? 0.0 : deviation.absolute / largest;
    deviation.allowed = row.tolerance;
    deviation.agrees = comparison.holds;
    return check_of(Section::expected, row.experiment, row.quantity, place_of(row), deviation);
  } catch (const std::exception& error) {
    return failed_check(Section::expected, row.experiment, row.quantity, Text::same(error.what()));
  }
}

}  // namespace

std::vector<VerifyCheck> check_expected(const std::vector<ExpectedValue>& rows, Runs& runs) {
  std::vector<VerifyCheck> checks;
  checks.reserve(rows.size());
  for (const ExpectedValue& row : rows) checks.push_back(check_row(row, runs));
  return checks;
}

}  // namespace attnlab
